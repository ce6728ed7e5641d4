import MaskComposition
import Masks
import Pixels

/// What is done to the pixels of frames before masks are drawn, after faces have been found in them. It belongs to one stream.
package protocol FrameEffect: AnyObject {
    /// Looks for what it needs in a picture as it was captured, before anybody's hair is dyed.
    /// - Parameter picture: `rgba8`.
    /// - Throws: as `apply`, which follows.
    func look(at picture: borrowing PixelBuffer) throws

    /// - Parameter picture: `rgba8`.
    /// - Throws: an error that ends the stream: nothing is shown without the effect.
    func apply(to picture: inout PixelBuffer) throws

    /// The next picture shows another scene.
    func interrupt()

    /// Whether pictures are as opaque afterwards as they were.
    var keepsAlpha: Bool { get }

    /// Whether anything of the picture is shown besides masks.
    var showsPeople: Bool { get }

    /// Whether nobody was seen in the last picture, and so everybody is hidden.
    var hidesEverybody: Bool { get }

    /// To be called once masks are drawn.
    func finish(_ picture: inout PixelBuffer)
}

extension FrameEffect {
    package func look(at picture: borrowing PixelBuffer) throws {}
    package var keepsAlpha: Bool { true }
    package var showsPeople: Bool { true }
    package var hidesEverybody: Bool { false }
    package func finish(_ picture: inout PixelBuffer) {}
}

/// What is done to the pixels of frames for the masks that are about to be drawn. It belongs to one stream.
package protocol FrameRetouch: AnyObject {
    /// - Parameters:
    ///   - picture: some formats may stay as they are.
    ///   - list: draws the masks.
    ///   - worn: the masks, that of the largest face last; in streams perhaps none.
    ///   - seconds: the picture's time; nil: it has none.
    /// - Throws: `VisionError` with the path of a damaged network, or `OutOfMemory`.
    func retouch(_ picture: inout PixelBuffer, before list: DrawList, on worn: [WornMask], at seconds: Double?) throws

    /// What users see without it, for a warning.
    var loss: String { get }

    /// Whether it needs the network that sees people.
    var needsPeople: Bool { get }

    /// Whether an effect comes after it, which may show other people in place of the background: they stay as they are. Before
    /// an effect, it gets an empty list.
    var precedesEffect: Bool { get }

    /// The next picture shows another scene.
    func interrupt()
}

extension FrameRetouch {
    package var needsPeople: Bool { true }
    package var precedesEffect: Bool { false }
}

/// The effect on the frames of a stream: what was asked for, or else what the mask brings.
package struct FrameEffects {
    /// Whatever the mask; nil: the mask's.
    package var chosen: (any FrameEffect)?
    /// Makes that of a mask's background. Nil: masks bring none.
    package var make: ((Mask.Background) throws -> any FrameEffect)?
    /// What changes frames before masks are drawn on them, in this order.
    package var retouches: [any FrameRetouch] = [ComicDrawer()]
    /// The last one of a mask, without an effect if that could not be made.
    private var made: (background: Mask.Background, effect: (any FrameEffect)?)?

    /// None but what layers of masks do without a network.
    package init() {}

    /// - Parameters:
    ///   - mask: that is worn; nil: none.
    ///   - warn: is told once why a mask's is left out, with nil: that is an error.
    mutating func effect(of mask: Mask?, warn: ((FrameWarning) -> Void)?) throws -> (any FrameEffect)? {
        if let chosen { return chosen }
        guard let make, let background = mask?.background else { return nil }
        if let made, made.background.isSame(as: background) { return made.effect }
        do {
            made = (background, try make(background))
        } catch  where !(error is OutOfMemory) {
            guard let warn else { throw error }
            made = (background, nil)
            warn(FrameWarning(error, "the background of the mask is left out"))
        }
        return made?.effect
    }

    /// The effect for a mask if `effect(of:warn:)` has made it; nil: it has not yet, or nothing is to replace the background.
    func made(for mask: Mask?) -> (any FrameEffect)? {
        if let chosen { return chosen }
        guard let made, let background = mask?.background, made.background.isSame(as: background) else { return nil }
        return made.effect
    }
}
