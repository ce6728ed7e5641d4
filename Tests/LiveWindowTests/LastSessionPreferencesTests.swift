import Backgrounds
import Compositing
import Files
import LiveWindow
import Testing

/// What a session takes from the one before, where the command line names nothing.
@Suite struct LastSessionPreferencesTests {
    private func settings(_ change: (inout LiveSettings) -> Void = { _ in }) -> LiveSettings {
        var settings = LiveSettings()
        settings.takesLastSmallestFace = true
        change(&settings)
        return settings
    }

    private func smallest(_ kept: Float?, _ settings: LiveSettings) -> Float? {
        var preferences = LivePreferences()
        preferences.smallestFace = kept
        return settings.smallestFace(after: preferences, ofHeight: 720)
    }

    /// A larger one would leave faces bare that wear masks without it.
    @Test func theSmallestFaceIsNeverLarger() {
        #expect(smallest(0.05, settings()) == 0.05)
        #expect(smallest(0.5, settings()) == 0.1)
        #expect(smallest(nil, settings()) == nil)
    }

    /// Who covers all faces, has no window or names a size gets what was asked for.
    @Test func commandsHaveTheirOwnSmallestFace() {
        #expect(smallest(0.05, settings { $0.worn.cover = .blur }) == nil)
        #expect(smallest(0.05, settings { $0.window.isHeadless = true }) == nil)
        #expect(smallest(0.05, settings { $0.takesLastSmallestFace = false }) == nil)
    }

    @Test func camerasAndOtherSourcesAreMirroredApart() {
        var preferences = LivePreferences()
        #expect(settings().mirrors(asCamera: true, after: preferences))
        #expect(!settings().mirrors(asCamera: false, after: preferences))
        preferences.mirrorsOthers = true
        #expect(settings().mirrors(asCamera: true, after: preferences))
        #expect(settings().mirrors(asCamera: false, after: preferences))
        preferences.mirrorsCameras = false
        #expect(!settings().mirrors(asCamera: true, after: preferences))
        #expect(settings().mirrors(asCamera: false, after: preferences))
        #expect(!settings { $0.window.isMirrored = false }.mirrors(asCamera: false, after: preferences))
        #expect(!settings { $0.window.isTrial = true }.mirrors(asCamera: false, after: preferences), "as in the editor")
        #expect(settings { $0.window.isMirrored = true }.mirrors(asCamera: true, after: preferences))
    }

    @Test func recordingsStayInPortraitFormat() {
        var devices = LiveDevices()
        #expect(!settings().isVertical(after: devices))
        #expect(settings { $0.outputs.isVertical = true }.isVertical(after: devices))
        devices.isVertical = true
        #expect(settings().isVertical(after: devices))
    }

    /// Who only looks at a mask is seen by nobody else, and hides the room again before somebody sees it.
    @Test func aTrialTakesNothingThatOthersSee() {
        var preferences = LivePreferences()
        preferences.isHandsFree = true
        preferences.background = "blur"
        preferences.devices.isVertical = true
        preferences.devices.virtualCamera = "pipewire"
        let (usual, trial) = (settings(), settings { $0.window.isTrial = true })
        #expect(usual.virtualCamera(after: preferences.devices) == .pipeWire)
        #expect(trial.virtualCamera(after: preferences.devices) == nil)
        #expect(usual.isVertical(after: preferences.devices) && !trial.isVertical(after: preferences.devices))
        #expect(usual.isHandsFree(after: preferences) && !trial.isHandsFree(after: preferences))
        // What is asked for counts in a trial, too.
        let asked = settings {
            $0.window.isTrial = true
            $0.outputs.virtualCamera = .auto
        }
        #expect(asked.virtualCamera(after: preferences.devices) == .auto)
        // It is kept for the outputs of a trial.
        #expect(usual.lastBackground(preferences) == .blur && trial.lastBackground(preferences) == .blur)
        #expect(settings { $0.worn.keepsRoom = true }.lastBackground(preferences) == nil)
        #expect(settings { $0.window.isHeadless = true }.lastBackground(preferences) == nil)
        #expect(settings { $0.worn.background = .transparent }.lastBackground(preferences) == nil)
    }

    @Test func whatACommandWritesIsInItsOwnFormat() {
        var devices = LiveDevices()
        devices.isVertical = true
        for change in [
            { $0.outputs.target = "clip.mp4" }, { $0.outputs.recordsAtOnce = true }, { $0.window.isHeadless = true },
        ] as [(inout LiveSettings) -> Void] {
            #expect(!settings(change).isVertical(after: devices))
            let asked = settings {
                change(&$0)
                $0.outputs.isVertical = true
            }
            #expect(asked.isVertical(after: devices))
        }
    }
}
