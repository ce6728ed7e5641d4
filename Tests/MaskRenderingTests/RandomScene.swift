import FaceGeometry
import MaskComposition
import Masks
import Pixels
import SyntheticFaces
import TestSupport

/// A picture, a mask and faces by chance, the same for the same number: any size, format and encoding, one to three faces
/// anywhere, also half outside, with layers of every kind and blend mode.
final class RandomScene {
    let picture: PixelBuffer
    let encoding: ColorEncoding
    let mask: Mask
    let instances: [FaceInstance]

    init(_ number: Int, reference: ReferenceFace) throws {
        var random = SplitMix(state: UInt64(number) &* 0x9E37_79B9_7F4A_7C15 &+ 1)
        let isOpaque = random.chance(0.6)
        let encodings = [
            ColorEncoding(isOpaque: isOpaque), ColorEncoding(isOpaque: isOpaque), ColorEncoding(isOpaque: isOpaque),
            ColorEncoding(isGrey: true, isOpaque: isOpaque),
            // sRGB to Display P3.
            ColorEncoding(
                isOpaque: isOpaque,
                matrixFromSRGB: [0.8225, 0.1774, 0, 0.0332, 0.9669, 0, 0.0171, 0.0724, 0.9108]),
        ]
        encoding = encodings[random.integer(in: 0..<encodings.count)]
        let format = random.chance(0.3) ? PixelFormat.rgba16 : .rgba8
        let (width, height) = (random.integer(in: 1..<420), random.integer(in: 1..<360))
        picture = try random.picture(width, height, format, isOpaque: isOpaque, isGrey: encoding.isGrey)
        instances = (1...random.integer(in: 1..<4)).map { random.instance($0, width, height, reference) }
        var layers: [Layer] = []
        for _ in 0..<random.integer(in: 1..<5) { layers.append(try random.layer(reference)) }
        // By another chance, so that the rest of a scene stays what it was without make-up.
        var makeup = SplitMix(state: UInt64(number) &+ 1_000_000)
        for index in layers.indices {
            if case .warp(let warp) = layers[index].content, case .texture = warp.picture, makeup.chance(0.25) {
                layers[index].makeup = makeup.makeup()
                (layers[index].blendMode, layers[index].light) = (.normal, LightMatching())
            }
        }
        mask = Mask(name: "random", author: nil, license: nil, layers: layers, folder: "")
    }
}

/// SplitMix64 (Steele, Lea & Flood, "Fast splittable pseudorandom number generators", 2014).
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func number(_ low: Float = 0, _ high: Float = 1) -> Float {
        low + (high - low) * Float(next() >> 40) / Float(1 << 24)
    }

    mutating func integer(in range: Range<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    mutating func chance(_ share: Float) -> Bool { number() < share }
}

extension SplitMix {
    /// Sums of slow waves, so that a small difference of place is a small difference of colour.
    fileprivate mutating func waves(_ longest: Float) -> (_ x: Int, _ y: Int) -> SIMD4<Float> {
        let waves = (0..<4).map { _ in
            let color = SIMD4(number(-0.3, 0.3), number(-0.3, 0.3), number(-0.3, 0.3), number(-0.3, 0.3))
            return (
                x: number(-1, 1) * 12 / longest, y: number(-1, 1) * 12 / longest, phase: number(0, 6.28), color: color
            )
        }
        let base = SIMD4(number(0.2, 0.8), number(0.2, 0.8), number(0.2, 0.8), number(0.5, 1.3))
        return { x, y in
            waves.reduce(base) { sum, wave in
                sum + wave.color * sine(wave.x * Float(x) + wave.y * Float(y) + wave.phase)
            }
            .clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 1))
        }
    }

    fileprivate mutating func picture(
        _ width: Int, _ height: Int, _ format: PixelFormat, isOpaque: Bool, isGrey: Bool
    ) throws -> PixelBuffer {
        var picture = try PixelBuffer(width: width, height: height, format: format)
        let color = waves(Float(max(width, height)))
        let stride = picture.bytesPerRow
        picture.withUnsafeMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    var value = color(x, y)
                    if isOpaque { value.w = 1 }
                    if isGrey { (value.y, value.z) = (value.x, value.x) }
                    if format == .rgba8 {
                        let pixel = SIMD4<UInt8>(255 * value, rounding: .toNearestOrEven)
                        bytes.storeBytes(of: pixel, toByteOffset: y * stride + 4 * x, as: SIMD4<UInt8>.self)
                    } else {
                        let pixel = SIMD4<UInt16>(65535 * value, rounding: .toNearestOrEven)
                        bytes.storeBytes(of: pixel, toByteOffset: y * stride + 8 * x, as: SIMD4<UInt16>.self)
                    }
                }
            }
        }
        return picture
    }

    fileprivate mutating func instance(
        _ trackID: Int, _ width: Int, _ height: Int, _ reference: ReferenceFace
    ) -> FaceInstance {
        // One of the synthetic people, turned and moved.
        let sample = Sample.all[integer(in: 0..<Sample.all.count)]
        let landmarks = sample.drawing(reference: reference).landmarks
        let scale = number(40, 500) / landmarks.bounds.width
        let angle = chance(0.5) ? number(-0.3, 0.3) : number(-3.1, 3.1)
        let (cosine, sine) = (scale * sine(angle + 1.5707964), scale * sine(angle))
        let center = Point(number(-0.1, 1.1) * Float(width), number(-0.1, 1.1) * Float(height))
        let middle = landmarks.bounds.center
        let moved = landmarks.mapped { point in
            let p = point - middle
            return center + Point(cosine * p.x - sine * p.y, sine * p.x + cosine * p.y)
        }
        var instance = FaceInstance(face: Face(landmarks: moved, reference: reference), trackID: trackID)
        instance.blinks = integer(in: 0..<3)
        return instance
    }

    fileprivate mutating func makeup() -> Makeup {
        Makeup(
            color: chance(0.5) ? SIMD3(number(), number(), number()) : nil, gloss: number(-1, 1), smoothing: number(),
            brightening: number())
    }

    fileprivate mutating func layer(_ reference: ReferenceFace) throws -> Layer {
        var layer = Layer(try content(reference))
        layer.blendMode = BlendMode.allCases[integer(in: 0..<BlendMode.allCases.count)]
        if chance(0.4) { layer.blendMode = .normal }
        if chance(0.5) { layer.opacities = [AnimatableValue(number(0.1, 1))] }
        if chance(0.4) {
            layer.light = LightMatching(
                shading: chance(0.7) ? number() : 0, detail: chance(0.5) ? number() : 0,
                color: chance(0.5) ? number() : 0)
        }
        return layer
    }

    private mutating func content(_ reference: ReferenceFace) throws -> Layer.Content {
        let openings = Set(FaceMesh.Opening.allCases.filter { _ in chance(0.5) })
        func warp(_ picture: LayerPicture, feather: Float) -> Layer.Content {
            .warp(
                WarpLayer(
                    picture: picture, textureCoordinates: reference.vertices, openings: openings, feather: feather))
        }
        let feather = chance(0.6) ? WarpLayer.defaultFeather : number(0, 0.16)
        switch integer(in: 0..<8) {
        case 0: return warp(.ownFace, feather: feather)
        case 1: return warp(.otherFace, feather: feather)
        case 2:
            // Renderers see only where vertices are, so any will do. Another number of controls would make other scenes.
            let control = Deformation.Control.allCases[integer(in: 0..<8)]
            return .deform(Deformation([control: AnimatableValue(number(-1, 1))]))
        case 3:
            let anchor = StickerLayer.Anchor.allCases[integer(in: 0..<StickerLayer.Anchor.allCases.count)]
            var sticker = StickerLayer(picture: .texture(try texture()), anchor: anchor, width: number(0.1, 1.5))
            sticker.angle = number(-1, 1)
            sticker.offset = Point(number(-0.3, 0.3), number(-0.3, 0.3))
            return .sticker(sticker)
        default: return warp(.texture(try texture()), feather: feather)
        }
    }

    private mutating func texture() throws -> Texture {
        let (width, height) = (integer(in: 1..<700), integer(in: 1..<700))
        let pixels = try picture(width, height, .rgba8, isOpaque: chance(0.5), isGrey: false)
        return Texture(path: "random", pixels: pixels)
    }
}

/// The sine, by its series: Foundation's would need a conversion to Double.
private func sine(_ angle: Float) -> Float {
    var x = angle.remainder(dividingBy: 2 * .pi)
    if x > .pi / 2 { x = .pi - x }
    if x < -.pi / 2 { x = -.pi - x }
    let square = x * x
    return x * (1 - square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72))))
}
