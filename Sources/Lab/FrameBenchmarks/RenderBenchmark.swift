import Compositing
import Evaluation
import FaceGeometry
import Glibc
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
        /// Milliseconds that all threads together computed, for each renderer. What else the machine does matters little.
        package internal(set) var processorTimes: [Samples]

        init(name: String, renderers: Int) {
            self.name = name
            samples = (0..<renderers).map { _ in Samples(name) }
            processorTimes = samples
        }

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
    ///   - masks: whose drawing is measured; nil: that of each kind of layer.
    ///   - repetitions: the number of drawings that are measured.
    /// - Throws: `GraphicsError`, and `EvaluationError` if the measurement is stopped.
    package init(
        renderers: [MaskRenderer], masks: [(name: String, mask: Mask)]? = nil, reference: ReferenceFace, mesh: FaceMesh,
        repetitions: Int, isStopped: StopCheck
    ) throws {
        let composers = renderers.map { _ in MaskComposer(reference: reference, mesh: mesh) }
        let chosen = masks?.map { LayerKinds.Kind(name: $0.name, mask: $0.mask) }
        for kind in try chosen ?? LayerKinds(reference: reference).all() {
            let scene = try RenderScene(people: kind.people, reference: reference)
            var result = Kind(name: kind.name, renderers: renderers.count)
            var frame = try scene.pixels.copy()
            let comics = renderers.map { _ in ComicDrawer() }
            let worn = scene.instances.map { WornMask(kind.mask, on: $0) }
            for repetition in 0..<(repetitions + Self.warmUp) {
                for (index, renderer) in renderers.enumerated() {
                    try checkStop(isStopped)
                    frame.overwrite(with: scene.pixels)
                    let (start, computed) = (ContinuousClock.now, Self.processorTime())
                    let list = composers[index].drawList(
                        kind.mask, on: scene.instances, at: Double(repetition) / 30, in: frame)
                    try comics[index].retouch(&frame, before: list, on: worn, at: Double(repetition) / 30)
                    try renderer.execute(list, in: &frame, encoding: .video)
                    composers[index].recycle(list)
                    guard repetition >= Self.warmUp else { continue }
                    result.samples[index].add(ContinuousClock.now - start)
                    result.processorTimes[index].add(Self.processorTime() - computed)
                }
            }
            kinds.append(result)
        }
    }

    /// Of the process until now.
    private static func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
