import FaceGeometry
import MaskComposition
import MaskRendering
import Masks
import Pixels

/// The cost of drawing each kind of layer: milliseconds from a picture in memory to a picture in memory.
package struct RenderBenchmark {
    /// The first drawings load what is loaded once, and are not measured.
    private static let warmUp = 5

    /// Describes the renderer's OpenGL context.
    package let renderer: String
    /// Milliseconds of each kind of layer. The first one, a plain warp, is what the others are compared with.
    package private(set) var kinds: [Samples] = []

    /// - Parameter repetitions: the number of drawings that are measured.
    /// - Throws: `GraphicsError`, and `EvaluationError` if the measurement is stopped.
    package init(
        renderer: MaskRenderer, reference: ReferenceFace, repetitions: Int, isStopped: StopCheck
    ) throws {
        self.renderer = renderer.contextDescription
        for kind in try LayerKinds(reference: reference).all() {
            let scene = try RenderScene(people: kind.people, reference: reference)
            var samples = Samples(kind.name)
            for index in 0..<(repetitions + Self.warmUp) {
                try checkStop(isStopped)
                var frame = try scene.pixels.copy()
                let start = ContinuousClock.now
                try renderer.draw(
                    kind.mask, on: scene.instances, at: Double(index) / 30, in: &frame, encoding: .video)
                if index >= Self.warmUp { samples.add(ContinuousClock.now - start) }
            }
            kinds.append(samples)
        }
    }
}
