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
        /// The mask that photographs wear.
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
    package var path: FilePath? {
        guard let text = (try? file?.read())?[kind.rawValue]?.string, text.hasPrefix("/") else { return nil }
        let folder = FilePath(text)
        return isUsable(folder) ? folder : nil
    }

    /// Of a mask, only its own folder is.
    private func isUsable(_ folder: FilePath) -> Bool {
        kind == .photographMask ? (folder / MaskLoader.manifestName).exists : Folder.exists(folder)
    }

    /// Keeps a chosen folder, or the folder of a chosen file. A name that is not UTF-8 is not kept; nor is anything if
    /// the file cannot be written, because nobody would want to be told.
    package func note(_ chosen: FilePath) {
        if kind == .photographMask, !isUsable(chosen) { return }
        guard let text = (Folder.exists(chosen) ? chosen : chosen.parent).resolved?.string else { return }
        try? file?.update { $0[kind.rawValue] = .string(text) }
    }
}
