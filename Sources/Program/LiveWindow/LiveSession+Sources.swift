import Clips
import Files
import SourceSelection
import Threads

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

    /// Begins to load what has been dropped, and does what is obvious with it then.
    func load(dropped path: FilePath) {
        let size = outputs.isRunning ? last.map { Drop.OutputSize(width: $0.width, height: $0.height) } : nil
        let drop = Drop(
            path: path, masks: masks.droppedLoader, models: source.controls.models, options: settings.source,
            size: size, loaded: source.prepared, log: log)
        loader.load(path.name.description, drop.load) { [unowned self] result in
            do {
                try take(try result.get())
            } catch {
                messages.say("\(error)", isAlarm: true)
            }
        }
    }

    private func take(_ content: Drop.Content) throws(NoThread) {
        switch content {
        case .mask(let mask):
            masks.wear(mask)
            showMaskName()
            if mask.package != nil {
                messages.say("\(masks.current.name) is worn. To install it, open the panel (Tab)")
            }
        case .source(let input, let prepared): try use(prepared, from: input)
        }
    }

    /// Replaces the source by a camera once that has been prepared. If that fails, the window shows the error and the old
    /// source continues.
    /// - Parameter mode: nil: what cameras are asked for by themselves.
    func use(_ camera: DeviceList.Entry, mode: LiveDevices.CameraMode?) {
        var options = settings.source
        let name = devices.found.name(of: camera)
        options.input = .camera(camera.path)
        if let mode { (options.size, options.rate) = ((mode.width, mode.height), mode.rate) }
        if outputs.isRunning, let last { options.size = (last.width, last.height) }
        let (models, loaded) = (source.controls.models, source.prepared)
        loader.load(camera.name) { [options, reference, log] in
            try LiveSource.Prepared(options, models: models, reference: reference, loaded: loaded, log: log)
        } finish: { [unowned self] result in
            do {
                try use(try result.get(), from: .camera(camera.path))
                input.mode = mode
                (preferences.devices.camera, preferences.devices.cameraMode) = (name, mode)
            } catch {
                messages.say("\(error)", isAlarm: true)
            }
        }
    }

    private func use(_ prepared: LiveSource.Prepared, from input: SourceOptions.Input) throws(NoThread) {
        try replaceSource(
            with: LiveSource(
                prepared, smallestFace: settings.smallestFace, reference: reference, controls: source.controls,
                secondsBefore: lastSeconds, isPaused: source.isPaused))
        self.input = (input, nil)
        messages.say("Source: \(source.description.name)")
    }

    /// Installs the current mask if it is a packed one.
    func installMask() {
        guard let package = masks.current.package else { return }
        loader.load(masks.current.name) { [masks = masks.droppedLoader, data] in
            try LiveMasks.install(package, masks, in: data.ownMasks())
        } finish: { [unowned self] result in
            do {
                let name = try result.get()
                masks.note(package, installedAs: name)
                messages.say("Installed as \(name)")
            } catch {
                messages.say("\(error)", isAlarm: true)
            }
        }
    }
}
