import Backgrounds
import Compositing
import FaceTracking
import Files
import FrameProcessing
import MaskRendering
import Sound
import SourceSelection

/// The state of a live session that the window shows besides the picture.
struct LiveState: Sendable {
    var sourceName: String
    var status: FramePipeline.Status
    var isPaused: Bool
    var switches: SwitchStates
    /// Whether recordings that start from now on have the sound of the microphone.
    var recordsMicrophone: Bool
    /// The length of the running recording, in seconds; nil: nothing is being recorded.
    var recordedSeconds: Double?
    /// The name of what is being loaded; nil: nothing that takes noticeably long.
    var loading: String?
    /// The name of the output that is being completed; nil: none.
    var completing: String?
    /// How far the files of the last seconds are; nil: they are not being saved.
    var saving: LastSeconds.Progress?
    /// Whether all faces are covered in place of wearing masks.
    var coversFaces: Bool
    /// Whether the frame that is shown is covered or blurred as a whole, because a face may be bare.
    var hidesFrame: Bool
    var lack: Lack
    /// Whether somebody only looks at a mask, from the editor.
    var isTrial: Bool
    /// Why the files of the current mask cannot be loaded; nil: they can.
    var maskError: String?
    /// Nil: there is a picture to show.
    var startPage: StartPage?
    var handsFree: HandsFree
    var keys: KeyBindings
    var gestures: GestureBindings
    /// The state that only the panel shows.
    var panel: Panel

    var isMakingGIF: Bool { saving?.makesGIF ?? false }

    /// What keeps masks from being seen.
    struct Lack: Sendable {
        /// Whether the mask shows another face, and none suits.
        var needsAnotherFace: Bool
        /// How many faces are too small to wear the mask, as far as is known; 0 also where nobody is to know.
        var smallerFaces: Int
        /// Whether the source has shown no face, although masks are to be worn.
        var showsNoFace: Bool
        /// Whether the background hides everybody.
        var hidesEverybody: Bool
    }

    struct Panel: Sendable {
        struct Drawing: Sendable {
            /// 0 to 1.
            var opacity: Float
            /// How long a mask takes to fade over to the next, in seconds.
            var fade: Double
            var isMirrored: Bool
            var showsMesh: Bool
            /// As it was chosen, and what draws now, in words.
            var renderer: RendererChoice
            var rendererDescription: String
            /// Whether a picture covers. Otherwise frames are blurred.
            var coverReplacesPicture: Bool
        }

        struct Background: Sendable {
            /// Nil: what is there, or what the mask shows in its place.
            var choice: BackgroundChoice?
            /// The same of the frames that are shown: a choice may still be loading, or fail.
            var drawn: BackgroundChoice?
            /// Whether people can be told from what is behind them.
            var canReplace: Bool
            /// Whether recordings have alpha.
            var hasAlpha: Bool
        }

        struct Faces: Sendable {
            var chosen: FaceChoice
            var whenLost: LostFaces.Policy
            /// See `FaceTracker.smoothingStrength`.
            var smoothing: Float
            /// As a share of the picture's height.
            var smallest: Float
            /// What the session began with, which is the largest that can be chosen.
            var largestSmallest: Float
            var models: FaceModels
        }

        struct Devices: Sendable {
            var found: DeviceList.Found
            var input: SourceOptions.Input
            /// The requested mode of the camera; nil: the default request.
            var mode: LiveDevices.CameraMode?
            /// Whether frames come from a clip, which may have sound.
            var isClip: Bool
        }

        struct Outputs: Sendable {
            /// Whether something takes frames of a certain size only.
            var isRunning: Bool
            /// Absolute paths.
            var folders: LiveFolders
            /// Whether recordings are in portrait format.
            var isVertical: Bool
            /// The size that recordings would have now, in pixels; nil: there is no picture yet.
            var recordedSize: (width: Int, height: Int)?
            /// Whether a GIF is made of the last seconds, too.
            var savesGIF: Bool
            /// By `Microphone.name`; nil: the default one.
            var microphone: String?
            var virtualCamera: VirtualCameraChoice?
        }

        struct Hearing: Sendable {
            /// The source of sound for masks; nil: a clip's own sound, for masks that follow sound.
            var input: SoundInput?
            /// The sound of the last frame; nil: no sound was used.
            var heard: SoundSignals?
            /// The microphone that is listened to; nil: none. Its level is 0 to 1, and more when it is too loud.
            var microphone: (level: Float, trouble: String?)?
        }

        /// How far networks are being fetched.
        var networks: NetworkFetch.State
        var masks: MaskList
        /// Keys of masks, the last one first.
        var lastUsed: [String]
        /// Whether the gallery is a list with names and authors.
        var listsMasks: Bool
        var drawing: Drawing
        var background: Background
        var faces: Faces
        var devices: Devices
        var outputs: Outputs
        var sound: Hearing
        /// Of the last second.
        var statistics: LiveStatistics.Summary
    }
}

extension LiveSession {
    var switches: SwitchStates {
        SwitchStates(
            isMaskOn: !compositor.isOff && compositor.cover == nil, isRecording: outputs.isRecording,
            isCovered: cover.isOn)
    }

    /// The current content of the window.
    var state: LiveState {
        let source = playback.source
        return LiveState(
            sourceName: source.description.name, status: source.status, isPaused: source.isPaused, switches: switches,
            recordsMicrophone: outputs.recordsMicrophone,
            recordedSeconds: outputs.recordedSeconds(at: playback.lastSeconds),
            loading: loader.current ?? compositor.masks.loadingName, completing: outputs.completingName,
            saving: outputs.recent?.last.progress,
            coversFaces: compositor.cover != nil, hidesFrame: compositor.hidesFrame,
            lack: LiveState.Lack(
                needsAnotherFace: compositor.lacksAnotherFace,
                smallerFaces: tellsOfSmallerFaces ? source.controls.smallerFaces : 0,
                showsNoFace: playback.lacksFaces && compositor.cover == nil && !compositor.isOff,
                hidesEverybody: background.emptiness.lasts),
            isTrial: settings.window.isTrial,
            maskError: compositor.cover == nil ? compositor.masks.current.error : nil, startPage: startPage,
            handsFree: handsFree,
            keys: choices.preferences.keys,
            gestures: choices.preferences.gestures, panel: panelState)
    }

    /// Whether it matters how many faces are too small to wear the mask.
    var wantsSmallerFacesCounted: Bool {
        let wearMasks = compositor.cover == nil && !compositor.isOff && compositor.faces == .all
        return view.hasWindow && playback.source.description.isLive && wearMasks && !cover.isOn
    }

    /// Whether the window says so.
    var tellsOfSmallerFaces: Bool { wantsSmallerFacesCounted && startPage == nil }

    /// Of the last picture, in pixels.
    var pictureHeight: Int { playback.last?.height ?? 720 }

    private var panelState: LiveState.Panel {
        let controls = playback.source.controls
        let microphone = sound.microphone?.listener
        let smallest = controls.smallestFace ?? settings.smallestFace
        return LiveState.Panel(
            networks: loader.networks.state, masks: compositor.masks.chosen, lastUsed: choices.preferences.lastUsed,
            listsMasks: choices.preferences.listsMasks ?? false,
            drawing: LiveState.Panel.Drawing(
                opacity: compositor.opacity, fade: compositor.fade, isMirrored: view.isMirrored,
                showsMesh: view.showsMesh,
                renderer: choices.preferences.devices.renderer ?? settings.worn.renderer ?? .auto,
                rendererDescription: compositor.renderer.rendererDescription,
                coverReplacesPicture: cover.replacesPicture),
            background: LiveState.Panel.Background(
                choice: background.choice, drawn: background.drawn, canReplace: background.canReplace,
                hasAlpha: settings.outputs.hasAlpha),
            faces: LiveState.Panel.Faces(
                chosen: compositor.faces, whenLost: compositor.whenLost, smoothing: controls.smoothing,
                smallest: smallest.share(ofHeight: pictureHeight),
                largestSmallest: settings.smallestFace.share(ofHeight: pictureHeight), models: controls.models),
            devices: LiveState.Panel.Devices(
                found: devices.found, input: playback.input.source, mode: playback.input.mode,
                isClip: playback.isClip),
            outputs: LiveState.Panel.Outputs(
                isRunning: outputs.isRunning, folders: outputs.wholeFolders, isVertical: outputs.crop != nil,
                recordedSize: playback.last.map { outputs.recordedSize(of: ($0.width, $0.height)) },
                savesGIF: outputs.recent?.savesGIF ?? false, microphone: outputs.microphone,
                virtualCamera: outputs.virtualCamera),
            sound: LiveState.Panel.Hearing(
                input: sound.input, heard: sound.last, microphone: microphone.map { ($0.level, $0.trouble) }),
            statistics: statistics.last)
    }
}
