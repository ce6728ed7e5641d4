import Files

/// One photograph to mask.
package struct PhotoJob: Sendable {
    package var input: FilePath
    /// The file that the result is written to.
    package var output: FilePath
    /// Whether the user named the file. One that was found in a folder is ignored if neither its content nor its name is
    /// that of a picture.
    package var isNamed: Bool
    /// Why the job cannot be done, if that is known before anything is read.
    package var obstacle: String?
    /// Of the photograph's file, in bytes.
    package var size: Int64

    package init(input: FilePath, output: FilePath, isNamed: Bool, obstacle: String? = nil, size: Int64 = 0) {
        self.input = input
        self.output = output
        self.isNamed = isNamed
        self.obstacle = obstacle
        self.size = size
    }
}
