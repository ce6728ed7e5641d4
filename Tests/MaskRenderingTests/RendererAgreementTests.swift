import FaceGeometry
import Foundation
import ImageFiles
import MaskComposition
import MaskRendering
import Masks
import Pixels
import SyntheticFaces
import TestSupport
import Testing

/// Draws in software, as `sharedRenderer` does with OpenGL.
let sharedSoftwareRenderer = Result {
    RenderThread(softwareFor: try Repository.referenceFace(), mesh: try Repository.mesh())
}

/// Both renderers draw the same: in the faces' rectangles, components differ by at most 0.3 of 255 in the mean, and at most
/// 0.1 % of the pixels, on borders of triangles, by more than 3.
///
/// Of props, up to 3 % of the pixels, on outlines and where small triangles meet, and 0.5 in the mean may differ: OpenGL
/// shades each triangle there, and the software renderer each surface once.
///
/// Some modes amplify what lies below: where that differs by 1, the hue of nearly grey skin may turn. Over other layers, up
/// to 1 % of their pixels and 0.6 in the mean may differ.
@Suite struct RendererAgreementTests {
    let reference: ReferenceFace
    let composer: MaskComposer
    let openGL: RenderThread
    let software: RenderThread

    init() throws {
        reference = try Repository.referenceFace()
        composer = MaskComposer(reference: reference, mesh: try Repository.mesh())
        openGL = try sharedRenderer.get()
        software = try sharedSoftwareRenderer.get()
    }

    /// What both renderers draw, compared.
    /// - Parameter haze: over all layers; nil: that of the picture.
    private func compared(
        _ mask: Mask, on instances: [FaceInstance], in picture: borrowing PixelBuffer, encoding: ColorEncoding,
        haze: Haze? = nil, _ name: String
    ) throws -> (difference: Difference, isAgreed: Bool, description: String) {
        var list = composer.drawList(mask, on: instances, at: 0.3, in: picture)
        if let haze {
            for face in list.faces.indices {
                for call in list.faces[face].calls.indices { list.faces[face].calls[call].haze = haze }
            }
        }
        var drawn = try picture.copy()
        var inSoftware = try picture.copy()
        try openGL.perform { try $0.execute(list, in: &drawn, encoding: encoding) }
        try software.perform { try $0.execute(list, in: &inSoftware, encoding: encoding) }
        let difference = Difference(
            drawn, inSoftware, in: list.faces.map(\.rectangle), components: encoding.isOpaque ? 3 : 4)
        let limits = list.hasProps ? (0.5, 0.03) : list.amplifies ? (0.6, 0.01) : (0.3, 0.001)
        let isAgreed = difference.mean <= limits.0 && difference.share <= limits.1
        if !isAgreed {
            try Self.write(drawn, "\(name)-opengl")
            try Self.write(inSoftware, "\(name)-software")
        }
        return (difference, isAgreed, "\(name): \(difference); \(list.summary)")
    }

    private func check(
        _ mask: Mask, on instances: [FaceInstance], in picture: borrowing PixelBuffer, encoding: ColorEncoding,
        _ name: String
    ) throws {
        let result = try compared(mask, on: instances, in: picture, encoding: encoding, name)
        #expect(result.isAgreed, "\(result.description)")
    }

    /// Writes a picture to look at.
    private static func write(_ pixels: consuming PixelBuffer, _ name: String) throws {
        let folder = Repository.root + "/Tests/Failures"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try PictureWriter.write(
            Picture(pixels: pixels, hasAlpha: true), to: "\(folder)/\(name).png", options: .init(format: .png),
            replacing: true)
    }

    @Test(.slow, arguments: try Repository.maskNames()) func theGalleryAtFullSize(_ name: String) throws {
        let mask = try Repository.mask(name)
        for people in [["ada", "chidi"], ["finn", "dalia"]] {
            var picture = try PixelBuffer(width: 2 * Sample.width, height: Sample.height, format: .rgba8)
            var instances: [FaceInstance] = []
            for (index, person) in people.enumerated() {
                let sample = try #require(Sample.all.first { $0.name == person })
                let photograph = try PictureReader.read("\(Repository.root)/samples/\(person).jpg")
                for y in 0..<Sample.height {
                    picture.withMutableRow(y) { row in
                        for x in 0..<Sample.width {
                            row[index * Sample.width + x] = SIMD4<UInt8>(truncatingIfNeeded: photograph.pixels[x, y])
                        }
                    }
                }
                let offset = Point(Float(index * Sample.width), 0)
                let landmarks = sample.drawing(reference: reference).landmarks.mapped { $0 + offset }
                instances.append(
                    FaceInstance(face: Face(landmarks: landmarks, reference: reference), trackID: index + 1))
                instances[index].blinks = index
            }
            try check(mask, on: instances, in: picture, encoding: .video, "\(name)-\(people[0])")
            try check(mask, on: instances, in: picture, encoding: .init(), "\(name)-\(people[0])-transparent")
        }
    }

    @Test(arguments: SlowTests.areWanted ? 0..<48 : 0..<12) func randomScenes(_ number: Int) throws {
        let scene = try RandomScene(number, reference: reference)
        try check(scene.mask, on: scene.instances, in: scene.picture, encoding: scene.encoding, "random-\(number)")
    }

    @Test(arguments: 0..<12) func hazyScenes(_ number: Int) throws {
        let scene = try RandomScene(number, reference: reference)
        let haze = Haze(light: SIMD3(0.3, 0.2, 0.1), transmission: 0.6)
        let result = try compared(
            scene.mask, on: scene.instances, in: scene.picture, encoding: scene.encoding, haze: haze, "hazy-\(number)")
        // OpenGL rounds after each layer, and those are more layers of mixed colours.
        #expect(result.difference.mean <= 0.5 && result.difference.share <= 0.01, "\(result.description)")
    }

    /// A few scenes exceed the limits. Where half-transparent triangles overlap, OpenGL's fixed function draws both, and
    /// llvmpipe rounds to eight bits before it blends, which adds up when faces lie one over another.
    @Test(.slow) func fiveHundredRandomScenes() throws {
        var exceptions: [String] = []
        for number in 48..<548 {
            let scene = try RandomScene(number, reference: reference)
            let result = try compared(
                scene.mask, on: scene.instances, in: scene.picture, encoding: scene.encoding, "random-\(number)")
            #expect(result.difference.mean <= 0.7 && result.difference.share <= 0.05, "\(result.description)")
            if !result.isAgreed { exceptions.append(result.description) }
        }
        #expect(exceptions.count <= 25, "\(exceptions)")
    }
}

/// The difference of two pictures in some rectangles, in 255ths.
private struct Difference: CustomStringConvertible {
    /// Of the components.
    let mean: Double
    /// Of the pixels of which a component differs by more than 3.
    let share: Double
    let largest: Double

    init(_ a: borrowing PixelBuffer, _ b: borrowing PixelBuffer, in rectangles: [PixelRectangle], components: Int) {
        let unit = Double(a.format.maximum) / 255
        var (sum, count, above, largest) = (0.0, 0, 0, 0.0)
        for rectangle in rectangles {
            for y in rectangle.y..<(rectangle.y + rectangle.height) {
                for x in rectangle.x..<(rectangle.x + rectangle.width) {
                    let (p, q) = (SIMD4<Int32>(truncatingIfNeeded: a[x, y]), SIMD4<Int32>(truncatingIfNeeded: b[x, y]))
                    // What is transparent has no colour.
                    let weight = Double(max(p.w, q.w)) / Double(a.format.maximum)
                    let d = p &- q
                    let colors = SIMD3(Double(abs(d.x)), Double(abs(d.y)), Double(abs(d.z))) * weight / unit
                    let alpha = components == 4 ? Double(abs(d.w)) / unit : 0
                    let value = max(colors.max(), alpha)
                    sum += (colors.sum() + alpha) / Double(components)
                    count += 1
                    largest = max(largest, value)
                    if value > 3.01 { above += 1 }
                }
            }
        }
        mean = sum / Double(max(1, count))
        share = Double(above) / Double(max(1, count))
        self.largest = largest
    }

    var description: String { "mean \(mean), share above 3: \(100 * share) %, largest \(largest)" }
}

extension DrawList {
    /// Whether a mode with steep slopes is drawn on what was drawn before.
    fileprivate var amplifies: Bool {
        let steep: Set<BlendMode> = [.colorDodge, .colorBurn, .softLight, .hue, .saturation, .color]
        return faces.flatMap(\.calls).dropFirst().contains { steep.contains($0.blendMode) || $0.recolors }
    }

    fileprivate var hasProps: Bool {
        faces.flatMap(\.calls).contains { if case .scene = $0.source { true } else { false } }
    }

    fileprivate var summary: String {
        faces.map { face in
            let calls = face.calls.map { call in
                let source = if case .capture = call.source { "capture" } else { "texture" }
                return "\(source) \(call.blendMode) \(call.opacity)\(call.colorMatch == nil ? "" : " color")"
                    + (call.detail == nil ? "" : " detail")
            }
            return "\(face.rectangle): \(calls)"
        }
        .joined(separator: "; ")
    }
}
