import Display
import FaceGeometry
import Installation
import MaskAuthoring
import Pixels
import Threads

/// The reference face, so that who paints on an empty picture sees where eyes and mouth will be: faint under the paint, and its
/// features as light and shade over it, which leave the paint its colour.
final class FaceGuide {
    struct Panels {
        let below: PanelPicture
        let above: PanelPicture
    }

    /// The face as it is, on a picture that is opaque all over.
    final class Skin: Sendable {
        let pixels: PixelBuffer
        fileprivate init(_ pixels: consuming PixelBuffer) { self.pixels = pixels }
    }

    /// Nil: the face could not be drawn.
    private struct Pictures: ~Copyable, Sendable {
        let below: PixelBuffer?
        let above: PixelBuffer?
        let skin: Skin?
    }

    private let data: DataFolder
    private let reference: ReferenceFace
    private let made = Mailbox<Pictures>()
    private var panels: Panels?
    private var skin: Skin?
    private var isBegun = false
    /// Draws the face; nil: it was not begun, or there are no more threads.
    private var thread: DedicatedThread.Handle?
    /// Of the pictures, in pixels.
    static let side = 768
    /// The opacity of the face under the paint, of 255.
    private static let faintness = 150
    /// The mean distance of a painting's points from those of the reference face, as a part of its side, up to which it is
    /// painted on that face, and not on another one.
    private static let tolerance: Float = 0.04

    init(_ data: DataFolder, reference: ReferenceFace) { (self.data, self.reference) = (data, reference) }

    /// Whether the face is being drawn, on a thread of its own.
    private(set) var isWaiting = false
    /// Whether that thread has not ended yet.
    var isWorking: Bool { thread.map { !$0.wait(seconds: 0) } ?? false }

    /// - Parameters:
    ///   - vertices: the mesh's on the texture, in its pixels.
    ///   - size: of the texture, in pixels.
    /// - Returns: whether the texture is painted on the reference face, and not on another one.
    func fits(_ vertices: [Point], size: Point) -> Bool {
        let pairs = zip(vertices, reference.vertices)
        let distance = pairs.reduce(Float(0)) { $0 + ($1.0 / size - $1.1).length } / Float(max(1, vertices.count))
        return distance < Self.tolerance
    }

    /// The same parameters.
    /// - Returns: nil: the texture is of another face, or the face is not drawn yet.
    func panels(for vertices: [Point], size: Point) -> Panels? {
        guard fits(vertices, size: size) else { return nil }
        begin()
        return panels
    }

    /// The same parameters.
    /// - Returns: as wide and high as `side`; nil: as with `panels`.
    func skin(for vertices: [Point], size: Point) -> Skin? {
        guard fits(vertices, size: size) else { return nil }
        begin()
        return skin
    }

    private func begin() {
        if let pictures = made.take(waiting: 0) {
            isWaiting = false
            if let below = pictures.below, let above = pictures.above {
                panels = Panels(
                    below: PanelPicture(below, for: .photograph), above: PanelPicture(above, for: .photograph))
            }
            skin = pictures.skin
        }
        guard !isBegun else { return }
        (isBegun, isWaiting) = (true, true)
        thread = DedicatedThread.startOrRun { [made, data] in
            _ = made.replace((try? Self.make(data)) ?? Pictures(below: nil, above: nil, skin: nil))
        }
    }

    private static func make(_ data: DataFolder) throws -> Pictures {
        var face = try TemplateFace.synthetic(
            side: side, isSketch: true, renderer: .software, assets: AuthoringAssets(data))
        var features = try face.copy()
        var skin = try face.copy()
        let mean = max(1, meanBrightness(face))
        let around = SIMD4<UInt8>(repeating: UInt8(clamping: mean))
        for y in 0..<side {
            features.withMutableRow(y) { row in
                for x in row.indices { row[x] = feature(row[x], mean) }
            }
            skin.withMutableRow(y) { row in
                for x in row.indices {
                    if row[x].w == 0 { row[x] = around }
                    row[x].w = 255
                }
            }
            face.withMutableRow(y) { row in
                for x in row.indices { row[x].w = UInt8(Int(row[x].w) * faintness / 255) }
            }
        }
        return Pictures(below: face, above: features, skin: Skin(skin))
    }

    private static func brightness(_ pixel: SIMD4<UInt8>) -> Int {
        (Int(pixel.x) * 2 + Int(pixel.y) * 5 + Int(pixel.z)) / 8
    }

    private static func meanBrightness(_ pixels: borrowing PixelBuffer) -> Int {
        var (sum, count) = (0, 0)
        for y in 0..<pixels.height {
            pixels.withRow(y) { row in
                for x in row.indices where row[x].w == 255 {
                    sum += brightness(row[x])
                    count += 1
                }
            }
        }
        return sum / max(1, count)
    }

    /// Black where a pixel is darker than the skin, white where it is brighter.
    private static func feature(_ pixel: SIMD4<UInt8>, _ mean: Int) -> SIMD4<UInt8> {
        let difference = brightness(pixel) - mean
        let strength = difference < 0 ? -200 * difference / mean : 45 * difference / max(1, 255 - mean)
        let alpha = UInt8(min(255, strength) * Int(pixel.w) / 255)
        return difference < 0 ? SIMD4(0, 0, 0, alpha) : SIMD4(255, 255, 255, alpha)
    }
}
