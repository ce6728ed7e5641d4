import Clips
import Display
import FileDialogs
import Files
import ImageFiles
import Installation
import Masks

/// The window's own dialog for masks, sources and backgrounds. It is shown where the desktop has none.
final class LiveFileDialog {
    let dialog = FileDialog()
    private let (sources, backgrounds): (LastFolder, LastFolder)

    init(sources: LastFolder, backgrounds: LastFolder) { (self.sources, self.backgrounds) = (sources, backgrounds) }

    /// Opens the dialog for a command to let the user choose a file.
    /// - Parameter send: is given the command that makes use of the file.
    /// - Returns: false: the command is another one, or the desktop has a dialog for it.
    func open(for command: SessionCommand, send: @escaping (SessionCommand) -> Void) -> Bool {
        guard !FileChooser.isInstalled else { return false }
        switch command {
        case .chooseMask:
            open("A mask: its mask.json, or its .bauta file", "wear", kind: "masks", sources) {
                $0.name == MaskLoader.manifestName || $0.fileExtension == "bauta"
            } take: {
                send(.load($0))
            }
        case .show(.chooseFile):
            open(
                "A clip or pictures", "open", kind: "clips or pictures",
                folderButton: .init("all pictures of this folder", depth: 1, takes: PictureFormat.isReadableName),
                sources, lists: FirstFrame.isClipOrPicture, isLast: TimedName.isOwn
            ) {
                send(.load($0, asSource: true))
            } takeSeveral: {
                send(.loadPictures($0))
            }
        case .chooseBackground:
            open(
                "The background: a picture or a clip", "choose", kind: "pictures or clips", backgrounds,
                lists: FirstFrame.isClipOrPicture
            ) {
                send(.setBackground(.picture($0)))
            }
        default: return false
        }
        return true
    }

    private func open(
        _ title: String, _ button: String, kind: String, folderButton: FileDialog.FolderButton? = nil,
        _ folder: LastFolder, lists: @escaping (FilePath) -> Bool = { _ in true },
        isLast: @escaping (FilePath) -> Bool = { _ in false }, take: @escaping (FilePath) -> Void,
        takeSeveral: (([FilePath]) -> Void)? = nil
    ) {
        let request = FileDialog.Request(
            title: title, button: button, kind: kind, lists: lists, isLast: isLast, preview: FirstFrame.read,
            folderButton: folderButton,
            takeSeveral: takeSeveral.map { take in
                { paths in
                    if let first = paths.first { folder.note(first) }
                    take(paths)
                }
            }
        ) { path in
            folder.note(path)
            take(path)
        }
        dialog.open(request, at: folder.path ?? FileDialog.start)
    }
}
