import Cameras
import Display
import Files
import SourceSelection

/// Cameras, microphones, virtual cameras and recordings.
extension LivePanel {
    func chooseCamera(_ panels: Panels) {
        panels.heading("Camera", icon: .camera)
        let found = session.devices.found
        var current: Int?
        if case .camera(let wanted) = session.input.source { current = found.camera(wanted) }
        // What is shown until one is chosen.
        let none = [(label: session.source.description.name, value: Int?.none)]
        let names =
            (current == nil ? none : [])
            + found.cameras.indices.map {
                (label: "\(found.cameras[$0].name)  \(found.cameras[$0].path)", value: Optional($0))
            }
        let chosen = panels.list("camera", names, current)
        lookAgain(panels)
        if let chosen, chosen != current { return session.use(found.cameras[chosen], mode: nil) }
        if found.cameras.isEmpty { panels.text("No camera is plugged in.") }
        guard let current else { return }
        let camera = found.cameras[current]
        var modes = [(label: "Automatic", value: LiveDevices.CameraMode?.none)]
        modes += camera.modes.map { (label: $0.title, value: Optional($0)) }
        if let mode = session.input.mode, !camera.modes.contains(mode) { modes.append((mode.title, mode)) }
        // An output takes frames of one size.
        panels.disabled(session.outputs.isRunning) {
            let mode = panels.list("mode", modes, session.input.mode)
            if mode != session.input.mode { session.use(camera, mode: mode) }
        }
        panels.hint(
            "Size and rate of the camera; clips and pictures keep their own. They cannot be changed while something is "
                + "recorded or streamed, which has the size of its first frame.")
    }

    private func lookAgain(_ panels: Panels) {
        if panels.button("look for devices again", icon: .reset) { session.devices.update() }
        panels.hint("Cameras, microphones and virtual cameras that have been plugged in since the panel was opened.")
    }

    /// Near the top: one looks for them often.
    func takePictures(_ panels: Panels) {
        if panels.button("snapshot (S)", icon: .camera) { session.takeSnapshot() }
        panels.hint("A picture of what the window shows, in \(outputFolder)")
        let isRecording = session.outputs.isRecording
        let label = isRecording ? "stop (R)" : "record (R)"
        panels.sameLine(ifRoomFor: label)
        if panels.button(label, icon: isRecording ? .stop : .record) {
            session.toggleRecording()
        }
        panels.hint("A video with what the window shows, in \(outputFolder)")
    }

    func chooseRecording(_ panels: Panels) {
        panels.heading("Recordings", icon: .videoCamera)
        let shown = folder ?? outputFolder
        let typed = panels.field("folder", shown, limit: 4000)
        panels.hint("For recordings and snapshots. It is made when it is needed.")
        if typed != shown {
            folder = typed
            session.outputs.folder = typed.isEmpty ? "." : FilePath(typed)
            session.preferences.devices.folder = typed.isEmpty ? nil : typed
        }
    }

    func chooseSound(_ panels: Panels) {
        panels.heading("Sound", icon: .microphone)
        let outputs = session.outputs
        let records = panels.checkbox("record the microphone", outputs.recordsMicrophone)
        panels.hint("In recordings that start from now on.")
        if records != outputs.recordsMicrophone {
            outputs.recordsMicrophone = records
            session.preferences.devices.recordsMicrophone = records
        }
        var inputs: [(label: String, value: SoundInput?)] = [
            ("Nothing", SoundInput.none), ("The microphone", .microphone),
        ]
        if session.hasClip {
            inputs.append(("The clip's own sound", .clip))
            inputs.append(("The clip, if they follow sound", nil))
        } else if session.sound.input == nil || session.sound.input == .clip {
            inputs[0].value = session.sound.input
        }
        session.sound.input = panels.list("masks hear", inputs, session.sound.input)
        panels.hint("What moves masks that follow sound. A mask cannot turn the microphone on by itself.")
        if records || session.sound.input == .microphone { chooseMicrophone(panels) }
        if let heard = session.sound.last {
            panels.level("loudness", heard.loudness, text: "")
            panels.level("beat", heard.beat, text: "")
        }
    }

    private func chooseMicrophone(_ panels: Panels) {
        let outputs = session.outputs
        var names = [(label: "The default one", value: String?.none)]
        names += session.devices.found.microphones.map { ($0.title, Optional($0.name)) }
        if let name = outputs.microphone, !names.contains(where: { $0.value == name }) {
            names.append((label: "\(name) (not found)", value: name))
        }
        let chosen = panels.list("microphone", names, outputs.microphone)
        if chosen != outputs.microphone {
            outputs.microphone = chosen
            session.preferences.devices.microphone = chosen
        }
        guard let listener = session.sound.microphone?.listener else { return }
        if let trouble = listener.trouble {
            panels.alarm(trouble)
        } else {
            panels.level("level", listener.level, text: listener.level >= 1 ? "Too loud" : "")
        }
    }

    func chooseVirtualCamera(_ panels: Panels) {
        panels.heading("Virtual camera", icon: .broadcast)
        var names = session.devices.found.virtualCameras.map { (label: "\($0.name)  \($0.path)", value: $0.path) }
        let current = session.outputs.virtualCamera?.string
        for path in [current, virtualCamera].compactMap({ $0 }) where !names.contains(where: { $0.value == path }) {
            names.append((label: path, value: path))
        }
        guard let device = current ?? virtualCamera ?? names.first?.value else {
            return panels.text(
                "None is there. 'sudo modprobe v4l2loopback' makes one, which programs for video calls show like any "
                    + "other camera; docs/user/video-calls.md says how.")
        }
        let isOn = panels.checkbox("write to the virtual camera", current != nil)
        panels.hint("Programs for video calls, OBS and others show it like any other camera.")
        let chosen = panels.list("device", names, device)
        virtualCamera = chosen
        if isOn != (current != nil) || (isOn && chosen != current) { session.write(to: isOn ? FilePath(chosen) : nil) }
    }
}
