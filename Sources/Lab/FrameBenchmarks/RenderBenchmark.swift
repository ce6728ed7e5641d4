import Evaluation
import FaceGeometry
import MaskComposition
import MaskRendering
import Masks
import Pixels

/// The cost of drawing each kind of layer: milliseconds from a picture in memory to a picture in memory.
package struct RenderBenchmark {
    /// A kind of layer.
    package struct Kind: Sendable {
        package let name: String
        /// Milliseconds, for each renderer.
        package internal(set) var samples: [Samples]

        /// How many times as fast the first renderer is as the last.
        package var ratio: Double {
            guard let first = samples.first, let last = samples.last, first.median > 0 else { return 0 }
            return last.median / first.median
        }
    }

    /// The first drawings load what is loaded once, and are not measured.
    private static let warmUp = 5

    /// The first one, a plain warp, is what the others are compared with.
    package private(set) var kinds: [Kind] = []

    /// - Parameters:
    ///   - renderers: draw in turns, so that what else the machine does concerns all.
    ///   - repetitions: the number of drawings that are measured.
    /// - Throws: `GraphicsError`, and `EvaluationError` if the measurement is stopped.
    package init(
        renderers: [MaskRenderer], reference: ReferenceFace, mesh: FaceMesh, repetitions: Int, isStopped: StopCheck
    ) throws {
        let composers = renderers.map { _ in MaskComposer(reference: reference, mesh: mesh) }
        for kind in try LayerKinds(reference: reference).all() {
            let scene = try RenderScene(people: kind.people, reference: reference)
            var result = Kind(name: kind.name, samples: renderers.map { _ in Samples(kind.name) })
            var frame = try scene.pixels.copy()
            for repetition in 0..<(repetitions + Self.warmUp) {
                for (index, renderer) in renderers.enumerated() {
                    try checkStop(isStopped)
                    frame.overwrite(with: scene.pixels)
                    let start = ContinuousClock.now
                    let list = composers[index].drawList(
                        kind.mask, on: scene.instances, at: Double(repetition) / 30, in: frame)
                    try renderer.execute(list, in: &frame, encoding: .video)
                    composers[index].recycle(list)
                    if repetition >= Self.warmUp { result.samples[index].add(ContinuousClock.now - start) }
                }
            }
            kinds.append(result)
        }
    }
}
