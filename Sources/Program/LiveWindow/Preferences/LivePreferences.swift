import Backgrounds
import Compositing
import Display
import Files
import JSON

/// The user's choices in earlier sessions. Nil: never chosen.
///
/// What is chosen in the window comes back, but for what is meant for the moment: cover, mask off, opacity, pause, full
/// screen, whether mesh and landmarks are shown, and the sound that masks follow, because no session is to listen unasked.
package struct LivePreferences: Equatable, Sendable {
    /// The name of an installed mask, or the path of a folder.
    package var mask: String?
    /// Masks in the order in which they became favourites.
    package var favourites: [String] = []
    /// Masks, the last one first.
    package var lastUsed: [String] = []
    package var faces: FaceChoice?
    /// The strength of smoothing; see `FaceTracker.smoothingStrength`.
    package var smoothing: Float?
    package var whenLost: LostFaces.Policy?
    /// What is shown in place of what is behind people, as `BackgroundChoice` reads it; nil: nothing.
    package var background: String?
    /// The smallest face that wears a mask, as a share of the picture's height.
    package var smallestFace: Float?
    /// Whether the window mirrors cameras.
    package var mirrorsCameras: Bool?
    /// Whether it mirrors all else: clips, pictures and the drawn face.
    package var mirrorsOthers: Bool?
    /// How long a mask takes to fade over to the next, in seconds; 0: it changes at once.
    package var fade: Double?
    /// The choice of devices, detector, landmark model and renderer.
    package var devices = LiveDevices()
    /// Whether the gallery is a list with names and authors.
    package var listsMasks: Bool?
    /// The size of the window's unit in the desktop's units.
    package var scale: Float?
    /// Keys of the window that the user has bound to other commands.
    package var keys = KeyBindings()
    /// Whether the face steers the window.
    package var isHandsFree: Bool?
    /// Whether the nose points, too.
    package var isPointing: Bool?
    package var gestures = GestureBindings()
    /// The time in which a gesture can be taken back, in seconds. Nothing in the window changes it.
    package var gestureDelay: Double?

    package static let smoothingRange: ClosedRange<Float> = 0.2...4
    package static let smallestFaceRange: ClosedRange<Float> = 0.01...0.9
    package static let fadeRange: ClosedRange<Double> = 0...5
    package static let scaleRange = DisplayWindow.scaleRange
    package static let gestureDelayRange: ClosedRange<Double> = 0.5...5
    package static let mostLastUsed = 8
    private static let mostFavourites = 200

    package init() {}

    /// Puts a mask in front of the last used ones.
    package mutating func noteUse(of mask: String) {
        lastUsed = Array(([mask] + lastUsed.filter { $0 != mask }).prefix(Self.mostLastUsed))
    }
}

// MARK: JSON

extension LivePreferences {
    /// Reads the file.
    /// - Parameter warn: receives a sentence about each member that is not as it should be, and does not count.
    package init(_ json: JSONValue, warn: (String) -> Void) {
        func value<Value>(_ key: String, _ wanted: String, _ read: (JSONValue) -> Value?) -> Value? {
            json.preference(key, wanted, warn: warn, read)
        }
        func names(_ member: JSONValue) -> [String]? {
            guard case .array(let elements) = member else { return nil }
            let names = elements.compactMap(\.string).filter { !$0.isEmpty }
            return names.count == elements.count ? names : nil
        }
        mask = value("mask", "a name") { $0.string.flatMap { $0.isEmpty ? nil : $0 } }
        favourites = value("favourites", "a list of names", names).map { Array($0.prefix(Self.mostFavourites)) } ?? []
        lastUsed = value("lastUsed", "a list of names", names).map { Array($0.prefix(Self.mostLastUsed)) } ?? []
        faces = value("faces", "\"all\" or a number of faces") { member in
            if member.string == "all" { return .all }
            return member.number.flatMap { Int(exactly: $0) }.flatMap { $0 > 0 ? .largest($0) : nil }
        }
        smoothing = value("smoothing", "a number from 0.2 to 4") { member in
            member.number.map { Float($0) }.flatMap { Self.smoothingRange.contains($0) ? $0 : nil }
        }
        whenLost = value("whenLost", "\"keep\", \"hide\" or \"blur\"") { member in
            member.string.flatMap { LostFaces.Policy(rawValue: $0) }
        }
        background = value("background", "\(BackgroundChoice.requirement)") { member in
            member.string.flatMap { text in BackgroundChoice(FilePath(text)).flatMap { $0.isTransparent ? nil : text } }
        }
        smallestFace = value("smallestFace", "a share of the picture's height from 0.01 to 0.9") { member in
            member.number.map { Float($0) }.flatMap { Self.smallestFaceRange.contains($0) ? $0 : nil }
        }
        mirrorsCameras = value("mirrorCameras", "true or false", \.bool)
        mirrorsOthers = value("mirrorOthers", "true or false", \.bool)
        fade = value("fade", "a number of seconds from 0 to 5") { member in
            member.number.flatMap { Self.fadeRange.contains($0) ? $0 : nil }
        }
        scale = value("scale", "a number from 0.5 to 4") { member in
            member.number.map { Float($0) }.flatMap { Self.scaleRange.contains($0) ? $0 : nil }
        }
        listsMasks = value("listMasks", "true or false", \.bool)
        devices = LiveDevices(json, warn: warn)
        if let member = json["keys"] { keys = KeyBindings(member, warn: warn) }
        isHandsFree = value("handsFree", "true or false", \.bool)
        isPointing = value("nosePointer", "true or false", \.bool)
        if let member = json["gestures"] { gestures = GestureBindings(member, warn: warn) }
        gestureDelay = value("gestureDelay", "a number of seconds from 0.5 to 5") { member in
            member.number.flatMap { Self.gestureDelayRange.contains($0) ? $0 : nil }
        }
    }

    /// Writes what differs from other preferences into an object; its other members stay as they are.
    package func write(changesSince old: LivePreferences, into json: inout JSONValue) {
        func names(_ list: [String]) -> JSONValue { .array(list.map { .string($0) }) }
        if mask != old.mask { json["mask"] = mask.map { .string($0) } }
        if favourites != old.favourites { json["favourites"] = names(favourites) }
        if lastUsed != old.lastUsed { json["lastUsed"] = names(lastUsed) }
        if faces != old.faces {
            json["faces"] = faces.map { faces in
                switch faces {
                case .all: .string("all")
                case .largest(let count): .integer(count)
                }
            }
        }
        // In decimals: 1.3 as a Float is not 1.3 as a Double.
        if smoothing != old.smoothing { json["smoothing"] = smoothing.map { .number(Self.rounded(Double($0))) } }
        if whenLost != old.whenLost { json["whenLost"] = whenLost.map { .string($0.rawValue) } }
        if background != old.background { json["background"] = background.map { .string($0) } }
        if smallestFace != old.smallestFace {
            json["smallestFace"] = smallestFace.map { .number(Self.rounded(Double($0))) }
        }
        if mirrorsCameras != old.mirrorsCameras { json["mirrorCameras"] = mirrorsCameras.map { .bool($0) } }
        if mirrorsOthers != old.mirrorsOthers { json["mirrorOthers"] = mirrorsOthers.map { .bool($0) } }
        if fade != old.fade { json["fade"] = fade.map { .number(Self.rounded($0)) } }
        if scale != old.scale { json["scale"] = scale.map { .number(Self.rounded(Double($0))) } }
        if listsMasks != old.listsMasks { json["listMasks"] = listsMasks.map { .bool($0) } }
        devices.write(changesSince: old.devices, into: &json)
        keys.write(changesSince: old.keys, into: &json)
        if isHandsFree != old.isHandsFree { json["handsFree"] = isHandsFree.map { .bool($0) } }
        if isPointing != old.isPointing { json["nosePointer"] = isPointing.map { .bool($0) } }
        gestures.write(changesSince: old.gestures, into: &json)
    }

    private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
