import Files
import JSON
import Masks

/// The folder in which files of one kind were chosen last, for the next dialog. It is kept in
/// `$XDG_CONFIG_HOME/bauta/folders.json`.
package struct LastFolder: Sendable {
    /// The kind of the chosen files, by its key in the file.
    package enum Kind: String, Sendable {
        /// Clips and pictures that are shown live.
        case sources
        case backgrounds
        /// Photographs that are to be masked.
        case photographs
        /// The masks that photographs wear in turn, or that were only tried on.
        case photographMask
        /// Pictures that become a part of a mask.
        case parts
        /// 3-D models, likewise.
        case models
        /// Packed masks.
        case packages
    }

    private let kind: Kind
    private let file: ConfigurationFile?

    /// - Parameter file: nil: nothing is kept.
    package init(_ kind: Kind, in file: ConfigurationFile? = ConfigurationFile(named: "folders.json")) {
        (self.kind, self.file) = (kind, file)
    }

    /// Reads the file. Nil: none has been kept, it is not there any more, or the file cannot be read.
    package var path: FilePath? { all.last }

    /// All that were chosen together and are still there, such as masks that people wear in turn.
    package var all: [FilePath] {
        guard let value = (try? file?.read())?[kind.rawValue] else { return [] }
        let texts = value.string.map { [$0] } ?? value.elements.compactMap(\.string)
        return texts.filter { $0.hasPrefix("/") }.map { FilePath($0) }.filter(isUsable)
    }

    /// Of a mask, only its own folder is.
    private func isUsable(_ folder: FilePath) -> Bool {
        kind == .photographMask ? (folder / MaskLoader.manifestName).exists : Folder.exists(folder)
    }

    /// Keeps a chosen folder, or the folder of a chosen file. A name that is not UTF-8 is not kept; nor is anything if
    /// the file cannot be written, because nobody would want to be told.
    package func note(_ chosen: FilePath) { note(all: [chosen]) }

    /// Keeps folders that were chosen together, in their order, like `note(_:)`.
    package func note(all chosen: [FilePath]) {
        let texts = chosen.filter { kind != .photographMask || isUsable($0) }.compactMap { path in
            (Folder.exists(path) ? path : path.parent).resolved?.string
        }
        guard let last = texts.last else { return }
        let value = texts.count == 1 ? JSONValue.string(last) : .array(texts.map { .string($0) })
        try? file?.update { $0[kind.rawValue] = value }
    }
}
