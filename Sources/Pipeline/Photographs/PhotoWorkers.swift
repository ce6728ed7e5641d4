import PhotoRecords
import PictureMasking
import Synchronization
import Threads

/// Masks photographs on several threads.
///
/// The largest files come first, so that no thread is left alone with a large one at the end. One for which there is not
/// enough memory beside the others waits for its turn, and smaller ones are done meanwhile (`JobSchedule`).
package final class PhotoWorkers: Sendable {
    /// Statistics of the threads, once all have ended.
    package struct Times: Sendable {
        /// From their starts to their ends, all threads together.
        package var working = Duration.zero
        /// The activity of all threads together in that time.
        package var threads = ThreadTime()
        /// The activity of the drawing thread.
        package var drawing = ThreadTime()
        /// How long all threads together waited for memory.
        package var waitingForMemory = Duration.zero
        /// How long all threads together had ended before the last of them did.
        package var ended = Duration.zero
    }

    private struct State {
        var failure: (any Error)?
        var ends: [(start: ContinuousClock.Instant, end: ContinuousClock.Instant, time: ThreadTime)] = []
    }

    private let jobs: [PhotoJob]
    /// The numbers of the jobs, in the order in which they are done.
    private let order: [Int]
    private let studio: PhotoStudio
    private let options: PhotoOptions
    private let schedule: JobSchedule
    private let isStopped: @Sendable () -> Bool
    private let note: @Sendable (PhotoOutcome, Int) throws -> Void
    private let state = Mutex(State())
    private let handles = Mutex<[DedicatedThread.Handle]>([])

    /// - Parameters:
    ///   - isStopped: asked before each photograph; true ends the work.
    ///   - note: is given each outcome with the number of its job, on any of the threads. An error ends the work.
    package init(
        _ jobs: [PhotoJob], studio: PhotoStudio, options: PhotoOptions, isStopped: @escaping @Sendable () -> Bool,
        note: @escaping @Sendable (PhotoOutcome, Int) throws -> Void
    ) {
        self.jobs = jobs
        // Sorting is not stable by itself.
        order = jobs.indices.sorted { (-jobs[$0].size, $0) < (-jobs[$1].size, $1) }
        self.studio = studio
        self.options = options
        self.isStopped = isStopped
        self.note = note
        schedule = JobSchedule(count: jobs.count, memory: studio.memory)
    }

    /// - Parameter threads: at least 1; no more are started than there are photographs.
    package func start(threads: Int) {
        handles.withLock { handles in
            guard threads > 0, !jobs.isEmpty else { return }
            do throws(NoThread) {
                for _ in 0..<min(threads, jobs.count) { handles.append(try DedicatedThread.start { self.work() }) }
            } catch {
                // With fewer threads, the work takes longer.
                if handles.isEmpty { state.withLock { $0.failure = error } }
            }
        }
    }

    /// Waits for all threads.
    /// - Throws: the first error that concerns all photographs: of `note`, or of `PhotoMasker`; `NoThread`.
    package func join() throws -> Times {
        for handle in handles.withLock({ $0 }) { handle.join() }
        var times = Times()
        if options.drawsMask { try? studio.pictures.renderThread.perform { _ in times.drawing = .ofThisThread } }
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            for thread in state.ends {
                times.working += thread.end - thread.start
                times.threads.executing += thread.time.executing
                times.threads.ready += thread.time.ready
            }
            times.waitingForMemory = schedule.timeWaited
            let last = state.ends.map(\.end).max()
            for thread in state.ends { times.ended += thread.end.duration(to: last ?? thread.end) }
            return times
        }
    }

    private func work() {
        let start = ContinuousClock.now
        do {
            let masker = try PhotoMasker(studio: studio, options: options)
            while !isStopped(), let job = schedule.take({ masker.memoryToSetAside(for: jobs[order[$0]]) }) {
                defer { schedule.finish(job) }
                let number = order[job.number]
                try note(masker.process(jobs[number]), number)
            }
        } catch {
            state.withLock { state in
                if state.failure == nil { state.failure = error }
            }
        }
        if isStopped() || state.withLock({ $0.failure != nil }) { schedule.stop() }
        state.withLock { $0.ends.append((start, .now, .ofThisThread)) }
    }
}
