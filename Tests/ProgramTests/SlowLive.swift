import Foundation
import Synchronization
import TestSupport
import Testing

/// A session that is asked with `bauta control`.
struct SlowLive {
    let socket: String

    init(folder: String) { socket = folder + "/control" }

    func control(_ words: String...) throws -> ProgramRun {
        try ProgramRun.bauta(["control", "--socket", socket] + words)
    }

    /// A command on its way.
    final class Asked: Sendable {
        private let answer = Mutex<Result<ProgramRun, any Error>?>(nil)
        fileprivate func note(_ new: Result<ProgramRun, any Error>) { answer.withLock { $0 = new } }

        var isAnswered: Bool { answer.withLock { $0 != nil } }

        /// Waits for the answer.
        func output() throws -> String {
            try wait(for: "an answer") { isAnswered }
            let run = try answer.withLock { $0 }?.get()
            guard let run, run.exitCode == 0 else { throw WaitingFailure("refused: \(run?.error ?? "")") }
            return run.output.trimmingCharacters(in: .newlines)
        }
    }

    func asked(_ words: String...) -> Asked { asked(words) }

    func asked(_ words: [String]) -> Asked {
        let asked = Asked()
        let arguments = ["control", "--socket", socket] + words
        Thread.detachNewThread { asked.note(Result { try ProgramRun.bauta(arguments) }) }
        return asked
    }

    /// Waits until the session has processed so many frames more; 60 take two seconds.
    /// - Parameter gate: that something waits at meanwhile; nil: nothing need.
    func waitForFrames(_ count: Int, _ program: RunningProgram, while gate: FaultInjection.Gate? = nil) throws {
        if let gate { try program.wait(for: "a call that waits", look: { gate.isReached }) { $0 } }
        func frames() throws -> Int? {
            try control("status").output.firstMatch(of: /"frames": ([0-9]+)/).flatMap { Int($0.1) }
        }
        let before = try program.wait(for: "an answer", look: frames) { $0 != nil } ?? 0
        try program.wait(for: "\(count) frames", look: frames) { ($0 ?? 0) >= before + count }
    }
}
