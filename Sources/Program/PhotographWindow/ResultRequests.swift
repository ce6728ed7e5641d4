import Files

/// Which result is compared with its photograph. One is read at a time; of those that are asked for meanwhile, only the last
/// one follows.
package struct ResultRequests {
    /// The photograph; nil: none is compared.
    package private(set) var wanted: FilePath?
    private var isReading = false

    package init() {}

    /// Asks for the result of a photograph.
    /// - Returns: whether it is to be read now. Otherwise `end` says when.
    package mutating func begin(_ photograph: FilePath) -> Bool {
        wanted = photograph
        defer { isReading = true }
        return !isReading
    }

    /// Nothing is compared any more.
    package mutating func stop() { wanted = nil }

    /// To be called when the result of a photograph has been read.
    /// - Returns: the photograph whose result is to be read next; nil: none.
    package mutating func end(_ photograph: FilePath) -> FilePath? {
        let next = wanted == photograph ? nil : wanted
        isReading = next != nil
        return next
    }
}
