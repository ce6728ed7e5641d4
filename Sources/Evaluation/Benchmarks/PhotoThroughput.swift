import Files
import Glibc
import Masking
import Synchronization

/// How fast many photographs are masked, as `bauta photo` does it: with all threads, reading and writing files and keeping
/// the journal; and what limited it.
package struct PhotoThroughput: Sendable {
    /// What threads wait for that neither work nor wait for a core.
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
    /// How long all threads together could have gone on, but all cores were taken.
    package let readySeconds: Double
    /// How long all threads together waited for each of these.
    package let idleSeconds: [Obstacle: Double]
    /// Milliseconds a photograph, in the order of `PhotoTimes.Stage`.
    package let stages: [Samples]
    /// Of this process, and of the largest of those that decode for it, in bytes.
    package let peakMemory: Int
    package let peakMemoryOfChildren: Int

    package var photographsPerSecond: Double { seconds > 0 ? Double(photographs) / seconds : 0 }

    /// Processor time by the time of all cores, 0…1.
    package var shareOfMachine: Double { processorSeconds / max(1e-9, seconds * Double(cores)) }

    /// The part of the threads' time, 0…1, in which they worked, or waited for a core that other programs, or Bauta's other
    /// threads, had. What is missing to 1 is idleness that a better program could avoid.
    package var shareOfThreads: Double {
        min(1, (processorSeconds + readySeconds) / max(1e-9, seconds * Double(threads)))
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
        let settings = try PhotoSettings(options, mask: data.maskFolder(options.mask))
        let journal = PhotoJournal(folder: folder, settings: settings)
        let studio = try PhotoStudio(options: options, data: data, journal: journal)
        let outcomes = Outcomes()
        let workers = PhotoWorkers(jobs, studio: studio, options: options, isStopped: isStopped) { outcome, _ in
            outcomes.note(outcome)
        }
        cores = PhotoWorkers.defaultThreads
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
        readySeconds = times.ready / .seconds(1)
        let loading = (loaded.instant - start.instant) / .seconds(1) * Double(self.threads)
        var idle = [Obstacle: Double]()
        idle[.memory] = times.waitingForMemory / .seconds(1)
        idle[.drawing] = (stages.first { $0.name == PhotoTimes.Stage.wait.rawValue }?.values.reduce(0, +) ?? 0) / 1000
        idle[.ends] = max(0, loading - (loaded.processor - start.processor)) + times.ended / .seconds(1)
        let all = seconds * Double(self.threads) - processorSeconds - readySeconds
        idle[.files] = max(0, all - idle.values.reduce(0, +))
        idleSeconds = idle
        (peakMemory, peakMemoryOfChildren) = (Usage.own.peakMemory, Usage.children.peakMemory)
    }

    /// An instant, and the processor time until then.
    package struct Start: Sendable {
        let instant = ContinuousClock.now
        let processor = Usage.own.seconds + Usage.children.seconds

        package init() {}
    }
}

/// What the system says that processes have used.
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
        seconds = [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
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
