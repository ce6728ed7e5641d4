import Files
import Masking
import Media

/// What the user drops on the window, and cameras of the panel: other masks, other sources.
extension LiveSession {
    /// The source to start with, and what a camera is asked for.
    static func source(
        _ settings: LiveSettings, _ devices: LiveDevices
    ) -> (SourceOptions, (source: SourceOptions.Input, mode: LiveDevices.CameraMode?)) {
        var options = settings.source
        guard settings.takesLastCamera, let camera = devices.camera else { return (options, (options.input, nil)) }
        options.input = .camera(camera)
        if let mode = devices.cameraMode, options.size == nil {
            options.size = (mode.width, mode.height)
            options.rate = mode.rate
        }
        return (options, (options.input, devices.cameraMode))
    }

    /// Begins to load what has been dropped.
    func load(dropped path: FilePath) {
        let size = outputs.isRunning ? last.map { DropLoader.OutputSize(width: $0.width, height: $0.height) } : nil
        drops.add(
            DropLoader.Drop(
                path: path, masks: masks.droppedLoader, models: source.controls.models, options: settings.source,
                size: size, loaded: source.prepared, log: log))
    }

    /// Does what is obvious with what has been dropped and loaded, and says it. To be called for each frame.
    func takeLoaded() {
        guard let result = drops.next() else { return }
        do {
            switch try result.get() {
            case .mask(let mask, let folder):
                masks.wear(mask, folder: folder)
                showMaskName()
            case .package(let mask, let unpacked):
                masks.wear(mask, unpacked: unpacked)
                showMaskName()
                messages.say("\(masks.current.name) is worn. To install it, open the panel (Tab)")
            case .portrait(let mask):
                masks.wear(portrait: mask)
                showMaskName()
            case .source(let input, let prepared):
                use(prepared, from: input)
            }
        } catch {
            messages.say("\(error)", isAlarm: true)
        }
    }

    /// Replaces the source by a camera. If that fails, the window shows the error and the old source continues.
    /// - Parameter mode: nil: what cameras are asked for by themselves.
    func use(_ camera: DeviceList.Entry, mode: LiveDevices.CameraMode?) {
        var options = settings.source
        let name = devices.found.name(of: camera)
        options.input = .camera(camera.path)
        if let mode { (options.size, options.rate) = ((mode.width, mode.height), mode.rate) }
        if outputs.isRunning, let last { options.size = (last.width, last.height) }
        do {
            let prepared = try LiveSource.Prepared(
                options, models: source.controls.models, reference: reference, loaded: source.prepared, log: log)
            use(prepared, from: options.input)
            input.mode = mode
            (preferences.devices.camera, preferences.devices.cameraMode) = (name, mode)
        } catch {
            messages.say("\(error)", isAlarm: true)
        }
    }

    private func use(_ prepared: LiveSource.Prepared, from input: SourceOptions.Input) {
        switch input {
        case .clip(let path): InputFiles.protect(path)
        case .pictures(let folder):
            for name in Folder.entries(of: folder) ?? [] { InputFiles.protect(folder / name) }
        case .camera, .drawn: break
        }
        replaceSource(
            with: LiveSource(
                prepared, smallestFace: settings.smallestFace, reference: reference, controls: source.controls,
                secondsBefore: lastSeconds, isPaused: source.isPaused))
        self.input = (input, nil)
        messages.say("Source: \(source.description.name)")
    }
}
