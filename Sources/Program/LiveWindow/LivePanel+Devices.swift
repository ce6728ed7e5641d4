import Cameras
import Display
import Files
import PipeWire
import SourceSelection

/// Cameras, microphones, virtual cameras and recordings.
extension LivePanel {
    func chooseCamera(_ panels: Panels, _ settings: LiveState.Panel, _ send: Send) {
        panels.heading("Camera", icon: .camera)
        let (devices, found) = (settings.devices, settings.devices.found)
        var current: Int?
        if case .camera(let wanted) = devices.input { current = found.camera(wanted) }
        // A clip may be shown, or nothing.
        let none = [(label: "None is used", value: Int?.none)]
        let names =
            (current == nil ? none : [])
            + found.cameras.indices.map {
                (label: "\(found.cameras[$0].name)  \(found.cameras[$0].path)", value: Optional($0))
            }
        if found.cameras.isEmpty {
            panels.text("No camera is plugged in.")
            return lookAgain(panels, send)
        }
        let chosen = panels.list("camera", names, current)
        lookAgain(panels, send)
        if let chosen, chosen != current { return send(.useCamera(found.cameras[chosen], mode: nil)) }
        guard let current else { return }
        let camera = found.cameras[current]
        var modes = [(label: "Automatic", value: LiveDevices.CameraMode?.none)]
        modes += camera.modes.map { (label: $0.title, value: Optional($0)) }
        if let mode = devices.mode, !camera.modes.contains(mode) { modes.append((mode.title, mode)) }
        // An output takes frames of one size.
        panels.disabled(settings.outputs.isRunning) {
            let mode = panels.list("mode", modes, devices.mode)
            if mode != devices.mode { send(.useCamera(camera, mode: mode)) }
        }
        panels.hint(
            "The camera's frame size and rate; clips and pictures keep their own. A recording or stream keeps the size of "
                + "its first frame: until it ends, this cannot be changed.")
    }

    private func lookAgain(_ panels: Panels, _ send: Send) {
        if panels.button("look for devices again", icon: .reset) { send(.updateDevices) }
        panels.hint("Finds cameras, microphones and virtual cameras that were plugged in since the panel was opened.")
    }

    /// Near the top: one looks for them often. In a small window the masks come into sight below a row of icons.
    func takePictures(_ panels: Panels, isRecording: Bool, _ folders: LiveFolders, _ send: Send) {
        // Where there is neither room nor a font of icons, a short label keeps all buttons, and the masks below, in sight.
        func button(
            _ label: String, short: String, _ icon: Icon, isFirst: Bool = false, _ hint: String,
            _ command: SessionCommand
        ) {
            if !isFirst { hasRoom ? panels.sameLine(ifRoomFor: label) : panels.sameLine() }
            if hasRoom ? panels.button(label, icon: icon) : panels.button(icon, short) { send(command) }
            panels.hint(hint)
        }
        button(
            "snapshot (S)", short: "S", .camera, isFirst: true,
            "S: saves the picture in the window to \(folders.snapshots)",
            .control(.snapshot))
        button(
            isRecording ? "stop (R)" : "record (R)", short: isRecording ? "stop" : "R", isRecording ? .stop : .record,
            "R: saves the picture in the window as a video to \(folders.recordings)", .control(.record(.toggle)))
        button(
            "save the last 10 s (G)", short: "G", .save,
            "G: saves what has just been shown, at most 1280 × 720 pixels, without sound, to \(folders.recordings)",
            .saveLastSeconds)
        button(
            "open clip or pictures … (O)", short: "O", .folder,
            "O: shows a clip, a picture or a folder of pictures with masks",
            .show(.chooseFile))
        button(
            "start page", short: "start", .room, "Cameras, the drawn face and files to show instead", .showStartPage)
    }

    func chooseRecording(_ panels: Panels, _ outputs: LiveState.Panel.Outputs, _ send: Send) {
        panels.heading("Recordings", icon: .videoCamera)
        let shown = folder ?? outputs.folders.recordings.description
        let typed = panels.field("folder", shown, limit: 4000)
        panels.hint("For recordings and snapshots. A missing folder is created.")
        if panels.button("open folder", icon: .folder) { send(.openFolder) }
        panels.hint("Shows what was saved last in \(outputs.folders.last)")
        panels.disabled(outputs.isRunning) {
            let isVertical = panels.checkbox("portrait format, 9:16", outputs.isVertical)
            if isVertical != outputs.isVertical { send(.setVertical(isVertical)) }
        }
        panels.hint(
            "Recordings show a part around the largest face and its mask: the window darkens the rest. Move back if the mask "
                + "does not fit.")
        if let size = outputs.recordedSize { panels.text("Recordings have \(size.width) × \(size.height) pixels.") }
        let savesGIF = panels.checkbox("the last 10 s also as a GIF", outputs.savesGIF)
        panels.hint("It has at most 480 × 360 pixels. To make it takes much longer than the video.")
        if savesGIF != outputs.savesGIF { send(.setSavesGIF(savesGIF)) }
        if typed != shown {
            folder = typed
            send(.setFolder(typed.isEmpty ? nil : typed))
        }
    }

    func chooseSound(_ panels: Panels, _ settings: LiveState.Panel, _ state: LiveState, _ send: Send) {
        panels.heading("Sound", icon: .microphone)
        let sound = settings.sound
        let records = panels.checkbox("record the microphone", state.recordsMicrophone)
        panels.hint("In recordings that start after this.")
        if records != state.recordsMicrophone { send(.setRecordsMicrophone(records)) }
        if state.coversFaces {
            if records { chooseMicrophone(panels, settings, send) }
            return
        }
        var inputs: [(label: String, value: SoundInput?)] = [
            ("None", SoundInput.none), ("The microphone", .microphone),
        ]
        if settings.devices.isClip {
            inputs.append(("The clip's, for all masks", .clip))
            inputs.append(("The clip's, if a mask reacts", nil))
        } else if sound.input == nil || sound.input == .clip {
            inputs[0].value = sound.input
        }
        let input = panels.list("sound", inputs, sound.input)
        if input != sound.input { send(.setHearing(input)) }
        panels.hint("What masks that react to sound listen to. No mask can turn the microphone on.")
        if records || input == .microphone { chooseMicrophone(panels, settings, send) }
        if let heard = sound.heard {
            panels.level("loudness", heard.loudness, text: "")
            panels.level("beat", heard.beat, text: "")
        }
    }

    private func chooseMicrophone(_ panels: Panels, _ settings: LiveState.Panel, _ send: Send) {
        let current = settings.outputs.microphone
        var names = [(label: "Default", value: String?.none)]
        names += settings.devices.found.microphones.map { ($0.title, Optional($0.name)) }
        if let name = current, !names.contains(where: { $0.value == name }) {
            names.append((label: "\(name) (not found)", value: name))
        }
        let chosen = panels.list("microphone", names, current)
        if chosen != current { send(.setMicrophone(chosen)) }
        guard let microphone = settings.sound.microphone else { return }
        if let trouble = microphone.trouble {
            panels.alarm(trouble)
        } else {
            panels.level("level", microphone.level, text: microphone.level >= 1 ? "Too loud" : "")
        }
    }

    func chooseVirtualCamera(_ panels: Panels, _ settings: LiveState.Panel, _ send: Send) {
        panels.heading("Virtual camera", icon: .broadcast)
        let found = settings.devices.found
        var names = found.hasPipeWire ? [(label: "PipeWire", value: VirtualCameraChoice.pipeWire)] : []
        names += found.virtualCameras.map { ("\($0.name)  \($0.path)", .device(FilePath($0.path))) }
        let current = settings.outputs.virtualCamera
        for other in [current, virtualCamera].compactMap({ $0 }) where !names.contains(where: { $0.value == other }) {
            names.append((label: other == .pipeWire ? "PipeWire (not found)" : other.text ?? "", value: other))
        }
        if let device = current ?? virtualCamera ?? names.first?.value {
            let isOn = panels.checkbox("write to the virtual camera", current != nil)
            panels.hint("Other programs list it as a camera. Programs without PipeWire need a device (v4l2loopback).")
            let chosen = panels.list("through", names, device)
            virtualCamera = chosen
            if isOn != (current != nil) || (isOn && chosen != current) {
                send(.setVirtualCamera(isOn ? chosen : nil))
            }
        } else {
            panels.text("There is none yet: set it up below.")
        }
        panels.section("Set up virtual camera") { setUpVirtualCamera(panels, found, send) }
    }

    private func setUpVirtualCamera(_ panels: Panels, _ found: DeviceList.Found, _ send: Send) {
        let programs = found.callPrograms.isEmpty ? CallProgram.all : found.callPrograms
        panels.text(found.callPrograms.isEmpty ? "What programs see:" : "What the programs here see:")
        for program in programs { panels.text("\(program.name): \(program.sees)") }
        if let device = found.virtualCameras.first {
            panels.text("There is a device already: \(device.name)  \(device.path)")
        } else {
            panels.text("A device needs the kernel module v4l2loopback, and an administrator's permission.")
            if !found.hasPipeWire, let command = PipeWireError.notRunning.remedy {
                panels.text("Without that permission: start PipeWire ('\(command)').")
            }
        }
        // Above the button: the panel may end below it.
        switch found.making {
        case nil: break
        case .runs: panels.text("The system asks for the permission …")
        case .done(let text): panels.text(text)
        case .failed(let text): panels.alarm(text.prefix(1).uppercased() + text.dropFirst() + ".")
        }
        isDeviceKept = panels.checkbox("also after each start of the system", isDeviceKept)
        panels.hint(
            "Writes bauta-v4l2loopback.conf to /etc/modprobe.d and /etc/modules-load.d. Delete both to undo it.")
        panels.disabled(found.making == .runs || (!found.virtualCameras.isEmpty && !isDeviceKept)) {
            if panels.button("create a camera device", icon: .plus) { send(.makeVirtualCamera(isKept: isDeviceKept)) }
        }
    }
}
