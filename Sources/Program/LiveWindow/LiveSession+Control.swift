import JSON
import LiveControl

/// What other programs ask for through the control socket. They get what the keys do.
extension LiveSession {
    /// A command that is answered later.
    struct WaitingCommand {
        enum Event: Equatable {
            /// A frame for a snapshot.
            case snapshot
            case recordingStarts, recordingIsComplete
            /// The mask of this index has been loaded, or cannot be.
            case mask(Int)
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
        waitingCommands.removeAll { waiting in
            guard let reply = answer(waiting) ?? refusal(waiting) else { return false }
            control.reply(reply, to: waiting.request)
            return true
        }
    }

    /// - Returns: nil: what the command waits for has not happened yet.
    private func answer(_ waiting: WaitingCommand) -> ControlReply? {
        switch waiting.event {
        // The frame that is saved answers it.
        case .snapshot: return nil
        case .recordingStarts:
            if let name = outputs.recordingName { return .done(name) }
            let mayCome = wantsRecording || outputs.isRecording || outputs.isCompletingRecording
            return mayCome ? nil : .refused(messages.current?.text ?? "it has failed")
        case .recordingIsComplete:
            if outputs.isCompletingRecording { return nil }
            return outputs.recordingFailure.map { .refused($0) } ?? .done()
        case .mask(let index):
            // Where another mask has been chosen since, this one has been chosen all the same.
            if index == masks.index, masks.isLoading { return nil }
            return masks.entries[index].error.map { .refused($0) } ?? .done(masks.entries[index].name)
        }
    }

    /// - Returns: nil: the command need not wait for a frame, or has not waited for too long yet.
    private func refusal(_ waiting: WaitingCommand) -> ControlReply? {
        let needsFrame = waiting.event == .snapshot || (waiting.event == .recordingStarts && wantsRecording)
        guard needsFrame, ContinuousClock.now - waiting.since > .seconds(Self.longestWait) else { return nil }
        // What has been refused does not happen later.
        if waiting.event == .recordingStarts { wantsRecording = false }
        return .refused(source.isPaused ? "the session is paused" : "no picture has come from the source")
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
            return wear(index)
        case .next: return wear(masks.index(behind: 1))
        case .previous: return wear(masks.index(behind: -1))
        case .mask(let change): setMaskOff(!change.applied(to: !isMaskOff))
        case .cover(let change): setCovered(change.applied(to: isCovered))
        case .record(let change):
            guard change.applied(to: outputs.isRecording) != outputs.isRecording else {
                return .done(outputs.recordingName ?? "")
            }
            toggleRecording()
            return .later(wantsRecording ? .recordingStarts : .recordingIsComplete)
        case .snapshot: return .later(.snapshot)
        case .masks: return .done(JSONValue.array(masks.entries.map { .string($0.name) }).text())
        case .status: return .done(status.text())
        case .quit: isRunning = false
        }
        return .done()
    }

    private func wear(_ index: Int) -> Answer {
        choose(index)
        return .later(.mask(index))
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
