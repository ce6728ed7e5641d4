import LiveControl
import Pixels

/// What waits for the next frame, for a mask or for a recording: what keys have asked for, and commands of other programs,
/// which get their replies then. A refused command does not take effect later.
final class PendingRequests {
    /// The handling of a command from another program.
    enum Answer {
        case reply(ControlReply)
        case later(Event)

        static func done(_ text: String = "") -> Answer { .reply(.done(text)) }
    }

    enum Event: Equatable {
        /// A frame for a snapshot.
        case snapshot
        case recordingStarts, recordingIsComplete
        /// The mask of this index has been loaded, or cannot be.
        case mask(Int)
    }

    private struct Waiting {
        let request: ControlServer.Request
        let event: Event
        let since = ContinuousClock.now
    }

    private let server: ControlServer?
    private var waiting: [Waiting] = []
    /// Whether keys have asked for the next frame as a snapshot.
    private var wantsSnapshot = false
    /// Whether a recording starts with the next frame.
    private(set) var wantsRecording = false

    /// Commands that wait for a frame are refused after so many seconds.
    private static let longestWait = 5.0

    /// - Parameter server: nil: other programs are not served.
    init(_ server: ControlServer?) { self.server = server }

    func snapshot() { wantsSnapshot = true }
    func startRecording() { wantsRecording = true }

    /// Takes the commands that have come, and replies to those for which it is time. To be called for each frame.
    /// - Parameters:
    ///   - execute: carries out a command.
    ///   - reply: to a command that waits; nil: what it waits for has not happened yet.
    ///   - refusal: why no frame comes.
    func serve(execute: (ControlCommand) -> Answer, reply: (Event) -> ControlReply?, refusal: () -> String) {
        guard let server else { return }
        for _ in 0..<ControlServer.mostClients {
            guard let request = server.next() else { break }
            switch execute(request.command) {
            case .reply(let reply): server.reply(reply, to: request)
            case .later(let event): waiting.append(Waiting(request: request, event: event))
            }
        }
        waiting.removeAll { waiting in
            if let reply = reply(waiting.event) {
                server.reply(reply, to: waiting.request)
                return true
            }
            guard isLate(waiting) else { return false }
            if waiting.event == .recordingStarts { wantsRecording = false }
            server.reply(.refused(refusal()), to: waiting.request)
            return true
        }
    }

    /// Whether a command has waited too long for a frame.
    private func isLate(_ waiting: Waiting) -> Bool {
        let needsFrame = waiting.event == .snapshot || (waiting.event == .recordingStarts && wantsRecording)
        return needsFrame && ContinuousClock.now - waiting.since > .seconds(Self.longestWait)
    }

    /// Whether the next frame is saved as a snapshot.
    var takesSnapshot: Bool { wantsSnapshot || waiting.contains { $0.event == .snapshot } }

    /// - Returns: whether a recording starts with this frame.
    func takeRecording() -> Bool {
        defer { wantsRecording = false }
        return wantsRecording
    }

    /// Saves a frame, once for the keys and once for each command that waits for it: whoever asks gets a file of their own.
    func saveSnapshots(_ pixels: borrowing PixelBuffer, with outputs: LiveOutputs) {
        if wantsSnapshot { outputs.saveSnapshot(pixels) }
        wantsSnapshot = false
        let snapshots = waiting.filter { $0.event == .snapshot }
        waiting.removeAll { $0.event == .snapshot }
        for waiting in snapshots {
            outputs.saveSnapshot(pixels) { [server] result in
                switch result {
                case .success(let path): server?.reply(.done(path.description), to: waiting.request)
                case .failure(let error): server?.reply(.refused("\(error)"), to: waiting.request)
                }
            }
        }
    }

    /// Takes no more commands. Those that wait are refused.
    func stop() { server?.stop() }
}
