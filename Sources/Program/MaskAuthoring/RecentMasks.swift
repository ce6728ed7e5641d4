import Files
import Installation
import JSON
import Masks

/// The folders of the masks that were made, edited or saved last, newest first, wherever they are. They are kept in
/// `$XDG_CONFIG_HOME/bauta/edit.json`.
package struct RecentMasks {
    private let file: ConfigurationFile?
    private static let (key, limit) = ("masks", 12)

    /// - Parameter file: nil: nothing is kept.
    package init(_ file: ConfigurationFile? = ConfigurationFile(named: "edit.json")) { self.file = file }

    /// Reads the file: the folders that still have a mask.
    package var folders: [FilePath] {
        let kept = (try? file?.read())?[Self.key]?.elements.prefix(Self.limit).compactMap(\.string) ?? []
        var folders: [FilePath] = []
        for path in kept where path.hasPrefix("/") {
            let folder = FilePath(path)
            if !folders.contains(folder), (folder / MaskLoader.manifestName).exists { folders.append(folder) }
        }
        return folders
    }

    /// Puts a folder in front. A name that is not UTF-8 is not kept; nor is anything if the file cannot be written, because
    /// nobody would want to be told.
    package func note(_ folder: FilePath) {
        guard let folder = folder.resolved, folder.string != nil else { return }
        let all = [folder] + folders.filter { $0 != folder }
        let texts = JSONValue.array(all.prefix(Self.limit).compactMap(\.string).map { .string($0) })
        try? file?.update { $0[Self.key] = texts }
    }
}
