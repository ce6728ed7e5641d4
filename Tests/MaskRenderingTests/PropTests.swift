import FaceGeometry
import GLTF
import ImageFiles
import MaskComposition
import MaskRendering
import Masks
import Pixels
import SoftwareRendering
import SyntheticFaces
import TestSupport
import Testing

/// Props on synthetic heads.
@Suite struct PropTests {
    let reference: ReferenceFace

    init() throws { reference = try Repository.referenceFace() }

    /// Yaw and pitch in degrees.
    static let poses: [(yaw: Float, pitch: Float)] = [(-45, 0), (-20, 15), (0, 0), (20, -15), (45, 0)]
    static let props = ["diver", "horns", "spectacles", "top-hat"]
    static let width = 300
    static let height = 380

    /// A person in five poses.
    private static let people = Result { try portraits(mouthOpening: 0) }
    private static let speakers = Result { try portraits(mouthOpening: 0.8) }

    private static func portraits(mouthOpening: Float) throws -> [(picture: Texture, instance: FaceInstance)] {
        let reference = try Repository.referenceFace()
        return try poses.map { pose in
            var person = DrawnFace()
            person.expression.mouthOpening = mouthOpening
            person.pose = Pose(yaw: pose.yaw * .pi / 180, pitch: pose.pitch * .pi / 180, roll: 0)
            let placement = DrawnFacePlacement(center: Point(150, 230), faceWidth: 130)
            let portrait = try SyntheticPortrait(
                person, width: width, height: height, placement: placement, quality: .adaptive, reference: reference)
            let instance = portrait.instance
            return (picture: Texture(path: "", pixels: try portrait.pixels.copy()), instance: instance)
        }
    }

    /// They wear a mask, side by side, each in a picture of its own.
    private func drawn(
        _ mask: Mask, on people: [(picture: Texture, instance: FaceInstance)], with renderer: RenderThread
    ) throws -> PixelBuffer {
        var result = try PixelBuffer(width: Self.width * Self.poses.count, height: Self.height, format: .rgba8)
        for (index, person) in people.enumerated() {
            var pixels = try person.picture.pixels.copy()
            let instance = person.instance
            try renderer.perform { try $0.draw(mask, on: [instance], in: &pixels, encoding: .video) }
            for y in 0..<Self.height {
                result.withMutableRow(y) { row in
                    for x in 0..<Self.width {
                        row[index * Self.width + x] = SIMD4<UInt8>(truncatingIfNeeded: pixels[x, y])
                    }
                }
            }
        }
        return result
    }

    @Test(.slow, arguments: props) func theGalleryInFivePoses(_ name: String) throws {
        try check(name, on: try Self.people.get(), golden: "prop-\(name)")
    }

    @Test func theMouthOpensTheJaw() throws {
        try check("frog", on: try Self.speakers.get(), golden: "prop-frog-open")
    }

    private func check(
        _ name: String, on people: [(picture: Texture, instance: FaceInstance)], golden file: String
    ) throws {
        let mask = try Repository.mask(name)
        for renderer in [try sharedSoftwareRenderer.get(), try sharedRenderer.get()] {
            // Where small triangles meet, OpenGL shades each, and the software renderer each surface once.
            var golden = GoldenPicture()
            golden.exceptions = 0.01
            try golden.check(try drawn(mask, on: people, with: renderer).halved(), name: file)
        }
    }
}
