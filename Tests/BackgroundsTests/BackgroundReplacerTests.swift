import Backgrounds
import Compositing
import FaceGeometry
import ImageFiles
import MaskRendering
import Masks
import NeuralNetworks
import Pixels
import TestSupport
import Testing

private let absence: Comment = "MediaPipe's networks of people are not installed; scripts/fetch-networks fetches them"

@Suite struct BackgroundReplacerTests {
    @Test func choicesAreRead() {
        #expect(BackgroundChoice("blur") == .blur)
        #expect(BackgroundChoice("#00fF80") == .color(red: 0, green: 255, blue: 128))
        #expect(BackgroundChoice("transparent") == .transparent)
        for wrong in ["", "#", "#00ff0", "#00ff000", "#+0ff00", "#00ff0g"] as [String] {
            #expect(BackgroundChoice(.init(wrong)) == nil, "\(wrong)")
        }
        #expect(BackgroundChoice("beach at night.jpg") == .picture("beach at night.jpg"))
        for text in ["blur", "transparent", "#00ff80", "/beach at night.jpg"] {
            #expect(BackgroundChoice(.init(text))?.text == text)
        }
        #expect(BackgroundChoice.masksAlone.text == nil && BackgroundChoice("#0Aff00")?.text == "#0aff00")
    }

    private static func portrait() throws -> PixelBuffer {
        try PictureReader.read(Repository.root + "/samples/ada.jpg").pixels.copy()
    }

    @Test(.enabled(if: NetworkFolder.standard.hasPerson, absence))
    func aPersonStandsBeforeAColour() throws {
        let portrait = try Self.portrait()
        var picture = try portrait.copy()
        let replacer = try BackgroundReplacer(.color(red: 0, green: 255, blue: 0), networks: .standard)
        try replacer.apply(to: &picture)
        let (width, height) = (picture.width, picture.height)
        #expect(picture[2, 2] == SIMD4(0, 255, 0, 255))
        #expect(picture[width - 3, 2] == SIMD4(0, 255, 0, 255))
        #expect(picture[width / 2, height / 2] == portrait[width / 2, height / 2], "the face stays as it is")
    }

    /// The edge does not jump with the noise of each frame; what is new is seen at once.
    @Test(.enabled(if: NetworkFolder.standard.hasPerson, absence))
    func anotherSceneIsNotMixedWithTheOneBefore() throws {
        let portrait = try Self.portrait()
        let replacer = try BackgroundReplacer(.color(red: 0, green: 255, blue: 0), networks: .standard)
        var empty = try PixelBuffer(width: portrait.width, height: portrait.height, format: .rgba8)
        empty.fill(SIMD4(90, 110, 140, 255))
        try replacer.apply(to: &empty)
        var after = try portrait.copy()
        replacer.interrupt()
        try replacer.apply(to: &after)
        var alone = try portrait.copy()
        try BackgroundReplacer(.color(red: 0, green: 255, blue: 0), networks: .standard).apply(to: &alone)
        for y in stride(from: 0, to: alone.height, by: 7) {
            for x in stride(from: 0, to: alone.width, by: 7) where after[x, y] != alone[x, y] {
                Issue.record("\(x), \(y) differ")
                return
            }
        }
    }

    @Test(.enabled(if: NetworkFolder.standard.hasPerson, absence))
    func aPictureIsCroppedToTheFrame() throws {
        let folder = try TemporaryFolder()
        // Red, white, and red again, from left to right: the red sides are cut off.
        var stripes = try PixelBuffer(width: 300, height: 60, format: .rgba8)
        stripes.fill(SIMD4(255, 0, 0, 255))
        for y in 0..<60 { stripes.fill(100..<200, ofRow: y, with: SIMD4(255, 255, 255, 255)) }
        let path = folder.path + "/stripes.png"
        try PictureWriter.write(Picture(pixels: stripes), to: path, options: .init(format: .png), replacing: false)
        var picture = try Self.portrait()
        try BackgroundReplacer(.picture(.init(path)), networks: .standard).apply(to: &picture)
        #expect(picture[2, 2] == SIMD4(255, 255, 255, 255))
        #expect(picture[picture.width - 3, 2] == SIMD4(255, 255, 255, 255))
    }

    private static func mask(_ background: Mask.Background?) -> Mask {
        Mask(name: "m", author: nil, license: nil, layers: [], background: background, folder: "")
    }

    /// The mask's background is replaced while it is on, in a photograph, too; the user's own choice comes before it.
    @Test(.enabled(if: NetworkFolder.standard.hasPerson, absence))
    func aMaskBringsItsBackground() throws {
        let portrait = try Self.portrait()
        let renderer = RenderThread(softwareFor: try Repository.referenceFace(), mesh: try Repository.mesh())
        var compositor = FaceCompositor(
            mask: Self.mask(.color(red: 0, green: 255, blue: 0)), reference: try Repository.referenceFace(),
            mesh: try Repository.mesh())
        compositor.effects = try FrameEffects(nil, networks: .standard)
        func corner() throws -> SIMD4<UInt16> {
            var color = SIMD4<UInt16>.zero
            try renderer.perform {
                color = try compositor.masked(try Self.portrait(), on: [], encoding: .video, with: $0)[2, 2]
            }
            return color
        }
        #expect(try corner() == SIMD4(0, 255, 0, 255))
        compositor.mask = Self.mask(.color(red: 255, green: 0, blue: 0))
        #expect(try corner() == SIMD4(255, 0, 0, 255))
        compositor.isOff = true
        #expect(try corner() == portrait[2, 2])
        compositor.isOff = false
        compositor.mask = Self.mask(nil)
        #expect(try corner() == portrait[2, 2])
        compositor.mask = Self.mask(.blur)
        compositor.effects = try FrameEffects(.color(red: 1, green: 2, blue: 3), networks: .standard)
        #expect(try corner() == SIMD4(1, 2, 3, 255))
    }

    /// Of the picture under the masks, nothing is left: neither where no mask is, nor in the colours of transparent pixels.
    @Test func masksAloneAreShown() throws {
        let (reference, mesh) = (try Repository.referenceFace(), try Repository.mesh())
        let texture = Texture(path: "plain", pixels: try plain(16, 16, SIMD4(200, 60, 30, 255)))
        let layer = Layer(
            .warp(WarpLayer(picture: .texture(texture), textureCoordinates: reference.vertices, openings: [])))
        let mask = Mask(name: "m", author: nil, license: nil, layers: [layer], folder: "")
        var compositor = FaceCompositor(mask: mask, reference: reference, mesh: mesh)
        compositor.effects = try FrameEffects(.masksAlone, networks: NetworkFolder(path: "/nowhere"))
        let landmarks = reference.landmarks.mapped { Point(30, 30) + 200 * $0 }
        let face = FaceInstance(face: Face(landmarks: landmarks, reference: reference), trackID: 1)
        let renderer = RenderThread(softwareFor: reference, mesh: mesh)
        var alpha = [Int](repeating: 0, count: 3)
        try renderer.perform {
            let room = try plain(260, 260, SIMD4(10, 200, 90, 255))
            let picture = try compositor.masked(room, on: [face], encoding: .video, with: $0)
            for y in 0..<260 {
                for x in 0..<260 {
                    let pixel = picture[x, y]
                    alpha[pixel.w == 0 ? 0 : pixel.w == 255 ? 2 : 1] += 1
                    // Of hardly visible ones, colours are rounded.
                    if pixel.w == 0 ? pixel != .zero : pixel.w > 32 && pixel.y > 80 {
                        Issue.record("\(x), \(y): \(pixel)"); return
                    }
                }
            }
        }
        #expect(alpha[0] > 20_000 && alpha[1] > 100 && alpha[2] > 5_000, "\(alpha)")
    }

    /// Where the network is missing, the mask is drawn without a background, which is said once; without somebody to tell, it
    /// is an error.
    @Test func withoutANetworkTheBackgroundStays() throws {
        let folder = try TemporaryFolder()
        let renderer = RenderThread(softwareFor: try Repository.referenceFace(), mesh: try Repository.mesh())
        var compositor = FaceCompositor(
            mask: Self.mask(.blur), reference: try Repository.referenceFace(), mesh: try Repository.mesh())
        compositor.effects = try FrameEffects(nil, networks: NetworkFolder(path: folder.path))
        func corner() throws -> SIMD4<UInt16> {
            var color = SIMD4<UInt16>.zero
            try renderer.perform {
                color = try compositor.masked(try Self.portrait(), on: [], encoding: .video, with: $0)[2, 2]
            }
            return color
        }
        #expect(throws: (any Error).self) { try corner() }
        var warnings: [FrameWarning] = []
        compositor.warn = { warnings.append($0) }
        for _ in 0..<2 { #expect(try corner() == Self.portrait()[2, 2]) }
        #expect(warnings.count == 1 && warnings.first?.isOfMissingNetwork == true)
        #expect(warnings.first?.description.contains("the background of the mask is left out") == true)
        // One that is there, and damaged, is another matter.
        for network in NetworkFolder.Network.allCases { _ = try folder.write("x", network.rawValue) }
        compositor.effects = try FrameEffects(nil, networks: NetworkFolder(path: folder.path))
        _ = try corner()
        #expect(warnings.count == 2 && warnings.last?.isOfMissingNetwork == false)
    }
}
