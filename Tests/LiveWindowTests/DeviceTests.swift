import Clips
import FaceTracking
import JSON
import LiveWindow
import Testing

@Suite struct DeviceTests {
    @Test func choicesAreReadAgain() throws {
        var devices = LiveDevices()
        devices.camera = "Webcam é"
        devices.cameraMode = .init(width: 1280, height: 720, rate: 30)
        devices.microphone = "alsa_input.usb"
        (devices.recordsMicrophone, devices.savesGIF) = (true, true)
        devices.virtualCamera = "/dev/video10"
        devices.folder = "/home/me/Videos"
        devices.renderer = .opengl
        devices.detector = .haar
        devices.landmarks = .mesh
        var preferences = LivePreferences()
        preferences.devices = devices
        var json = try JSONValue(parsing: #"{"other": 1}"#)
        preferences.write(changesSince: LivePreferences(), into: &json)
        #expect(json["cameraMode"]?.string == "1280x720@30" && json["other"] == .integer(1))
        #expect(LivePreferences(json) { Issue.record("\($0)") }.devices == devices)
        // What is automatic again is no longer there.
        LivePreferences().write(changesSince: preferences, into: &json)
        #expect(json == (try JSONValue(parsing: #"{"other": 1}"#)))
    }

    @Test func invalidValuesAreReported() throws {
        let text = #"""
            {"camera": "", "cameraMode": "1280x720", "microphone": "a\nb", "recordMicrophone": 1, "virtualCamera": 10,
             "folder": [], "renderer": "vulkan", "detector": "eyes", "landmarks": "both", "scale": 9}
            """#
        var warnings: [String] = []
        let preferences = LivePreferences(try JSONValue(parsing: text)) { warnings.append($0) }
        #expect(preferences == LivePreferences())
        #expect(warnings.count == 10, "\(warnings)")
        #expect(warnings.contains { $0.contains("'renderer' must be one of auto, software, opengl") }, "\(warnings)")
    }

    @Test(arguments: ["0x720@30", "1280x720@0", "1280x720@", "1280x720x30", "01280x720@30", "+1x1@1", "1x1@1 ", ""])
    func otherModesAreRefused(_ text: String) { #expect(LiveDevices.CameraMode(text) == nil) }

    @Test func soundSourcesAreRead() {
        let text = """
            Auto-detected sources for pulse:
              one.monitor [Monitor of [my] card] (none)
            * two [Headset é] (audio)
              three [No kinds]
            nonsense
              broken [
            """
        #expect(
            Microphone.list(text) == [
                Microphone(name: "two", title: "Headset é"),
                Microphone(name: "one.monitor", title: "Monitor of [my] card"),
                Microphone(name: "three", title: "No kinds"),
            ])
    }

    @Test func levelsAreInDecibels() {
        #expect(MicrophoneListener.level(0) == 0)
        #expect(MicrophoneListener.level(1) == 1)
        // −6 dB, and −90 dB.
        #expect(abs(MicrophoneListener.level(0.5) - 0.9) < 0.005)
        #expect(MicrophoneListener.level(1 / 32768) == 0)
    }
}
