import Cameras
import Display
import FrameProcessing
import SourceSelection

/// What the window shows while its source gives no picture: the reason, and what the user can do.
package struct StartPage: Equatable {
    package enum Action: Equatable {
        case useCamera(DeviceList.Entry)
        case wearOnDrawnFace
        /// Let the user choose a clip or a picture.
        case chooseFile
        /// Open the source again from its beginning.
        case tryAgain
        /// The same, with masks on smaller faces.
        case maskSmallerFaces

        /// The key that does the same, besides Enter and Space.
        package var key: Character? {
            switch self {
            case .useCamera: nil
            case .wearOnDrawnFace: "d"
            case .chooseFile: "o"
            case .tryAgain: "t"
            case .maskSmallerFaces: "p"
            }
        }
    }

    package var title: String
    /// Nil: the title says it all.
    package var reason: String?
    /// Why other cameras cannot be used.
    package var unusableCameras: [String] = []
    package var actions: [Action] = []
    /// Whether the source is a clip that can be played again.
    package var canPlayAgain = false
    /// The faces of the clip that wore no mask, as far as is known; nil: there were none.
    package var missed: MissedFaces?
    /// Whether the source gives a picture, and the user wants another one.
    package var hasPicture = false

    /// How long the last picture of a source stays, in seconds: a camera may be back soon.
    package static let patience = 1.5
    /// Further cameras are in the panel.
    private static let mostCameras = 3

    /// The page of a user who wants another source.
    package init(insteadOfPicture cameras: [DeviceList.Entry], unusable: [String]) {
        (title, hasPicture) = ("Show something else", true)
        unusableCameras = Array(unusable.prefix(Self.mostCameras))
        actions = Self.actions(with: cameras)
    }

    /// What is seen of the start page.
    /// - Parameters:
    ///   - own: of a source that gives no picture; nil: it gives one.
    ///   - another: the page of a user who wants another source; nil: nobody does.
    ///   - isClosed: whether the user has closed the source's own page.
    package static func seen(_ own: StartPage?, another: StartPage?, isClosed: Bool) -> StartPage? {
        // The strip at the end of a clip offers less than the page; that of a source without a picture offers the same.
        if let another, own?.canPlayAgain != false { return another }
        return isClosed ? nil : own
    }

    private static func actions(with cameras: [DeviceList.Entry]) -> [Action] {
        cameras.prefix(mostCameras).map { .useCamera($0) } + [.wearOnDrawnFace, .chooseFile]
    }

    /// - Parameters:
    ///   - status: of the source.
    ///   - input: the source.
    ///   - name: of the source, for the user.
    ///   - secondsWithoutFrame: since its last frame; nil: it has given none.
    ///   - cameras: those that are there.
    ///   - unusable: why others cannot be used.
    ///   - missed: the faces of a clip that has ended that wore no mask.
    /// - Returns: nil: frames come, or may soon.
    package init?(
        _ status: FramePipeline.Status, of input: SourceOptions.Input, name: String, secondsWithoutFrame: Double?,
        cameras: [DeviceList.Entry], unusable: [String], missed: MissedFaces? = nil
    ) {
        if let seconds = secondsWithoutFrame, seconds < Self.patience { return nil }
        if let failure = status.failure {
            let isFile =
                switch input {
                case .clip, .pictures, .several: true
                case .camera, .drawn, .drawnPerson: false
                }
            title = "\(isFile ? input.name : name) cannot be \(isFile ? "read" : "shown")"
            reason = ErrorNotice(failure).text
        } else if status.hasEnded {
            (title, canPlayAgain, self.missed) = ("\(name) has ended", true, missed)
            reason = missed?.text
        } else if case .camera = input, let waiting = status.waiting {
            title = secondsWithoutFrame == nil ? "Waiting for a camera" : "Waiting for the camera to come back"
            let end = Camera.Failure.alternatives
            reason = waiting.hasSuffix(end) ? String(waiting.dropLast(end.count)) : waiting
        } else {
            return nil
        }
        unusableCameras = Array(unusable.filter { $0 != reason }.prefix(Self.mostCameras))
        actions = Self.actions(with: cameras)
        // What has just been seen is what is wanted again most often.
        actions.insert(.tryAgain, at: canPlayAgain ? 0 : actions.count)
        if self.missed?.remedy != nil { actions.insert(.maskSmallerFaces, at: 0) }
    }
}

/// The faces of a clip that wore no mask.
package enum MissedFaces: Equatable {
    /// So many were too small for it, perhaps more: no search finds all.
    case smaller(Int)
    /// No face was found at all.
    case everyFace(canSearchSmaller: Bool)

    var text: String {
        switch self {
        case .smaller(1): "At least 1 face was too small for a mask"
        case .smaller(let count): "At least \(count) faces were too small for a mask"
        case .everyFace: "No face was found"
        }
    }

    /// What plays the clip again; nil: that would find no others.
    var remedy: String? {
        switch self {
        case .smaller: "Play it again with masks on smaller faces"
        case .everyFace(let canSearchSmaller): canSearchSmaller ? "Play it again and look for smaller faces" : nil
        }
    }
}

/// The page with the place of the keyboard on it.
package struct StartPageFocus {
    /// Nil: it is not shown.
    package var page: StartPage? {
        didSet {
            // The same button keeps the keyboard when cameras come and go.
            let old = oldValue.flatMap { $0.actions.indices.contains(place) ? $0.actions[place] : nil }
            place = page.flatMap { page in old.flatMap { page.actions.firstIndex(of: $0) } } ?? 0
        }
    }
    /// An index of the page's actions.
    package private(set) var place = 0
    /// Whether the panel is open beside it, which has the keyboard then: only letters are the page's.
    package var isBesidePanel = false

    package init() {}

    /// - Returns: nil: the key has no meaning on the page; otherwise the action that it asks for, or none if it moves the
    ///   keyboard.
    package mutating func take(_ key: WindowEvent.Key) -> StartPage.Action?? {
        guard let page, !page.actions.isEmpty else { return nil }
        // The last picture of a clip is in sight, and Left and Right change its mask; Up and Down go along the buttons.
        if page.canPlayAgain, [.left, .right].contains(key) { return nil }
        if isBesidePanel { guard case .letter = key else { return nil } }
        switch key {
        case .down, .right: place = (place + 1) % page.actions.count
        case .up, .left: place = (place + page.actions.count - 1) % page.actions.count
        case .enter, .space: return .some(page.actions[place])
        case .letter(let letter):
            guard let action = page.actions.first(where: { $0.key == letter }) else { return nil }
            return .some(action)
        default: return nil
        }
        return .some(nil)
    }
}
