import Backgrounds
import Compositing
import FaceTracking
import Files
import Glibc
import Installation
import MaskRendering
import OpenSoundControl
import People
import SourceSelection
import TrackOutput

/// The options of a `LiveSession`.
package struct LiveSettings {
    package static let defaultMask = "bauta"

    /// The masks of faces, and how they are drawn.
    package struct Worn {
        /// The mask to start with: the name of an installed mask, or a mask's folder.
        /// Nil: that of the last session, or `defaultMask`.
        package var mask: String?
        /// How all faces are covered, in place of wearing masks; nil: they wear masks.
        package var cover: FaceCover.Style?
        /// How long a mask takes to fade over to the next, in seconds.
        package var fade: Double?
        package var faces: FaceChoice?
        /// The covering of each person's face; nil: everybody wears the mask that is chosen in the window.
        package var people: PeopleSettings?
        package var whenLost: LostFaces.Policy?
        /// The occluders that are shown in front of masks.
        package var occluders = OccluderPolicy.mask
        /// What is shown in place of what is behind people; nil: that.
        package var background: BackgroundChoice?
        /// Whether the last session's background is left out, too.
        package var keepsRoom = false
        /// Nil: that of the last session, or `auto`.
        package var renderer: RendererChoice?
    }

    package struct Window {
        /// Whether the session runs without a window.
        package var isHeadless = false
        package var isFullScreen = false
        /// Whether somebody only looks at a mask: virtual camera, portrait format and hands-free mode of the last session are
        /// left out, and so is the background until others see the picture.
        package var isTrial = false
        /// Whether the window shows a mirror image; nil: only if the source is a camera.
        package var isMirrored: Bool?
        /// The size of the window's unit in the desktop's units, 0.5 to 4; nil: as the desktop has it.
        package var scale: Float?
    }

    package var source = SourceOptions()
    /// Whether the source is none but the first camera that works because nothing else has been asked for. Then it is the
    /// camera of the last session.
    package var takesLastCamera = false
    /// The file of the landmark model, in dlib's format.
    package var models = FaceModels()
    /// The height of the smallest face that the detector looks for, as a fraction of the picture's height, 0 to 1.
    package var smallestFace = SmallestFace.share(0.1)
    /// Whether a smaller one that the last session's window was given counts instead, if this one has a window and masks.
    package var takesLastSmallestFace = false
    package var worn = Worn()
    package var window = Window()
    /// The source of sound for masks; nil: a clip's own sound, for masks that follow sound.
    package var sound: SoundInput?
    /// Keeps what the user chooses, and fills in what is nil above; nil: nothing is kept.
    package var preferences: PreferencesFile?
    package var outputs = LiveOutputSettings()
    /// Whether the whole picture is covered from the first frame on.
    package var isCovered = false
    /// The picture that covers; nil: the frames are blurred.
    package var coverPicture: FilePath?
    /// The socket that other programs control the session with; nil: none.
    package var control: FilePath?
    /// Where the faces are sent to, and how avatars name expressions; nil: nowhere.
    package var signals: (address: OSCAddress, expressions: AvatarExpressions)?
    /// Whether the face steers the session. Otherwise it does so if the last session's did.
    package var isHandsFree = false
    /// Whether the nose points while the face steers. Otherwise it does so if it did in the last session.
    package var isPointing = false
    /// The number of frames after which the session ends; nil: no limit.
    package var frameLimit: Int?

    package init() {}

    /// The smallest face that the user wants in the panel, but no larger than what the session began with: no face is to be
    /// seen that would wear a mask, or be blurred, without that choice.
    /// - Parameters:
    ///   - share: as a fraction of the picture's height.
    ///   - height: of the picture, in pixels.
    package func smallestFace(wanted share: Float, ofHeight height: Int) -> Float {
        min(share, smallestFace.share(ofHeight: height))
    }

    /// The smallest faces to choose from, in percent of the picture's height, the largest first, with the one that holds now.
    package static func smallestFaces(
        from least: Float, to most: Float, with current: Float
    ) -> [(label: String, value: Float)] {
        // One that was computed from pixels is not quite that of the list.
        func isSame(_ one: Float, _ other: Float) -> Bool { abs(one - other) < 0.5 }
        let usual = [most] + [7, 5].filter { $0 > least + 0.5 && $0 < most - 0.5 } + [least]
        return (usual.filter { !isSame($0, current) } + [current]).sorted(by: >).map { size in
            let speed = isSame(size, most) ? ", the fastest" : isSame(size, least) ? ", the slowest" : ""
            return ("\(Int(size.rounded())) % of height\(speed)", size)
        }
    }
}

/// What the last session's window was given counts where the command line names nothing.
extension LiveSettings {
    /// The smallest face that wears a mask, as a fraction of the picture's height; nil: `smallestFace`.
    /// - Parameter height: of the picture, in pixels.
    package func smallestFace(after preferences: LivePreferences, ofHeight height: Int) -> Float? {
        guard takesLastSmallestFace, worn.cover == nil, !window.isHeadless else { return nil }
        return preferences.smallestFace.map { smallestFace(wanted: $0, ofHeight: height) }
    }

    /// The virtual camera that the session begins with; nil: none.
    package func virtualCamera(after devices: LiveDevices) -> VirtualCameraChoice? {
        if let asked = outputs.virtualCamera { return asked }
        return window.isTrial ? nil : devices.virtualCamera.map { VirtualCameraChoice(FilePath($0)) }
    }

    /// The background that the last session had, where this one has none of its own. Results of commands do not depend on what
    /// was chosen in a window.
    package func lastBackground(_ preferences: LivePreferences) -> BackgroundChoice? {
        guard worn.background == nil, !worn.keepsRoom, !window.isHeadless else { return nil }
        let kept = preferences.background.flatMap { BackgroundChoice(FilePath($0)) }
        return kept?.isTransparent == true ? nil : kept
    }

    /// Whether recordings are in portrait format. Results of commands do not depend on what was chosen in a window.
    package func isVertical(after devices: LiveDevices) -> Bool {
        outputs.isVertical
            || (!window.isHeadless && !window.isTrial && !outputs.writesFromStart && devices.isVertical == true)
    }

    /// Whether the face steers the session.
    package func isHandsFree(after preferences: LivePreferences) -> Bool {
        isHandsFree || (!window.isTrial && preferences.isHandsFree == true)
    }

    /// Whether the window shows a source's mirror image.
    /// - Parameter asCamera: whether the source is one that people look into, as into a mirror.
    package func mirrors(asCamera: Bool, after preferences: LivePreferences) -> Bool {
        // Who tries a mask on compares the picture with the editor's.
        let mirrorsOthers = !window.isTrial && preferences.mirrorsOthers ?? false
        return window.isMirrored ?? (asCamera ? preferences.mirrorsCameras ?? true : mirrorsOthers)
    }

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

    /// Is not kept where nothing is.
    func lastFolder(of kind: LastFolder.Kind) -> LastFolder {
        preferences == nil ? LastFolder(kind, in: nil) : LastFolder(kind)
    }

    /// What finds the faces that are to be covered; nil: they wear masks.
    var covering: FaceModels? { worn.cover == nil ? nil : models }

    /// The same settings with a source that is asked for its sound.
    func listening(to sound: LiveSound) -> LiveSettings {
        var settings = self
        settings.source.clipSound = sound.clip
        return settings
    }
}
