import Clips
import FileDialogs
import Files
import ImageFiles
import Installation
import LiveWindow

/// Lets the user choose photographs: in the desktop's dialog, or in the window's own where the desktop has none.
final class PhotographChooser {
    /// The window's own.
    let dialog = FileDialog()
    private let desktop: FileChooser
    private let folder = LastFolder(.photographs)

    init() { desktop = FileChooser(remembering: folder) }

    /// - Parameter take: is given what is chosen in the window's own dialog.
    func ask(take: @escaping (FilePath) -> Void) {
        if FileChooser.isInstalled {
            desktop.ask(title: "Photographs", several: true)
            return
        }
        let request = FileDialog.Request(
            title: "Photographs", button: "open", kind: "photographs", lists: PictureFormat.isReadableName,
            folderButton: "all of this folder"
        ) { [folder] path in
            folder.note(path)
            take(path)
        }
        dialog.open(request, at: folder.path ?? UserFolders.pictures ?? FileDialog.start)
    }

    /// What is chosen in the desktop's dialog, once.
    func takeAnswer() -> FileChooser.Answer? { desktop.takeAnswer() }

    func stop() { desktop.stop() }
}
