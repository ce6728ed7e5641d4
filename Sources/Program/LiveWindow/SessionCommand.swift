import Backgrounds
import Compositing
import Display
import FaceTracking
import Files
import Gestures
import LiveControl
import MaskRendering
import SourceSelection

/// A command to a live session. Keys, dropped files, the panel, gestures and the control socket make these
/// commands, and nothing but `LiveSession` carries them out; what concerns the window alone, `SessionWindow`.
package enum SessionCommand: Equatable {
    package typealias Change = ControlCommand.Change

    /// A command that other programs can also send.
    case control(ControlCommand)
    /// Quit, but ask first while something is recorded, or a GIF is made.
    case askToQuit
    /// Show what has been dropped on the window, or wear it.
    /// - Parameter asSource: whether a photograph is wanted as a source. Otherwise it may become a mask.
    case load(FilePath, asSource: Bool = false)
    /// Show several pictures one after another.
    case loadPictures([FilePath])
    /// Do what a start page offers, also without one.
    case show(StartPage.Action)
    /// Offer other sources, although this one gives a picture.
    case showStartPage

    // MARK: Masks

    /// - Parameter index: of `MaskList.entries`; out of range, it is ignored.
    case wear(index: Int)
    /// A place in `MaskList.order`, from 1; out of range, it is ignored.
    case wearAtPlace(Int)
    /// Wear the first mask that the panel's search has found.
    case wearFirstFound
    /// Wear a mask for as long as the mouse is over it; nil: the one before again. What is recorded does not change.
    case tryOn(index: Int?)
    /// Wear the mask so many rows further down in the panel; up is negative.
    case moveInGallery(rows: Int)
    /// Whether the gallery is a list with names and authors.
    case setGalleryList(Bool)
    /// Make a mask a favourite, or no favourite any more.
    case toggleFavourite(index: Int)
    /// Let the user choose a mask's file.
    case chooseMask
    /// Install the current mask if it is a packed one.
    case installMask
    /// How long a mask takes to fade over to the next, in seconds.
    case setFade(Double)
    /// Of the whole mask, 0 to 1.
    case setOpacity(Float)
    case setFaces(FaceChoice)
    case setWhenLost(LostFaces.Policy)
    case setRenderer(RendererChoice)
    /// Nil: what is there, or what the mask shows in its place.
    case setBackground(BackgroundChoice?)
    /// Let the user choose a picture for it.
    case chooseBackground

    // MARK: Finding faces

    /// See `FaceTracker.smoothingStrength`.
    case setSmoothing(Float)
    /// As a share of the picture's height.
    case setSmallestFace(Float)
    /// Nil: the best that is installed.
    case setDetector(FaceModels.Detector?)
    case setLandmarks(FaceModels.LandmarkModelChoice)
    /// Fetch missing networks, or stop that.
    case fetchNetworks(NetworkSection.Action)

    // MARK: Devices

    case pause(Change)
    /// - Parameter mode: nil: what cameras are asked for by themselves.
    case useCamera(DeviceList.Entry, mode: LiveDevices.CameraMode?)
    /// Look again for what is plugged in.
    case updateDevices
    /// For recordings and snapshots; nil: the user's folders of videos and pictures.
    case setFolder(String?)
    /// Show it in the desktop's file manager.
    case openFolder
    /// Write the last seconds to an MP4 file, and to a GIF if that is wanted.
    case saveLastSeconds
    case setSavesGIF(Bool)
    /// Whether recordings are in portrait format.
    case setVertical(Bool)
    /// Whether recordings that start from now on have the sound of the microphone.
    case setRecordsMicrophone(Bool)
    /// By `Microphone.name`; nil: the default one.
    case setMicrophone(String?)
    /// The source of sound for masks; nil: a clip's own sound, for masks that follow sound.
    case setHearing(SoundInput?)
    /// Nil: write to none.
    case setVirtualCamera(VirtualCameraChoice?)
    /// Make a device for programs that do not know PipeWire. Nothing is written to it yet.
    /// - Parameter isKept: whether there is to be one after every start of the system, too.
    case makeVirtualCamera(isKept: Bool)

    // MARK: Keys and gestures

    /// The next key that is pressed will ask for this from then on.
    case chooseKey(ControlCommand)
    /// Give a command to a key. Escape changes nothing, Delete takes the command from its keys.
    case bindKey(WindowEvent.Key, ControlCommand)
    /// Nil: the gesture does nothing.
    case bindGesture(Gesture, ControlCommand?)
    case setHandsFree(Bool)
    case setPointing(Bool)
    case calibratePointer
    /// Cancels the pending effect of a gesture.
    case takeBackGesture

    // MARK: The window

    case mirror(Change)
    case showMesh(Change)
    case showPanel(Change)
    /// Open the panel, with the keyboard in the field for searching.
    case searchMasks
    case toggleHelp
    case toggleFullScreen
    /// Make texts and controls larger by so many steps of a tenth; smaller is negative.
    case enlarge(steps: Int)
    /// The next session is to have texts and controls of this size.
    case keepScale(Float)
    /// Take back a gesture, or else close what is in front: a list, full screen, or help and panel.
    case dismiss

    /// Whether it has no effect, or would show the shape of faces, where all faces are covered in place of wearing masks.
    var needsMasks: Bool {
        switch self {
        case .control(.wear), .control(.next), .control(.previous), .control(.mask): true
        case .wear, .wearAtPlace, .wearFirstFound, .tryOn, .moveInGallery, .installMask, .showMesh, .searchMasks: true
        default: false
        }
    }

    /// The session command for a control command that a key, a gesture or the panel sends.
    /// - Parameter isConfirmed: whether the user has already been asked about the end of a running recording.
    static func byUser(_ command: ControlCommand, isConfirmed: Bool = false) -> SessionCommand {
        command == .quit && !isConfirmed ? .askToQuit : .control(command)
    }
}

extension ControlCommand.Change {
    init(isOn: Bool) { self = isOn ? .on : .off }
}

/// The states that control commands switch.
package struct SwitchStates: Equatable {
    package var isMaskOn: Bool
    package var isRecording: Bool
    package var isCovered: Bool

    package init(isMaskOn: Bool, isRecording: Bool, isCovered: Bool) {
        (self.isMaskOn, self.isRecording, self.isCovered) = (isMaskOn, isRecording, isCovered)
    }

    /// A command that changes to the other state, as a change to that state: what is shown while it waits must hold when it
    /// acts, also if the state changes meanwhile.
    package func resolved(_ command: ControlCommand) -> ControlCommand {
        func change(_ change: ControlCommand.Change, _ current: Bool) -> ControlCommand.Change {
            change.applied(to: current) ? .on : .off
        }
        return switch command {
        case .mask(let wanted): .mask(change(wanted, isMaskOn))
        case .record(let wanted): .record(change(wanted, isRecording))
        case .cover(let wanted): .cover(change(wanted, isCovered))
        default: command
        }
    }

    /// Whether a command hides the picture. That harms nobody if nobody meant it, and must not wait.
    package func hides(_ command: ControlCommand) -> Bool {
        guard case .cover(let change) = command else { return false }
        return change.applied(to: isCovered)
    }

    /// The effect that a command has now, for the user.
    package func title(of command: ControlCommand) -> String {
        switch command {
        case .next: "next mask"
        case .previous: "previous mask"
        case .wear(let name): "mask \(name)"
        case .mask(let change): change.applied(to: isMaskOn) ? "mask on" : "mask off"
        case .snapshot: "snapshot"
        case .record(let change): change.applied(to: isRecording) ? "start recording" : "stop recording"
        case .cover(let change): change.applied(to: isCovered) ? "cover everything" : "uncover everything"
        case .quit: "quit"
        case .masks, .status: command.line
        }
    }
}
