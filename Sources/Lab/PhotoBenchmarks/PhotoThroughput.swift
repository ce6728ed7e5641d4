import Evaluation
import Files
import Glibc
import Installation
import Machine
import PhotoRecords
import Photographs
import PictureMasking
import Synchronization
import Threads

/// How fast many photographs are masked, as `bauta photo` does it: with all threads, reading and writing files and keeping
/// the journal; and what limited it.
package struct PhotoThroughput: Sendable {
    /// The limiting resource, for threads that neither work nor wait for a core.
    package enum Obstacle: String, CaseIterable, Sendable {
        /// For other photographs to give memory back.
        case memory
        /// For the thread that draws all masks.
        case drawing
        /// At the start for what is loaded once, and at the end for the last photographs.
        case ends
        /// For reading and writing files, and for whatever has no name here.
        case files
    }

    package let photographs: Int
    package let counts: [PhotoOutcome.Status: Int]
    package let threads: Int
    package let cores: Int
    /// From the first file that is looked for to the last one written.
    package let seconds: Double
    /// Processor time of this process and of the processes that decode for it, all threads together.
    package let processorSeconds: Double
    /// How long all threads together could have gone on, but other threads and programs had the cores.
    package let readySeconds: Double
    /// How long all threads together waited for each of these, without waiting for a core.
    package let idleSeconds: [Obstacle: Double]
    /// Milliseconds a photograph, in the order of `PhotoTimes.Stage`.
    package let stages: [Samples]
    /// Of this process, and of the largest of those that decode for it, in bytes.
    package let peakMemory: Int
    package let peakMemoryOfChildren: Int

    package var photographsPerSecond: Double { seconds > 0 ? Double(photographs) / seconds : 0 }

    /// Processor seconds for one photograph; what is no picture does not count.
    package var processorSecondsPerPhotograph: Double {
        processorSeconds / Double(max(1, photographs - (counts[.ignored] ?? 0)))
    }

    /// Processor time by the time of all cores, 0…1.
    package var shareOfMachine: Double { processorSeconds / max(1e-9, seconds * Double(cores)) }

    /// The part of the threads' time, 0…1, in which they worked, or waited for a core that other programs, or Bauta's other
    /// threads, had. The rest to 1 is idleness that a better program could avoid.
    package var shareOfThreads: Double {
        max(0, 1 - idleSeconds.values.reduce(0, +) / max(1e-9, seconds * Double(threads)))
    }

    /// Nil: the processor.
    package var limit: Obstacle? {
        if shareOfThreads > 0.95 { return nil }
        return idleSeconds.max { $0.value < $1.value }?.key
    }

    /// Masks photographs.
    /// - Parameters:
    ///   - start: when the photographs began to be listed.
    ///   - folder: of the results.
    ///   - threads: nil: one for each core.
    /// - Throws: `EvaluationError` if it is stopped; the errors of `PhotoStudio` and `PhotoMasker`.
    package init(
        _ jobs: [PhotoJob], since start: Start, options: PhotoOptions, data: DataFolder, results folder: FilePath,
        threads: Int?, isStopped: @escaping @Sendable () -> Bool
    ) throws {
        let settings = try PhotoSettings(options, masks: options.masks.map { try data.maskFolder($0) })
        let journal = try PhotoJournal(folder: folder, settings: settings)
        let studio = try PhotoStudio(options: options, data: data, journal: journal)
        let outcomes = Outcomes()
        let workers = PhotoWorkers(jobs, studio: studio, options: options, isStopped: isStopped) { outcome, _ in
            outcomes.note(outcome)
        }
        cores = MachineProcessors.count
        self.threads = min(threads ?? cores, jobs.count)
        let loaded = Start()
        workers.start(threads: self.threads)
        let times = try withExtendedLifetime(studio) { try workers.join() }
        let end = Start()
        try checkStop(isStopped)
        (counts, stages) = outcomes.result
        photographs = jobs.count
        seconds = (end.instant - start.instant) / .seconds(1)
        processorSeconds = end.processor - start.processor
        readySeconds = times.threads.ready / .seconds(1)
        idleSeconds = Self.idle(
            times, stages, loading: loaded.idle(since: start, threads: self.threads),
            children: end.children - start.children, isDrawing: options.isMasking && !options.anonymises)
        (peakMemory, peakMemoryOfChildren) = (Usage.own.peakMemory, Usage.children.peakMemory)
    }

    /// - Parameters:
    ///   - loading: thread seconds before the threads started.
    ///   - children: processor seconds of child processes, for which threads wait.
    ///   - isDrawing: whether the stage `render` is done by another thread.
    private static func idle(
        _ times: PhotoWorkers.Times, _ stages: [Samples], loading: Double, children: Double, isDrawing: Bool
    ) -> [Obstacle: Double] {
        func total(_ stage: PhotoTimes.Stage) -> Double {
            (stages.first { $0.name == stage.rawValue }?.total ?? 0) / 1000
        }
        let memory = times.waitingForMemory / .seconds(1)
        let blocked = (times.working - times.threads.executing - times.threads.ready) / .seconds(1)
        let drawing = isDrawing ? total(.wait) + total(.render) : 0
        return [
            .memory: memory,
            // That the thread that draws had no core is no fault of its own.
            .drawing: isDrawing ? max(0, total(.wait) - times.drawing.ready / .seconds(1)) : 0,
            .ends: loading + times.ended / .seconds(1),
            .files: max(0, blocked - memory - drawing - children),
        ]
    }

    /// An instant, and what had been done by then.
    package struct Start: Sendable {
        let instant = ContinuousClock.now
        /// Processor seconds of this process and of its children.
        let own = Usage.own.seconds
        let children = Usage.children.seconds
        let thread = ThreadTime.ofThisThread

        var processor: Double { own + children }

        package init() {}

        /// The thread seconds since an earlier instant in which so many threads might have worked and did not. While this
        /// thread waited for a core, none was free.
        fileprivate func idle(since start: Start, threads: Int) -> Double {
            let elapsed = (instant - start.instant) / .seconds(1) - (thread.ready - start.thread.ready) / .seconds(1)
            return max(0, elapsed * Double(threads) - (own - start.own))
        }
    }
}

/// The resources used by processes, as the system reports them.
private struct Usage {
    /// Of the processor, in seconds.
    let seconds: Double
    /// In bytes.
    let peakMemory: Int

    static var own: Usage { Usage(RUSAGE_SELF.rawValue) }
    /// Of those that have ended.
    static var children: Usage { Usage(RUSAGE_CHILDREN.rawValue) }

    private init(_ who: Int32) {
        var usage = rusage()
        getrusage(who, &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        let (user, system): (Double, Double) = (seconds(usage.ru_utime), seconds(usage.ru_stime))
        self.seconds = user + system
        peakMemory = 1024 * usage.ru_maxrss
    }
}

/// Collects the outcomes of several threads.
private final class Outcomes: Sendable {
    private struct State {
        var counts: [PhotoOutcome.Status: Int] = [:]
        var stages = PhotoTimes.Stage.allCases.map { Samples($0.rawValue) }
    }

    private let state = Mutex(State())

    func note(_ outcome: PhotoOutcome) {
        state.withLock { state in
            state.counts[outcome.status, default: 0] += 1
            guard outcome.width != nil else { return }
            for (place, stage) in PhotoTimes.Stage.allCases.enumerated() {
                state.stages[place].add(outcome.times[stage])
            }
        }
    }

    var result: (counts: [PhotoOutcome.Status: Int], stages: [Samples]) { state.withLock { ($0.counts, $0.stages) } }
}
