import Display
import FaceGeometry
import MaskAuthoring
import Pixels

/// The reference face, so that who paints on an empty picture sees where eyes and mouth will be: faint under the paint, and its
/// features as light and shade over it, which leave the paint its colour.
final class FaceGuide {
    struct Panels {
        let below: PanelPicture
        let above: PanelPicture
    }

    private let assets: AuthoringAssets
    /// Nil: they have not been made; of a face that could not be drawn, there are none.
    private var panels: Panels??
    /// Of the pictures, in pixels.
    private static let side = 512
    /// The opacity of the face under the paint, of 255.
    private static let faintness = 150
    /// The mean distance of a painting's points from those of the reference face, as a part of its side, up to which it is
    /// painted on that face, and not on another one.
    private static let tolerance: Float = 0.04

    init(_ assets: AuthoringAssets) { self.assets = assets }

    /// - Parameters:
    ///   - vertices: the mesh's on the texture, in its pixels.
    ///   - size: of the texture, in pixels.
    /// - Returns: nil: the texture is of another face.
    func panels(for vertices: [Point], size: Point) -> Panels? {
        let pairs = zip(vertices, assets.reference.vertices)
        let distance = pairs.reduce(Float(0)) { $0 + ($1.0 / size - $1.1).length } / Float(max(1, vertices.count))
        guard distance < Self.tolerance else { return nil }
        if panels == nil { panels = .some(try? make()) }
        return panels ?? nil
    }

    private func make() throws -> Panels {
        var face = try TemplateFace.synthetic(side: Self.side, renderer: .software, assets: assets)
        var features = try face.copy()
        let mean = max(1, Self.meanBrightness(face))
        for y in 0..<Self.side {
            features.withMutableRow(y) { row in
                for x in row.indices { row[x] = Self.feature(row[x], mean) }
            }
            face.withMutableRow(y) { row in
                for x in row.indices { row[x].w = UInt8(Int(row[x].w) * Self.faintness / 255) }
            }
        }
        return Panels(below: PanelPicture(face, for: .photograph), above: PanelPicture(features, for: .photograph))
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
        let strength = difference < 0 ? -200 * difference / mean : 110 * difference / max(1, 255 - mean)
        let alpha = UInt8(min(255, strength) * Int(pixel.w) / 255)
        return difference < 0 ? SIMD4(0, 0, 0, alpha) : SIMD4(255, 255, 255, alpha)
    }
}
