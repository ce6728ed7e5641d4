import JSON
import LiveControl

/// What other programs ask for through the control socket. They get what the keys do.
extension LiveSession {
    /// A command that is answered later.
    struct WaitingCommand {
        enum Event {
            case snapshot, recordingStarts, recordingIsComplete
        }

        let request: ControlServer.Request
        /// What it waits for.
        let event: Event
        let since = ContinuousClock.now
    }

    /// Commands that wait for a frame are refused after so many seconds.
    private static let longestWait = 5.0

    /// Performs the commands that have come. To be called for each frame.
    func serveControl() {
        guard let control else { return }
        for _ in 0..<ControlServer.mostClients {
            guard let request = control.next() else { break }
            switch perform(request.command) {
            case .reply(let reply): control.reply(reply, to: request)
            case .later(let event): waitingCommands.append(WaitingCommand(request: request, event: event))
            }
        }
        if !outputs.isCompletingRecording { answerCommands("", waitingFor: .recordingIsComplete) }
        waitingCommands.removeAll { waiting in
            guard waiting.event != .recordingIsComplete,
                ContinuousClock.now - waiting.since > .seconds(Self.longestWait)
            else { return false }
            // What has been refused does not happen later.
            if waiting.event == .recordingStarts { wantsRecording = false }
            let reason = source.isPaused ? "the session is paused" : "no picture has come from the source"
            control.reply(.refused(reason), to: waiting.request)
            return true
        }
    }

    enum Answer {
        case reply(ControlReply)
        case later(WaitingCommand.Event)

        fileprivate static func done(_ text: String = "") -> Answer { .reply(.done(text)) }
    }

    func perform(_ command: ControlCommand) -> Answer {
        switch command {
        case .wear(let name):
            guard let index = masks.entries.firstIndex(where: { $0.name == name }) else {
                return .reply(.refused("there is no mask '\(name)'; 'masks' lists them"))
            }
            return .reply(wear(index))
        case .next: return .reply(wear(masks.index(behind: 1)))
        case .previous: return .reply(wear(masks.index(behind: -1)))
        case .mask(let change): setMaskOff(!change.applied(to: !isMaskOff))
        case .cover(let change): setCovered(change.applied(to: isCovered))
        case .record(let change):
            guard change.applied(to: outputs.isRecording) != outputs.isRecording else {
                return .done(outputs.recordingName ?? "")
            }
            toggleRecording()
            return .later(wantsRecording ? .recordingStarts : .recordingIsComplete)
        case .snapshot:
            wantsSnapshot = true
            return .later(.snapshot)
        case .masks: return .done(JSONValue.array(masks.entries.map { .string($0.name) }).text())
        case .status: return .done(status.text())
        case .quit: isRunning = false
        }
        return .done()
    }

    private func wear(_ index: Int) -> ControlReply {
        choose(index)
        return masks.current.error.map { .refused($0) } ?? .done(masks.current.name)
    }

    /// Answers the commands that have waited for something.
    /// - Parameter result: nil: they have failed, and a message says why.
    func answerCommands(_ result: String?, waitingFor event: WaitingCommand.Event) {
        let reply = result.map { ControlReply.done($0) } ?? .refused(messages.current?.text ?? "it has failed")
        for waiting in waitingCommands where waiting.event == event {
            control?.reply(reply, to: waiting.request)
        }
        waitingCommands.removeAll { $0.event == event }
    }

    private var status: JSONValue {
        .object([
            "mask": .string(masks.current.name), "maskIsOn": .bool(!isMaskOff), "isCovered": .bool(isCovered),
            "recording": outputs.recordingName.map { .string($0) } ?? .null, "isPaused": .bool(source.isPaused),
            "isHandsFree": .bool(handsFree != nil),
            "source": .string(source.description.name), "hasEnded": .bool(source.status.hasEnded),
            "frames": .integer(frameCount),
            "framesPerSecond": .real((10 * statistics.last.framesPerSecond).rounded() / 10),
            "waiting": source.status.waiting.map { .string($0) } ?? .null,
        ])
    }
}
