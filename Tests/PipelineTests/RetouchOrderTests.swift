import Compositing
import FaceGeometry
import MaskComposition
import MaskRendering
import Masks
import Pixels
import TestSupport
import Testing

/// The order in which a frame is changed: hair is dyed before the background is replaced, in which there may be people, too.
@Suite struct RetouchOrderTests {
    /// What has been done to the last frame, in order.
    private final class Steps {
        var names: [String] = []
    }

    private final class Retouch: FrameRetouch {
        let (name, steps, precedesEffect): (String, Steps, Bool)
        let (loss, needsPeople) = ("nothing", false)

        init(_ name: String, _ steps: Steps, precedesEffect: Bool) {
            (self.name, self.steps, self.precedesEffect) = (name, steps, precedesEffect)
        }

        func interrupt() {}
        func retouch(
            _ picture: inout PixelBuffer, before list: DrawList, on worn: [WornMask], at seconds: Double?
        ) throws { steps.names.append("\(name) of \(worn.count) with \(list.faces.count)") }
    }

    private final class Effect: FrameEffect {
        let steps: Steps

        init(_ steps: Steps) { self.steps = steps }

        func interrupt() {}
        func look(at picture: borrowing PixelBuffer) throws { steps.names.append("look") }
        func apply(to picture: inout PixelBuffer) throws { steps.names.append("effect") }
        func finish(_ picture: inout PixelBuffer) { steps.names.append("end") }
    }

    @Test func peopleAreSeenBeforeTheBackgroundIsReplaced() throws {
        let (reference, mesh) = (try Repository.referenceFace(), try Repository.mesh())
        let steps = Steps()
        var compositor = FaceCompositor(mask: try Repository.mask("skull"), reference: reference, mesh: mesh)
        compositor.effects.retouches = [
            Retouch("hat", steps, precedesEffect: false), Retouch("hair", steps, precedesEffect: true),
        ]
        let renderer = RenderThread(softwareFor: reference, mesh: mesh)
        func done(with effect: Effect?, isFaceThere: Bool) throws -> [String] {
            steps.names = []
            compositor.effects.chosen = effect
            var frame = Frame(try PixelBuffer(width: 64, height: 64, format: .rgba8), seconds: 0)
            let landmarks = reference.landmarks.mapped { 64 * $0 }
            if isFaceThere {
                frame.faces = [FaceInstance(face: Face(landmarks: landmarks, reference: reference), trackID: 1)]
            }
            try renderer.perform { try compositor.compose(&frame, with: $0) }
            return steps.names
        }
        #expect(
            try done(with: Effect(steps), isFaceThere: true) == [
                "look", "hair of 1 with 0", "effect", "hat of 1 with 1", "end",
            ])
        #expect(try done(with: nil, isFaceThere: true) == ["hat of 1 with 1", "hair of 1 with 1"])
        compositor.changeSource()
        #expect(
            try done(with: Effect(steps), isFaceThere: false) == [
                "look", "hair of 0 with 0", "effect", "hat of 0 with 0", "end",
            ])
    }
}
