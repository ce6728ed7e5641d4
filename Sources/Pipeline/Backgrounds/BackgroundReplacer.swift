import Compositing
import Files
import ImageFiles
import Masks
import NeuralNetworks
import PersonSegmentation
import Pixels
import Vision

/// Pictures that are shown behind people one after another, as those of a clip. Belongs to the thread that draws.
package protocol MovingBackdrop: AnyObject {
    /// Puts the newest picture in place of the last one, if there is a new one.
    /// - Parameters:
    ///   - backdrop: `rgba8`, opaque; has the wanted size then, black until the first picture comes.
    ///   - width: the frame's, in pixels. The same applies to `height`.
    func update(_ backdrop: inout PixelBuffer, width: Int, height: Int) throws(OutOfMemory)
}

/// Replaces what is behind people in frame after frame. Made for one or two people near the camera: who is far away belongs to
/// the background.
package final class BackgroundReplacer: FrameEffect {
    /// What is done to the background.
    private enum Treatment { case replace, blur, cutOut }

    private let treatment: Treatment
    private let networks: NetworkFolder
    private let painter: BackgroundPainter
    /// What is shown: a picture as it is in its file, or one pixel of a colour.
    private let original: PixelBuffer
    /// The same in the last frame's size, or the last picture of what moves.
    private var backdrop: PixelBuffer
    /// Is shown instead of the picture; nil: nothing is.
    private var moving: (any MovingBackdrop)?
    private var segmenter: PersonSegmenter
    /// Whether that is the one for wide pictures.
    private var isWide = true
    /// What is a person in the last frame, 0…1, steadied; empty before the first one of a scene.
    private var matte: [Float] = []
    /// The matte's size, from `look` to `apply`; otherwise nil.
    private var seen: (width: Int, height: Int)?

    /// - Throws: `VisionError` about a network, `PictureError`, or `FileError` about the picture.
    package convenience init(_ choice: BackgroundChoice, networks: NetworkFolder) throws {
        switch choice {
        case .picture(let path):
            var picture = try PictureReader.read(path)
            picture.convertToSRGB()
            try self.init(picture.pixels.withEightBits().flattenedOnWhite(), networks: networks)
        case .color(let red, let green, let blue): try self.init(.color(red: red, green: green, blue: blue), networks)
        case .blur: try self.init(.blur, networks)
        case .transparent:
            try self.init(Self.area(SIMD4(0, 0, 0, 0)), .cutOut, networks: networks)
        case .masksAlone: preconditionFailure("masks alone are shown without a background")
        }
    }

    /// - Throws: `VisionError` about a network, or `OutOfMemory`.
    package convenience init(moving: any MovingBackdrop, networks: NetworkFolder) throws {
        try self.init(Self.area(SIMD4(0, 0, 0, 255)), networks: networks)
        self.moving = moving
    }

    /// - Throws: `VisionError` about a network, or `OutOfMemory`.
    package convenience init(_ background: Mask.Background, _ networks: NetworkFolder) throws {
        switch background {
        case .picture(let texture): try self.init(texture.pixels.copy().flattenedOnWhite(), networks: networks)
        case .color(let red, let green, let blue):
            try self.init(Self.area(SIMD4(red, green, blue, 255)), networks: networks)
        case .blur: try self.init(Self.area(SIMD4(0, 0, 0, 255)), .blur, networks: networks)
        }
    }

    private init(
        _ original: consuming PixelBuffer, _ treatment: Treatment = .replace, networks: NetworkFolder
    ) throws {
        (self.treatment, self.networks) = (treatment, networks)
        self.original = original
        painter = try BackgroundPainter()
        backdrop = try Self.area(SIMD4(0, 0, 0, 255))
        segmenter = try PersonSegmenter(networks, isWide: true)
    }

    package func interrupt() { (matte, seen) = ([], nil) }

    package var keepsAlpha: Bool { treatment != .cutOut }

    /// Fewer pixels than this share are nobody near the camera.
    private static let leastPerson = 0.01
    package var hidesEverybody: Bool {
        !matte.isEmpty && Double(matte.count { $0 > 0.5 }) < Self.leastPerson * Double(matte.count)
    }

    package func look(at picture: borrowing PixelBuffer) throws {
        let found = try people(in: picture)
        steady(found)
        seen = (found.width, found.height)
    }

    package func apply(to picture: inout PixelBuffer) throws {
        if seen == nil { try look(at: picture) }
        guard let (width, height) = seen else { return }
        seen = nil
        switch treatment {
        case .blur: return try painter.blur(&picture, matte: matte, width: width, height: height)
        case .cutOut: return try painter.cutOut(&picture, matte: matte, width: width, height: height)
        case .replace: break
        }
        if let moving {
            try moving.update(&backdrop, width: picture.width, height: picture.height)
        } else if backdrop.width != picture.width || backdrop.height != picture.height {
            backdrop = try makeBackdrop(width: picture.width, height: picture.height)
        }
        try painter.replace(in: &picture, matte: matte, width: width, height: height, by: backdrop)
    }

    /// With the network for wide pictures wherever it can be: it takes half the time, and its edges are no worse.
    private func people(in picture: borrowing PixelBuffer) throws -> PersonMatte {
        let shouldBeWide = picture.width > picture.height
        if isWide != shouldBeWide {
            segmenter = try PersonSegmenter(networks, isWide: shouldBeWide)
            (isWide, matte) = (shouldBeWide, [])
        }
        return try segmenter.matte(ofWhole: picture)
    }

    /// Where the network is sure, it counts at once; along the edge, what it said before counts, too, so that the edge does not
    /// tremble.
    private func steady(_ found: PersonMatte) {
        if matte.count != found.alpha.count {
            matte = found.alpha.map { Float($0) / 255 }
            return
        }
        for index in matte.indices {
            let value = Float(found.alpha[index]) / 255
            let doubt = 4 * value * (1 - value)
            matte[index] += (1 - Self.inertia * doubt) * (value - matte[index])
        }
    }

    private static let inertia: Float = 0.7

    /// One pixel.
    private static func area(_ color: SIMD4<UInt8>) throws -> PixelBuffer {
        var pixel = try PixelBuffer(width: 1, height: 1, format: .rgba8)
        pixel.fill(color)
        return pixel
    }

    /// The largest part in the middle of the picture that has the frame's proportions.
    private func makeBackdrop(width: Int, height: Int) throws -> PixelBuffer {
        let (across, down) = (original.width, original.height)
        let partWidth = max(1, min(across, Int((Double(down) * Double(width) / Double(height)).rounded())))
        let partHeight = max(1, min(down, Int((Double(across) * Double(height) / Double(width)).rounded())))
        let part = PixelRectangle(
            x: (across - partWidth) / 2, y: (down - partHeight) / 2, width: partWidth, height: partHeight)
        return try original.copy(of: part).resized(width: width, height: height)
    }
}

extension FrameEffects {
    /// The chosen background, or else that of the mask.
    /// - Throws: as `BackgroundReplacer.init`, of the chosen one.
    package init(_ choice: BackgroundChoice?, networks: NetworkFolder) throws {
        self.init()
        chosen =
            if choice == .masksAlone { MasksAlone() } else {
                try choice.map { try BackgroundReplacer($0, networks: networks) }
            }
        make = { try BackgroundReplacer($0, networks) }
        // Who wears dyed hair is told that networks are missing; who wears hair under a mask would rather not be each time.
        retouches.insert(HairDyer(networks), at: 0)
        if networks.hasPerson { retouches.insert(HairPresser(networks), at: 0) }
    }
}
