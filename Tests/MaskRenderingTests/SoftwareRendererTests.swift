import AllocationCounter
import Dispatch
import FaceGeometry
import Foundation
import MaskComposition
import MaskRendering
import Masks
import Pixels
import SoftwareRendering
import TestSupport
import Testing
import Threads

/// What only the renderer in software promises.
@Suite struct SoftwareRendererTests {
    let reference: ReferenceFace
    let mesh: FaceMesh
    let composer: MaskComposer

    init() throws {
        reference = try Repository.referenceFace()
        mesh = try Repository.mesh()
        composer = MaskComposer(reference: reference, mesh: mesh)
    }

    private func renderer(threads: Int = 1, _ generation: ProcessorGeneration? = nil) -> SoftwareRenderer {
        SoftwareRenderer(
            mesh: mesh, reference: reference, threads: DrawingThreads(count: threads), generation: generation)
    }

    private func bytes(_ picture: borrowing PixelBuffer) -> [UInt8] {
        let rowBytes = picture.width * picture.format.bytesPerPixel
        let stride = picture.bytesPerRow
        return picture.withUnsafeBytes { bytes in
            (0..<(bytes.count / stride)).flatMap { Array(bytes[($0 * stride)..<($0 * stride + rowBytes)]) }
        }
    }

    /// With any number of threads, and on every generation of processors.
    @Test func picturesAreTheSameToTheBit() throws {
        let renderers =
            [renderer(threads: 2), renderer(threads: 5)]
            + ProcessorGeneration.supported.map { renderer($0) }
        #expect(renderers.count >= 3)
        for number in 0..<24 {
            let scene = try RandomScene(number, reference: reference)
            let list = composer.drawList(scene.mask, on: scene.instances, at: 0, in: scene.picture)
            var expected = try scene.picture.copy()
            try renderer().draw(list, in: &expected, encoding: scene.encoding)
            for renderer in renderers {
                var drawn = try scene.picture.copy()
                try renderer.draw(list, in: &drawn, encoding: scene.encoding)
                #expect(bytes(drawn) == bytes(expected), "scene \(number), \(renderer.description)")
            }
        }
    }

    /// A face that comes nearer needs larger copies; the smaller ones are freed.
    @Test func copiesOfGrowingFacesAreFreed() async {
        // In a process of its own: other tests would use memory at the same time.
        await #expect(processExitsWith: .success) {
            let tests = try SoftwareRendererTests()
            let live = Layer(
                .warp(WarpLayer(picture: .ownFace, textureCoordinates: tests.reference.vertices, openings: [])))
            let mask = Mask(name: "live", author: nil, license: nil, layers: [live], folder: "")
            var picture = try gradient(900, 900)
            let before = try tests.residentMemory()
            for _ in 0..<3 {
                let renderer = tests.renderer()
                for side in stride(from: 100, to: 800, by: 8) {
                    let list = tests.composer.drawList(
                        mask, on: [tests.instance(scale: Float(side), offset: Point(50, 50))], in: picture)
                    #expect(list.captures.count == 1)
                    try renderer.draw(list, in: &picture, encoding: .video)
                }
            }
            // Each was as large as the face: 300 MB together.
            #expect(try tests.residentMemory() < before + 150 << 20)
        }
    }

    /// Of this process, in bytes.
    private func residentMemory() throws -> Int {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return 4096 * (try #require(Int(pages[1])))
    }

    /// Where the system gives no more threads, the caller's draws all.
    @Test func picturesAreDrawnWithoutThreads() async {
        // In a process of its own, whose address space has no room for the stack of another thread.
        await #expect(processExitsWith: .success) {
            let tests = try SoftwareRendererTests()
            let picture = try gradient(600, 600)
            let list = tests.composer.drawList(
                try tests.mask(), on: [tests.instance(scale: 500, offset: Point(50, 50))], in: picture)
            var expected = try picture.copy()
            try tests.renderer().draw(list, in: &expected, encoding: .video)
            var drawn = try picture.copy()
            let renderer = tests.renderer(threads: 3)
            let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).prefix { $0 != " " }
            let most = rlim_t(4096 * (Int(pages) ?? 0) + 7 << 20)
            var limit = rlimit(rlim_cur: most, rlim_max: most)
            setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
            // Stacks of threads that have ended may be used again.
            let end = DispatchSemaphore(value: 0)
            while (try? DedicatedThread.start({ end.wait() })) != nil {}
            try renderer.draw(list, in: &drawn, encoding: .video)
            #expect(tests.bytes(drawn) == tests.bytes(expected))
        }
    }

    private func mask(_ change: (inout Layer) -> Void = { _ in }) throws -> Mask {
        let texture = Texture(path: "plain", pixels: try gradient(300, 300))
        var layer = Layer(
            .warp(WarpLayer(picture: .texture(texture), textureCoordinates: reference.vertices, openings: [])))
        change(&layer)
        return Mask(name: "plain", author: nil, license: nil, layers: [layer], folder: "")
    }

    private func instance(scale: Float, offset: Point, _ trackID: Int = 1) -> FaceInstance {
        let landmarks = reference.landmarks.mapped { offset + scale * $0 }
        return FaceInstance(face: Face(landmarks: landmarks, reference: reference), trackID: trackID)
    }

    /// Nothing is allocated for a picture like the one before, on the thread that draws.
    @Test func drawingAllocatesNothing() throws {
        let live = Layer(.warp(WarpLayer(picture: .ownFace, textureCoordinates: reference.vertices, openings: [])))
        let swap = Layer(.warp(WarpLayer(picture: .otherFace, textureCoordinates: reference.vertices, openings: [])))
        let plain = try mask()
        let lit = try mask { $0.light = LightMatching(shading: 0.5, detail: 0.5, color: 0.5) }
        let all = Mask(
            name: "all", author: nil, license: nil, layers: [live, swap] + plain.layers + lit.layers, folder: "")
        let people = [instance(scale: 250, offset: Point(20, 20)), instance(scale: 250, offset: Point(300, 60), 2)]
        let renderer = renderer(threads: 3)
        var picture = try gradient(600, 400)
        var counts: [UInt64] = []
        for frame in 0..<6 {
            let list = composer.drawList(all, on: people, at: Double(frame) / 30, in: picture)
            let before = allocation_count()
            try renderer.draw(list, in: &picture, encoding: .video)
            counts.append(allocation_count() - before)
        }
        #if !DEBUG
            #expect(counts.suffix(3) == [0, 0, 0], "\(counts)")
        #endif
    }

    /// Rows of any length, in both formats: nothing beyond their ends is read or written.
    @Test func smallPicturesAreDrawn() throws {
        let mask = try mask()
        let renderer = renderer()
        for format in [PixelFormat.rgba8, .rgba16] {
            for (width, height) in [(1, 1), (3, 40), (15, 2), (16, 16), (17, 5), (33, 31)] {
                var picture = try PixelBuffer(width: width, height: height, format: format)
                let list = composer.drawList(
                    mask, on: [instance(scale: 100, offset: Point(-40, -40))], in: picture)
                try renderer.draw(list, in: &picture, encoding: .video)
                #expect(picture[width / 2, height / 2].z > 0, "\(width) × \(height)")
            }
        }
    }

    /// Places that are no numbers, or that no picture contains.
    @Test func hostilePlacesAreLeftOut() throws {
        let mask = try mask()
        let renderer = renderer()
        let before = try gradient(200, 200)
        let list = composer.drawList(mask, on: [instance(scale: 180, offset: Point(10, 10))], in: before)
        for value in [Float.nan, .infinity, -.infinity, 1e30, -1e30, 3e7] {
            var broken = list
            for index in stride(from: 0, to: broken.faces[0].calls[0].geometry.positions.count, by: 3) {
                broken.faces[0].calls[0].geometry.positions[index].x = value
                broken.faces[0].calls[0].geometry.textureCoordinates[index] = Point(value, -value)
                broken.faces[0].calls[0].geometry.visibility[index] = value
            }
            var picture = try before.copy()
            try renderer.draw(broken, in: &picture, encoding: .video)
            broken = list
            for index in broken.faces[0].calls[0].geometry.textureCoordinates.indices {
                broken.faces[0].calls[0].geometry.textureCoordinates[index] = Point(value, -value)
            }
            try renderer.draw(broken, in: &picture, encoding: .video)
        }
    }
}
