/// Why the program's data cannot be used. The description is a sentence for the user.
package enum DataFolderError: Error, CustomStringConvertible {
    /// There is no data folder near the program.
    case notFound
    /// The environment variable `BAUTA_DATA` names a folder without the data.
    case wrongVariable(path: String)
    /// A caller names a folder without the data.
    case notADataFolder(path: String)
    /// A file in it, or the folder `face`, has an unexpected content.
    case damaged(path: String, reason: String)
    /// There is neither a mask of that name nor a folder of that path.
    case unknownMask(name: String, installed: [String])
    /// Several masks have that name, if upper and lower case do not matter.
    case ambiguousMask(name: String, fitting: [String])

    package var description: String {
        switch self {
        case .notFound:
            "the folders face, masks, samples and shaders were not found near the program; set BAUTA_DATA to the folder that "
                + "contains them: a clone of Bauta's repository, or share/bauta of its package"
        case .wrongVariable(let path): "\(path): is not Bauta's data folder; BAUTA_DATA names it"
        case .notADataFolder(let path):
            "\(path): is not Bauta's data folder, which has face/reference.pts and shaders"
        case .damaged(let path, let reason): "\(path): \(reason)"
        case .unknownMask(let name, let installed):
            "there is no mask and no folder '\(name)'. Masks: \(installed.joined(separator: ", "))"
        case .ambiguousMask(let name, let fitting):
            "'\(name)' may be one of several masks: \(fitting.joined(separator: ", ")). Use one of these names"
        }
    }
}
