import Clips
import FaceTracking
import Files
import FrameProcessing
import Glibc
import MaskRendering

/// What the user plugs in and chooses in the panel, and what was there in the last session.
extension LiveSession {
    /// Takes what the last session had and the command line does not name. What is missing is said, and is tried again only
    /// by the next session.
    func takeLastDevices() {
        let kept = preferences.devices
        if settings.renderer == nil, let renderer = kept.renderer, renderer != .auto { draw(with: renderer) }
        if settings.models.detector == nil, let detector = kept.detector { find(with: detector) }
        if settings.outputs.virtualCamera == nil, let device = kept.virtualCamera { write(to: FilePath(device)) }
        if settings.outputs.microphone == nil { outputs.microphone = kept.microphone }
        if !settings.outputs.recordsMicrophone { outputs.recordsMicrophone = kept.recordsMicrophone ?? false }
        if settings.outputs.folder == nil, let folder = kept.folder { outputs.folder = FilePath(folder) }
    }

    /// What draws masks, as it was chosen.
    var chosenRenderer: RendererChoice { preferences.devices.renderer ?? settings.renderer ?? .auto }

    /// Draws masks with another renderer. If that cannot be had, the one before goes on, and a message says why.
    func draw(with choice: RendererChoice) {
        do {
            renderer = try data.makeRenderer(
                choice, window: window, shaders: shaders, reference: reference, mesh: mesh)
            preferences.devices.renderer = choice
            messages.say("Masks are drawn with \(renderer.rendererDescription)")
        } catch {
            messages.say("\(error)", isAlarm: true)
        }
    }

    /// Finds faces with another detector. If that cannot be had, the one before goes on, and a message says why.
    /// - Parameter detector: nil: the best that is installed.
    func find(with detector: FaceModels.Detector?) {
        source.controls.changeModels { $0.detector = detector }
        preferences.devices.detector = detector
    }

    /// Finds landmarks with another model. If that cannot be had, the one before goes on, and a message says why.
    func findLandmarks(with choice: FaceModels.LandmarkModelChoice) {
        source.controls.changeModels { $0.landmarks = choice }
        preferences.devices.landmarks = choice == .auto ? nil : choice
    }

    /// Says what the face tracker could not load. To be called every second.
    func noteTrackerFailure() {
        switch source.controls.takeFailure() {
        case nil: break
        case .models(let models, let reason):
            let used = source.controls.models
            preferences.devices.detector = used.detector
            preferences.devices.landmarks = used.landmarks == .auto ? nil : used.landmarks
            let name =
                models.landmarks == used.landmarks ? models.detector?.title ?? "The detector" : models.landmarks.title
            messages.say("\(name) cannot be used: \(reason)", isAlarm: true)
        case .people(let reason):
            messages.say("Nobody is recognised: \(reason)", isAlarm: true)
        }
    }

    /// Turns the virtual camera on or off. If there is no such device, its thread finds out.
    /// - Parameter device: nil: off.
    func write(to device: FilePath?) {
        outputs.endVirtualCamera(isWanted: false, reason: nil)
        outputs.virtualCamera = device
        preferences.devices.virtualCamera = device?.string
    }
}

extension LiveSettings {
    /// With the landmark model of the last session, where the command line names none and it can be had. Those that are not
    /// wanted are then not even opened.
    func withLastLandmarks() -> LiveSettings {
        guard models.landmarks == .auto, models.chosenCascade == nil,
            let kept = preferences?.preferences.devices.landmarks,
            kept == .mesh ? models.networks.isUsable : models.cascade.isAccessible(R_OK)
        else { return self }
        var settings = self
        settings.models.landmarks = kept
        return settings
    }
}

extension FaceModels {
    /// Whether the landmark model of Debian's libdlib-data is used, which may not be used commercially.
    var usesDebiansCascade: Bool { chosenCascade == nil && landmarks != .mesh && cascade.isAccessible(R_OK) }
}

extension FaceModels.LandmarkModelChoice {
    /// For the user.
    var title: String {
        switch self {
        case .auto: "Automatic"
        case .mesh: "MediaPipe's mesh"
        case .cascade: "dlib's model"
        }
    }
}

extension FaceModels.Detector {
    /// For the user.
    var title: String {
        switch self {
        case .network: "MediaPipe's network"
        case .hog: "dlib's HOG detector"
        case .haar: "OpenCV's Haar cascade"
        case .lbp: "OpenCV's LBP cascade"
        case .yunet: "OpenCV's YuNet"
        }
    }
}
