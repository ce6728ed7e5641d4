import Compositing
import FaceGeometry
import Gaze
import MaskRendering
import NeuralNetworks
import Pixels
import SyntheticFaces
import TestSupport
import Testing
import Threads

/// Masks that ask for pupils get them, in photographs and in streams.
@Suite(
    .enabled(
        if: NetworkFolder.standard.isUsable,
        "MediaPipe's face networks are not installed; scripts/fetch-networks fetches them"))
struct GazeFollowerTests {
    private let reference: ReferenceFace
    private let renderer: RenderThread

    init() throws {
        reference = try Repository.referenceFace()
        renderer = RenderThread(shaders: try Repository.shaders(), reference: reference, mesh: try Repository.mesh())
    }

    /// A frame with a synthetic head, as an analyzer finds it.
    private func frame(turn: Float, closed: Bool = false, at seconds: Double?) throws -> Frame {
        var face = DrawnFace()
        face.expression.gazeTurn = turn
        if closed { (face.expression.rightEyeOpenness, face.expression.leftEyeOpenness) = (0, 0) }
        let person = try SyntheticPortrait(
            face, width: 110, height: 120, placement: DrawnFacePlacement(center: Point(55, 50), faceWidth: 90),
            quality: .samples(1), reference: reference)
        var frame = Frame(try person.pixels.copy(), seconds: seconds)
        var instance = person.instance
        instance.face.pupils = nil
        instance.signals[.gazeTurn] = 0
        frame.faces = [instance]
        return frame
    }

    private func turn(_ compositor: inout FaceCompositor, _ frame: consuming Frame) throws -> Float? {
        var frame = frame
        try renderer.perform { try compositor.compose(&frame, with: $0) }
        guard let instance = frame.chosenFaces.first, instance.face.pupils != nil else { return nil }
        return instance.signals[.gazeTurn]
    }

    @Test func photographs() throws {
        var compositor = try FaceCompositor(mask: try Repository.mask("owl"))
        for expected in [Float(-0.8), 0, 0.8] {
            let found = try #require(try turn(&compositor, frame(turn: expected, at: nil)))
            #expect(abs(found - expected) < 0.4)
        }
    }

    /// A stream does not load the network itself: it looks once another thread has, for a mask that asks for it.
    @Test func theNetworkIsSupplied() throws {
        let (owl, supply) = (try Repository.mask("owl"), SuppliedPupilFinder())
        var compositor = try FaceCompositor(mask: owl)
        compositor.usePupils(of: supply)
        #expect(try turn(&compositor, frame(turn: 0.8, at: 0)) == nil)
        try supply.prepare(for: Repository.mask("skull"))
        #expect(try turn(&compositor, frame(turn: 0.8, at: 0.1)) == nil)
        try DedicatedThread.start { #expect(throws: Never.self) { try supply.prepare(for: owl) } }.join()
        #expect(try turn(&compositor, frame(turn: 0.8, at: 0.2)) != nil)
        try supply.prepare(for: owl)
        #expect(try turn(&compositor, frame(turn: 0.8, at: 0.3)) != nil)
    }

    @Test func otherMasksDoNotLook() throws {
        var compositor = try FaceCompositor(mask: try Repository.mask("skull"))
        #expect(try turn(&compositor, frame(turn: 0.8, at: nil)) == nil)
    }

    /// Smoothed, and kept while the eyes are closed.
    @Test func streams() throws {
        var compositor = try FaceCompositor(mask: try Repository.mask("owl"))
        for index in 0..<4 { _ = try turn(&compositor, frame(turn: -0.8, at: Double(index) / 30)) }
        let aside = try #require(try turn(&compositor, frame(turn: 0.8, at: 4.0 / 30)))
        let later = try #require(try turn(&compositor, frame(turn: 0.8, at: 1)))
        #expect(aside < later && later > 0.4)
        let closed = try #require(try turn(&compositor, frame(turn: -0.8, closed: true, at: 1.1)))
        #expect(abs(closed - later) < 0.05)
    }
}
