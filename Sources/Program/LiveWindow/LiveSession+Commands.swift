import Clips
import Display
import FaceTracking
import Files
import JSON
import LiveControl
import SourceSelection
import Threads

/// The one place that carries out what the user and other programs ask for.
extension LiveSession {
    private var masks: LiveMasks { compositor.masks }

    /// Carries out what the user asks for; what is refused is said.
    func perform(_ command: SessionCommand) {
        switch execute(command) {
        case .reply(.refused(let reason)): view.say(reason, isAlarm: true)
        case .later(.snapshot):
            pending.snapshot()
            sayIfNothingIsShown()
        case .reply, .later: break
        }
    }

    /// Carries out what other programs ask for. To be called for each frame.
    func serveRequests() {
        pending.serve {
            execute(.control($0))
        } reply: {
            reply(to: $0)
        } refusal: {
            playback.source.isPaused ? "the session is paused" : "the source has delivered no picture yet"
        }
    }

    /// - Returns: the answer to the requesting program.
    private func execute(_ command: SessionCommand) -> PendingRequests.Answer {
        if compositor.cover != nil, command.needsMasks { return .reply(.refused(Self.noMasks)) }
        switch command {
        case .control(let command): return execute(command)
        case .askToQuit:
            if outputs.isRecording || outputs.isMakingGIF {
                view.askToQuit()
            } else {
                isRunning = false
            }
        case .load(let path, let asSource): load(path, asSource: asSource)
        case .loadPictures(let paths): load(pictures: paths)
        case .show(let action): show(action)

        case .wear(index: let index): return wear(index)
        case .wearAtPlace(let place):
            if masks.list.order.indices.contains(place - 1) { return wear(masks.list.order[place - 1]) }
        case .tryOn(let index): masks.tryOn(outputs.areWanted ? nil : index)
        case .setGalleryList(let isList): choices.preferences.listsMasks = isList
        case .toggleFavourite(let index): masks.toggleFavourite(index)
        case .chooseMask:
            if chooser.ask(title: "A mask: its mask.json, or its .bauta file") { choosesSource = false }
        case .installMask: installMask()
        case .setFade(let seconds): compositor.fade = seconds
        case .setOpacity(let opacity): compositor.opacity = opacity
        case .setFaces(let faces): compositor.faces = faces
        case .setWhenLost(let policy):
            compositor.whenLost = policy
            playback.source.controls.findsUntrackedFaces = compositor.findsUntrackedFaces
        case .setRenderer(let choice):
            do {
                try compositor.draw(with: choice)
                choices.preferences.devices.renderer = choice
                view.say("Renderer: \(compositor.renderer.rendererDescription)")
            } catch {
                view.say("\(error)", isAlarm: true)
            }

        case .setBackground(let choice): setBackground(choice)
        case .chooseBackground: background.chooser.ask(title: "The background")

        case .setSmoothing(let strength): playback.source.controls.smoothing = strength
        case .setSmallestFace(let share):
            let smallest = settings.smallestFace(wanted: share, ofHeight: pictureHeight)
            playback.setSmallestFace(.share(smallest))
            choices.preferences.smallestFace = smallest
        case .setDetector(let detector):
            playback.source.controls.changeModels { $0.detector = detector }
            choices.preferences.devices.detector = detector
        case .setLandmarks(let choice):
            playback.source.controls.changeModels { $0.landmarks = choice }
            choices.preferences.devices.landmarks = choice == .auto ? nil : choice

        case .fetchNetworks(.fetch): loader.networks.start()
        case .fetchNetworks(.cancel): loader.networks.cancel()

        case .pause(let change): playback.source.pause(change.applied(to: playback.source.isPaused))
        case .useCamera(let camera, let mode): use(camera, mode: mode)
        case .updateDevices: devices.update()
        case .setFolder(let folder):
            outputs.folders = folders(chosen: folder)
            choices.preferences.devices.folder = folder
        case .openFolder: outputs.openFolder()
        case .saveLastSeconds:
            // Those before it show the room.
            guard restoreBackground() else {
                outputs.saveLastSeconds()
                break
            }
            if !cover.isOn { view.say("Your background is back; from now on the last seconds can be saved") }
        case .setSavesGIF(let saves):
            outputs.recent?.savesGIF = saves
            choices.preferences.devices.savesGIF = saves
        case .setVertical(let isVertical):
            outputs.crop = isVertical ? newCrop : nil
            choices.preferences.devices.isVertical = isVertical
        case .setRecordsMicrophone(let records):
            outputs.recordsMicrophone = records
            choices.preferences.devices.recordsMicrophone = records
        case .setMicrophone(let name):
            outputs.microphone = name
            choices.preferences.devices.microphone = name
        case .setHearing(let input): sound.input = input
        case .setVirtualCamera(let device):
            setVirtualCamera(device)
            choices.preferences.devices.virtualCamera = device?.text
        case .makeVirtualCamera(let isKept): devices.makeVirtualCamera(isKept: isKept)

        case .bindKey(let key, let command): bind(key, to: command)
        case .bindGesture(let gesture, let command): choices.preferences.gestures[gesture] = command
        case .setHandsFree(let isOn):
            handsFree.set(isOn: isOn)
            choices.preferences.isHandsFree = isOn
        case .setPointing(let isPointing):
            if handsFree.hasPointer, !isPointing { view.say("The nose no longer points") }
            handsFree.set(wantsPointer: isPointing)
            choices.preferences.isPointing = isPointing
        case .calibratePointer: handsFree.set(wantsPointer: true)
        case .takeBackGesture: _ = takeBackGesture()

        case .mirror(let change):
            view.isMirrored = change.applied(to: view.isMirrored)
            view.say(view.isMirrored ? "Mirrored" : "Not mirrored")
            if playback.source.description.isMirrored {
                choices.preferences.mirrorsCameras = view.isMirrored
            } else {
                choices.preferences.mirrorsOthers = view.isMirrored
            }
        case .showMesh(let change): view.showsMesh = change.applied(to: view.showsMesh)
        case .keepScale(let scale): choices.preferences.scale = scale
        case .dismiss: _ = takeBackGesture()
        // The window does these.
        case .wearFirstFound, .moveInGallery, .chooseKey, .showPanel, .showStartPage, .searchMasks, .toggleHelp,
            .toggleFullScreen, .enlarge:
            break
        }
        return .done()
    }

    private static let noMasks = "All faces are covered (--anonymise); no mask is drawn"

    private func execute(_ command: ControlCommand) -> PendingRequests.Answer {
        switch command {
        case .wear(let name):
            guard let index = masks.list.entries.firstIndex(where: { $0.name == name }) else {
                return .reply(.refused("there is no mask '\(name)'; 'masks' lists them"))
            }
            return wear(index)
        case .next: return wear(masks.list.index(behind: 1))
        case .previous: return wear(masks.list.index(behind: -1))
        case .mask(let change):
            // Everything else goes on.
            compositor.isOff = !change.applied(to: !compositor.isOff)
            view.say(compositor.isOff ? "The mask is off" : masks.current.name)
        case .cover(let change):
            cover.set(isOn: change.applied(to: cover.isOn))
            // Who covers does not want kept what was shown before.
            if cover.isOn { outputs.forgetShown(until: playback.lastSeconds) }
        case .record(let change):
            guard change.applied(to: outputs.isRecording) != outputs.isRecording else {
                return .done(outputs.recordingName ?? "")
            }
            guard !outputs.isRecording else {
                outputs.stopRecording()
                return .later(pending.wantsRecording ? .recordingStarts : .recordingIsComplete)
            }
            pending.startRecording()
            sayIfNothingIsShown()
            return .later(.recordingStarts)
        case .snapshot: return .later(.snapshot)
        case .masks: return .done(JSONValue.array(masks.list.entries.map { .string($0.name) }).text())
        case .status: return .done(status.text())
        case .quit: isRunning = false
        }
        return .done()
    }

    /// - Returns: nil: what the command waits for has not happened yet.
    private func reply(to event: PendingRequests.Event) -> ControlReply? {
        switch event {
        // The frame that is saved answers it.
        case .snapshot: return nil
        case .recordingStarts:
            if let name = outputs.recordingName { return .done(name) }
            let mayCome = pending.wantsRecording || outputs.isRecording || outputs.isCompletingRecording
            return mayCome ? nil : .refused(view.messages.current?.text ?? "it has failed")
        case .recordingIsComplete:
            if outputs.isCompletingRecording { return nil }
            return outputs.recordingFailure.map { .refused($0) } ?? .done()
        case .mask(let index):
            // Where another mask has been chosen since, this one has been chosen all the same.
            if index == masks.index, masks.isLoading { return nil }
            let entry = masks.list.entries[index]
            return entry.error.map { .refused($0) } ?? .done(entry.name)
        }
    }

    private var status: JSONValue {
        let source = playback.source
        return .object([
            "mask": .string(masks.current.name), "maskIsOn": .bool(switches.isMaskOn), "isCovered": .bool(cover.isOn),
            "recording": outputs.recordingName.map { .string($0) } ?? .null, "isPaused": .bool(source.isPaused),
            "isHandsFree": .bool(handsFree.isOn),
            "source": .string(source.description.name), "hasEnded": .bool(source.status.hasEnded),
            "frames": .integer(playback.frameCount),
            "framesPerSecond": .real((10 * statistics.last.framesPerSecond).rounded() / 10),
            "waiting": source.status.waiting.map { .string($0) } ?? .null,
        ])
    }

    private func sayIfNothingIsShown() {
        if playback.frameCount == 0 { view.say("There is no picture yet. It starts with the first one.") }
    }

    // MARK: Masks

    private func wear(_ index: Int) -> PendingRequests.Answer {
        masks.choose(index)
        showMaskName()
        return .later(.mask(index))
    }

    /// Says which mask is worn. One that is being loaded is not yet: the window says so.
    func showMaskName() {
        if masks.isLoading { return }
        view.showTitle(masks.current.name)
        view.say(masks.current.name)
    }

    /// Installs the current mask if it is a packed one.
    private func installMask() {
        guard let package = masks.current.package else { return }
        loader.load(masks.current.name) { [masks = masks.droppedLoader, data = masks.data] in
            try LiveMasks.install(package, masks, in: data.ownMasks())
        } finish: { [unowned self] result in
            do {
                let name = try result.get()
                masks.note(package, installedAs: name)
                view.say("Installed as \(name)")
            } catch {
                view.say("\(error)", isAlarm: true)
            }
        }
    }

    // MARK: Other masks and sources

    /// The part that recordings show from now on. During a pause, no further frame says where the face is.
    private var newCrop: VerticalCrop {
        var crop = VerticalCrop()
        if let held = playback.held {
            crop.follow(
                held.frame.middleOfLargestFace,
                mask: held.frame.trackOfLargestFace.flatMap { compositor.columnsOfMask(onTrack: $0) },
                in: (held.frame.pixels.width, held.frame.pixels.height), isCut: true,
                at: held.frame.seconds ?? 0)
        }
        return crop
    }

    /// How other sources are opened now.
    private var opening: SourceOpening {
        let size =
            outputs.isRunning ? playback.last.map { SourceOpening.OutputSize(width: $0.width, height: $0.height) } : nil
        let source = playback.source
        return SourceOpening(
            reference: masks.reference, models: source.controls.models, options: settings.source, size: size,
            loaded: source.prepared, log: log)
    }

    /// Begins to load what has been dropped, and does what is obvious with it then. While there is no picture to wear a mask
    /// on, or a photograph wears it, another photograph is to wear it, unless the user chooses masks in the panel; otherwise it
    /// becomes a mask.
    /// - Parameter asSource: whether a photograph is to wear a mask in any case.
    private func load(_ path: FilePath, asSource: Bool) {
        var showsPhotographs = asSource || startPage != nil
        switch playback.input.source {
        case .pictures, .several: if !view.isPanelOpen { showsPhotographs = true }
        case .camera, .clip, .drawn, .drawnPerson: break
        }
        let drop = Drop(
            path: path, masks: masks.droppedLoader, opening: opening, showsPhotographs: showsPhotographs)
        loader.load(path.name.description, drop.load) { [unowned self] result in
            do {
                switch try result.get() {
                case .mask where compositor.cover != nil: view.say(Self.noMasks, isAlarm: true)
                case .mask(let mask):
                    masks.wear(mask)
                    showMaskName()
                    if mask.package != nil {
                        view.say("\(masks.current.name) is on. To install it, open the panel (Tab)")
                    } else if mask.folder == nil {
                        view.say(
                            "The face of \(path.name) is a mask in this session; 'bauta mask new NAME --from FILE' keeps it"
                        )
                    }
                case .source(let input, let prepared): try use(prepared, from: input)
                }
            } catch {
                refuse(error)
            }
        }
    }

    private func load(pictures paths: [FilePath]) {
        let input = SourceOptions.Input.several(paths)
        loader.load(input.name) { [opening] in
            try Drop.check(pictures: paths)
            return try opening.source(input)
        } finish: { [unowned self] result in
            do {
                try use(try result.get(), from: input)
            } catch {
                refuse(error)
            }
        }
    }

    /// Says what cannot be opened.
    func refuse(_ error: any Error) {
        let notice = ErrorNotice(error)
        // Where messages are printed, the details say it all.
        view.messages.say(notice.text, isAlarm: true, printing: notice.details)
        if let details = notice.details, view.messages.echo == nil { log(details) }
    }

    /// The next frame starts it, and says so if it is missing.
    private func setVirtualCamera(_ device: VirtualCameraChoice?) {
        outputs.endVirtualCamera(isWanted: false, reason: nil)
        do {
            outputs.virtualCamera = try device == .auto ? device?.checked() : device
        } catch {
            view.say("\(error)", isAlarm: true)
        }
    }

    /// Replaces the source by a camera once that has been prepared. If that fails, the window shows the error and the old
    /// source continues.
    /// - Parameter mode: nil: what cameras are asked for by themselves.
    private func use(_ camera: DeviceList.Entry, mode: LiveDevices.CameraMode?) {
        let name = devices.found.name(of: camera)
        open(.camera(camera.path), named: camera.name, mode: mode) { [unowned self] in
            (choices.preferences.devices.camera, choices.preferences.devices.cameraMode) = (name, mode)
        }
    }

    /// Replaces the source, likewise.
    /// - Parameter opened: is called then.
    private func open(
        _ input: SourceOptions.Input, named name: String, mode: LiveDevices.CameraMode? = nil,
        opened: @escaping () -> Void = {}
    ) {
        loader.load(name) { [opening] in
            try opening.source(input, mode: mode)
        } finish: { [unowned self] result in
            do {
                try use(try result.get(), from: input, mode: mode)
                opened()
            } catch {
                refuse(error)
            }
        }
    }

    // MARK: The start page

    /// Nil: there is a picture to show.
    var startPage: StartPage? {
        guard view.hasWindow, !playback.source.isPaused else { return nil }
        let (source, found) = (playback.source, devices.found)
        return StartPage(
            source.status, of: playback.input.source, name: source.description.name,
            secondsWithoutFrame: playback.secondsWithoutFrame, cameras: found.cameras, unusable: found.unusable,
            missed: missedFaces)
    }

    /// Of the clip that has ended; nil also where masks on smaller ones cannot be had.
    private var missedFaces: MissedFaces? {
        guard wantsSmallerFacesCounted, playback.isClip else { return nil }
        let canSearchSmaller = smallerFace < 0.99 * smallestFace
        let count = canSearchSmaller ? playback.mostSmallerFaces : 0
        if count > 0 { return .smaller(count) }
        return playback.hasFaces ? nil : .everyFace(canSearchSmaller: canSearchSmaller)
    }

    /// In picture heights.
    private var smallestFace: Float {
        (playback.source.controls.smallestFace ?? settings.smallestFace).share(ofHeight: pictureHeight)
    }

    /// What is looked for next: those that were counted, and a little smaller ones.
    private var smallerFace: Float { max(0.03, 0.7 * SearchSchedule.countedFace(below: smallestFace)) }

    private func show(_ action: StartPage.Action) {
        switch action {
        case .useCamera(let camera): use(camera, mode: nil)
        case .wearOnDrawnFace: open(.drawn, named: "the drawn face")
        case .chooseFile: if chooser.ask(title: "A clip or pictures", several: true) { choosesSource = true }
        case .tryAgain:
            devices.update()
            open(playback.input.source, named: playback.source.description.name, mode: playback.input.mode)
        case .maskSmallerFaces:
            // In this clip only: smaller faces take more time.
            playback.setSmallestFace(
                .share(settings.smallestFace(wanted: smallerFace, ofHeight: pictureHeight)),
                elsewhere: playback.smallestFace(elsewhereOr: settings.smallestFace))
            show(.tryAgain)
        }
    }

    /// Shows the file that the user has chosen. To be called for each frame.
    func takeChosenFile() {
        switch chooser.takeAnswer() {
        case nil: break
        case .chosen(let paths) where choosesSource && paths.count > 1: load(pictures: paths)
        case .chosen(let paths): if let path = paths.first { load(path, asSource: choosesSource) }
        case .failed(let reason): view.say(reason, isAlarm: true)
        }
    }

    private func use(
        _ prepared: LiveSource.Prepared, from input: SourceOptions.Input, mode: LiveDevices.CameraMode? = nil
    ) throws(NoThread) {
        let source = LiveSource(
            prepared, smallestFace: settings.smallestFace, reference: masks.reference,
            controls: playback.source.controls, covering: settings.covering, secondsBefore: playback.lastSeconds,
            isPaused: playback.source.isPaused)
        try playback.replaceSource(with: source, from: input, mode: mode)
        view.isMirrored = isSourceMirrored
        compositor.changeSource(isLive: source.description.isLive)
        background.emptiness.forget()
        if handsFree.isOn { handsFree.set(isOn: true) }
        // Its name does not tell whether the mask was on.
        let isOwn = if case .clip(let path) = input { TimedName.isOwn(path) } else { false }
        let hint = isOwn ? ". Bauta recorded it: it may show a mask already." : ""
        view.say("Source: \(source.description.name)\(hint)")
    }

    // MARK: Keys and gestures

    /// A key without a meaning gets a command. Escape changes nothing, Delete takes the command from its keys.
    private func bind(_ key: WindowEvent.Key, to command: ControlCommand) {
        switch key {
        case .escape: view.say("No key was changed")
        case .delete:
            for key in choices.preferences.keys.keys(of: command) { choices.preferences.keys.set(key, nil) }
            view.say("'\(command.line)' has no key")
        default:
            guard let name = key.name else { return view.say("This key cannot be changed", isAlarm: true) }
            if let objection = KeyBindings.objection(to: key, command) {
                return view.say("\(name) cannot be changed: \(objection)", isAlarm: true)
            }
            if let effect = KeyMeaning.effect(of: key) {
                return view.say("\(name) is the key for '\(effect)'. Choose another key.", isAlarm: true)
            }
            choices.preferences.keys.set(key, command)
            view.say("\(name): \(command.line)")
        }
    }

    /// - Returns: whether a gesture was about to do something; now it is not.
    private func takeBackGesture() -> Bool { sayCancelled(handsFree.takeBack()) }

    /// No frame comes in which a gesture could go on.
    func restGestures() { _ = sayCancelled(handsFree.rest()) }

    private func sayCancelled(_ command: ControlCommand?) -> Bool {
        guard let command else { return false }
        view.say("Cancelled: \(switches.title(of: command))")
        return true
    }
}
