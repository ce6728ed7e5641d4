import Files
import Installation
import JSON

/// Author and licence, asked for once: those that were given last are those of the next masks. They are kept in
/// `$XDG_CONFIG_HOME/bauta/author.json`. Masks made of a person's picture neither get them nor leave theirs: whose picture it
/// is, and what may be done with it, is another question for each.
package struct KeptAuthor {
    /// Nil: none has been given.
    package private(set) var author: String?
    package private(set) var license: String?
    /// The folders of masks whose author does not want to be named.
    private var withoutAuthor: [FilePath]
    private let file: ConfigurationFile?
    private static let (withoutAuthorKey, mostWithoutAuthor) = ("withoutAuthor", 200)

    /// - Parameter file: nil: nothing is kept.
    /// - Throws: `FileError` if the file cannot be read, or is no JSON object. It then stays as it is.
    package init(_ file: ConfigurationFile? = ConfigurationFile(named: "author.json")) throws(FileError) {
        self.file = file
        let json = try file?.read()
        author = json?["author"]?.string
        license = json?["license"]?.string
        withoutAuthor = json?[Self.withoutAuthorKey]?.elements.compactMap { $0.string.map { FilePath($0) } } ?? []
    }

    /// Whether the user has saved a mask without an author when they were asked.
    package func isWithoutAuthor(_ mask: FilePath) -> Bool { withoutAuthor.contains(mask) }

    /// Keeps that a mask has no author, of so many masks at most.
    /// - Throws: `FileError`.
    package mutating func keepWithoutAuthor(_ mask: FilePath) throws(FileError) {
        // JSON has no other paths.
        guard mask.string != nil, !withoutAuthor.contains(mask) else { return }
        withoutAuthor = (withoutAuthor + [mask]).suffix(Self.mostWithoutAuthor)
        let new = JSONValue.array(withoutAuthor.compactMap(\.string).map { .string($0) })
        try file?.update { json in json[Self.withoutAuthorKey] = new }
    }

    /// Keeps what is given; nil and empty texts change nothing.
    /// - Throws: `FileError`.
    package mutating func keep(author newAuthor: String?, license newLicense: String?) throws(FileError) {
        if let newAuthor, !newAuthor.isEmpty { author = newAuthor }
        if let newLicense, !newLicense.isEmpty { license = newLicense }
        let (author, license) = (author, license)
        try file?.update { json in
            if let author { json["author"] = .string(author) }
            if let license { json["license"] = .string(license) }
        }
    }
}
