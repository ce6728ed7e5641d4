import Glibc

/// How bright the light on a face is: in a dark room, white paint is not white. The skin alone does not tell, because it may be
/// dark itself; the room alone does not, because the face may be in its shadow.
struct Exposure {
    /// The lightness of a white surface on the face, in Oklab, 0…1.
    private(set) var white: Float = 1
    /// As `room` of `update`, followed as the skin is; nil: it has not been measured.
    private var room: Float?

    /// Oklab's lightness of most skin in good light is above this.
    private static let usualSkin: Float = 0.66
    /// The same of the brightest things of most rooms.
    private static let usualRoom: Float = 0.8
    /// White paint is at most so much lighter than they are: few rooms have nothing but dark things.
    private static let lighter: Float = 0.1
    private static let least: Float = 0.3
    /// Of the skin in the geometric mean of skin and room.
    private static let skinShare: Float = 0.15

    /// - Parameters:
    ///   - skin: the lightness of the skin, in Oklab, followed in the stream.
    ///   - room: that of the brightest things around the face: `RoomTones.brightest`.
    ///   - weight: of this picture among those of the stream, 0…1.
    mutating func update(skin: Float, room new: Float, weight: Float) {
        let old = room ?? new
        let room = old + weight * (new - old)
        self.room = room
        let (bySkin, byRoom) = (min(1, skin / Self.usualSkin), min(1, room / Self.usualRoom))
        let mean = max(bySkin, pow(bySkin, Self.skinShare) * pow(byRoom, 1 - Self.skinShare))
        white = max(Self.least, min(mean, max(bySkin, room + Self.lighter)))
    }

    /// The factor of the sRGB-encoded brightness of paint whose colours were moved towards the skin's.
    /// - Parameters:
    ///   - paint: its own mean lightness, in Oklab.
    ///   - skin: that of the skin, which is in this light already.
    ///   - share: how far the colours were moved, 0…1.
    func factor(paint: Float, skin: Float, share: Float) -> Float {
        let (own, moved) = ((1 - share) * paint, share * skin)
        // Oklab's lightness is the cube root of light; sRGB-encoded values are nearly its 2.2nd root.
        return pow(1 - (1 - white) * own / max(0.001, own + moved), 3 / 2.2)
    }

    /// Of linear light.
    var linear: Float { white * white * white }
}
