import Clips
import FileDialogs
import Files
import Glibc
import ImageFiles
import Installation
import LiveWindow

/// Lets the user choose photographs: in the desktop's dialog, or in the window's own where the desktop has none.
package final class PhotographChooser {
    /// The window's own.
    let dialog = FileDialog()
    private let desktop: FileChooser
    private let folder = LastFolder(.photographs)

    /// Takes a folder with all below it, where content tells what pictures without an ending are.
    package static var folderButton: FileDialog.FolderButton {
        .init("all of this folder", depth: .max) { PictureFormat.isPictureName($0) || $0.fileExtension.isEmpty }
    }

    init() { desktop = FileChooser(remembering: folder) }

    /// - Parameter take: is given what is chosen in the window's own dialog.
    func ask(take: @escaping (FilePath) -> Void) {
        if FileChooser.isInstalled {
            desktop.ask(title: "Photographs", several: true)
            return
        }
        let request = FileDialog.Request(
            title: "Photographs", button: "open", kind: "photographs", lists: PictureFormat.isReadableName,
            folderButton: Self.folderButton,
            takeSeveral: { [folder] paths in
                if let first = paths.first { folder.note(first) }
                paths.forEach(take)
            }
        ) { [folder] path in
            folder.note(path)
            take(path)
        }
        dialog.open(request, at: folder.path ?? UserFolders.pictures ?? FileDialog.start)
    }

    /// Asks, in the window's own dialog, for the place and name of a folder for results.
    /// - Parameters:
    ///   - folder: is offered.
    ///   - take: is given a folder that is not there yet.
    func askForResultFolder(_ folder: FilePath, take: @escaping (FilePath) -> Void) {
        let request = FileDialog.Request(
            title: "A new folder for the results", button: "choose", newName: folder.name.string ?? "masked"
        ) { path in
            guard !path.exists else { throw FileError(.alreadyExists, path: path, "is there already") }
            guard path.parent.isAccessible(W_OK) else {
                throw FileError(.unwritable, path: path.parent, "nothing can be created in this folder")
            }
            take(path)
        }
        dialog.open(request, at: folder.parent)
    }

    /// What is chosen in the desktop's dialog, once.
    func takeAnswer() -> FileChooser.Answer? { desktop.takeAnswer() }

    func stop() { desktop.stop() }
}
