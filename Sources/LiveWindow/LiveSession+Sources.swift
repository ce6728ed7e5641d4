import Files
import ImageFiles
import Masking

/// What the user drops on the window, and cameras of the panel: other masks, other sources.
extension LiveSession {
    /// Does what is obvious with a file or a folder, and says it.
    func take(dropped path: FilePath) {
        do {
            if Folder.exists(path) {
                if (path / "mask.json").exists {
                    try masks.wear(folder: path)
                    showMaskName()
                } else {
                    try use(.pictures(path))
                }
            } else if path.fileExtension == "bauta" {
                try masks.wear(package: path)
                showMaskName()
                messages.say("\(masks.current.name) is worn. To install it, open the panel (Tab)")
            } else if PictureHeader(path: path) != nil || PictureFormat.isPictureName(path) {
                try masks.wear(portrait: path.text(), finder: portraits.finder())
                showMaskName()
            } else {
                try use(.clip(path))
            }
        } catch {
            messages.say("\(error)", isAlarm: true)
        }
    }

    /// Replaces the source by a camera. If that fails, the window shows the error and the old source continues.
    func use(_ camera: CameraList.Entry, mode: CameraList.Mode? = nil) {
        do {
            try use(.camera(camera.path), mode: mode)
            self.camera = (camera.path, mode)
        } catch {
            messages.say("\(error)", isAlarm: true)
        }
    }

    private func use(_ input: SourceOptions.Input, mode: CameraList.Mode? = nil) throws {
        var settings = settings
        settings.source.input = input
        switch input {
        case .clip(let path):
            InputFiles.protect(path)
            settings.source.isPaced = true
            settings.source.size = nil
            // Outputs that run take no other size.
            if outputs.isRunning, let last { settings.source.size = (last.width, last.height) }
        case .pictures(let folder):
            // Each has its own size.
            if outputs.isRunning {
                return messages.say(
                    "\(folder.name): not shown, because what is being recorded or streamed has another size",
                    isAlarm: true)
            }
            for name in Folder.entries(of: folder) ?? [] { InputFiles.protect(folder / name) }
        case .camera, .drawn:
            if outputs.isRunning, let last { settings.source.size = (last.width, last.height) }
            if let mode { (settings.source.size, settings.source.rate) = ((mode.width, mode.height), mode.rate) }
        }
        let source = try LiveSource(
            settings, reference: reference, controls: source.controls, secondsBefore: lastSeconds,
            isPaused: source.isPaused, log: log)
        replaceSource(with: source)
        camera = nil
        messages.say("Source: \(source.description.name)")
    }
}
