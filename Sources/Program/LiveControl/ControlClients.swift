import Glibc

/// The connections of a `ControlServer`, on its thread.
struct ControlClients {
    private struct Client {
        let number: Int
        /// -1 once the other side has gone. Its commands still have their effect.
        var descriptor: Int32
        var lines = ControlLines()
        var output: [UInt8] = []
        var hasEnded = false
        /// Whether a command waits for its reply.
        var isWaiting = false
        /// Whether it is one that may take time.
        var mayWaitLong = false
        /// Whether the connection ends with the output.
        var isRefused = false
        var lastActivity = ContinuousClock.now

        var isFinished: Bool {
            if isWaiting { return false }
            let isQuiet = descriptor < 0 || output.isEmpty
            return isQuiet && (isRefused || (hasEnded && lines.isEmpty))
        }
        /// No more is read before what came has been answered, so that nothing piles up.
        var mayBeRead: Bool { !hasEnded && !isWaiting && !isRefused && output.count < ControlClients.mostOutput }
    }

    private static let mostOutput = 16 << 10
    private static let pieceSize = 4096
    /// Somebody who connects has so long for the command before others may take the place.
    private static let patience = Duration.seconds(1)

    private let listener: Int32
    private let shared: ControlServer.Shared
    private var clients: [Client] = []
    private var nextNumber = 0
    /// While the process has too many files open, no connection is accepted.
    private var acceptsAfter = ContinuousClock.now
    /// When connections end that have not taken their replies; nil: nobody has asked to stop.
    private var end: ContinuousClock.Instant?

    init(_ listener: Int32, _ shared: ControlServer.Shared) {
        self.listener = listener
        self.shared = shared
    }

    mutating func serve() {
        while true {
            takeReplies()
            for index in clients.indices {
                dispatch(index)
                send(index)
            }
            for client in clients where client.isFinished && client.descriptor >= 0 { close(client.descriptor) }
            clients.removeAll(where: \.isFinished)
            if let end, ContinuousClock.now > end || clients.allSatisfy(\.output.isEmpty) { break }
            waitForEvents()
        }
        for client in clients where client.descriptor >= 0 { close(client.descriptor) }
        close(listener)
    }

    /// Takes the replies of the session. Once it stops, it answers nothing more.
    private mutating func takeReplies() {
        let (replies, isStopping) = shared.state.withLock { state in
            defer { state.replies = [] }
            if state.isStopping { state.requests = [] }
            return (state.replies, state.isStopping)
        }
        for reply in replies {
            guard let index = clients.firstIndex(where: { $0.number == reply.client }) else { continue }
            clients[index].isWaiting = false
            if clients[index].descriptor >= 0 { clients[index].output += reply.line }
        }
        guard isStopping, end == nil else { return }
        end = .now + .seconds(1)
        for index in clients.indices {
            if clients[index].isWaiting { refuse(index, "the session has ended") }
            clients[index].isRefused = true
        }
    }

    private mutating func refuse(_ index: Int, _ reason: String) {
        clients[index].isWaiting = false
        if clients[index].descriptor >= 0 { clients[index].output += ControlReply.refused(reason).line.utf8 }
    }

    /// Hands the next command to the session. Lines that are none are answered at once.
    private mutating func dispatch(_ index: Int) {
        while !clients[index].isWaiting, !clients[index].isRefused, clients[index].output.count < Self.mostOutput {
            do {
                guard let line = try clients[index].lines.next() else { return }
                let request = ControlServer.Request(
                    client: clients[index].number, command: try ControlCommand(line: line))
                guard !request.command.mayTakeTime || waitingLong < ControlServer.mostWaiting else {
                    refuse(index, "\(ControlServer.mostWaiting) commands are waiting for replies; try again later")
                    continue
                }
                clients[index].isWaiting = true
                clients[index].mayWaitLong = request.command.mayTakeTime
                shared.state.withLock { state in
                    // Covering waits for nothing else.
                    let first = request.command.covers ? state.requests.firstIndex { !$0.command.covers } : nil
                    state.requests.insert(request, at: first ?? state.requests.endIndex)
                }
            } catch let error as ControlLines.TooLong {
                refuse(index, error.description)
                clients[index].isRefused = true
            } catch {
                refuse(index, "\(error)")
            }
        }
    }

    private var waitingLong: Int { clients.count { $0.isWaiting && $0.mayWaitLong } }

    // MARK: System calls

    private mutating func waitForEvents() {
        let now = ContinuousClock.now
        let accepts = end == nil && now >= acceptsAfter && hasRoom(at: now)
        var waits = [
            pollfd(fd: shared.waiting, events: Int16(POLLIN), revents: 0),
            pollfd(fd: accepts ? listener : -1, events: Int16(POLLIN), revents: 0),
        ]
        for client in clients {
            let events = (client.mayBeRead ? POLLIN : 0) | (client.output.isEmpty ? 0 : POLLOUT)
            waits.append(pollfd(fd: client.descriptor, events: Int16(events), revents: 0))
        }
        let milliseconds: Int32 = end != nil ? 50 : accepts ? -1 : 100
        guard poll(&waits, nfds_t(waits.count), milliseconds) > 0 else { return }
        var bytes = InlineArray<64, UInt8>(repeating: 0)
        _ = withUnsafeMutableBytes(of: &bytes) { read(shared.waiting, $0.baseAddress, $0.count) }
        for index in clients.indices {
            let events = Int32(waits[index + 2].revents)
            if events & POLLIN != 0 || (events & (POLLHUP | POLLERR) != 0) { receive(index, events) }
        }
        if waits[1].revents != 0 { accept() }
    }

    private mutating func receive(_ index: Int, _ events: Int32) {
        if clients[index].mayBeRead {
            var piece = [UInt8](repeating: 0, count: Self.pieceSize)
            let count = read(clients[index].descriptor, &piece, piece.count)
            if count > 0 {
                clients[index].lines.append(piece[..<count])
                clients[index].lastActivity = .now
                return
            }
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            clients[index].hasEnded = true
            clients[index].lines.end()
        }
        // Nobody reads replies any more.
        if events & (POLLHUP | POLLERR) != 0 { abandon(index) }
    }

    private mutating func abandon(_ index: Int) {
        close(clients[index].descriptor)
        clients[index].descriptor = -1
        clients[index].output = []
        clients[index].hasEnded = true
        clients[index].lines.end()
    }

    private mutating func send(_ index: Int) {
        guard !clients[index].output.isEmpty, clients[index].descriptor >= 0 else { return }
        let count = Glibc.send(
            clients[index].descriptor, clients[index].output, clients[index].output.count, Int32(MSG_NOSIGNAL))
        if count > 0 {
            clients[index].output.removeFirst(count)
            clients[index].lastActivity = .now
        } else if count < 0, errno != EAGAIN, errno != EINTR {
            abandon(index)
        }
    }

    /// Whether another connection can be accepted. Otherwise it waits in the socket's queue.
    private func hasRoom(at time: ContinuousClock.Instant) -> Bool {
        clients.count - waitingLong < ControlServer.mostClients || silentClient(at: time) != nil
    }

    /// The client that has been silent for the longest time. None whose command waits for its reply, and none that may be
    /// about to send one.
    private func silentClient(at time: ContinuousClock.Instant) -> Int? {
        clients.indices.filter { !clients[$0].isWaiting && time - clients[$0].lastActivity > Self.patience }
            .min { clients[$0].lastActivity < clients[$1].lastActivity }
    }

    private mutating func accept() {
        guard hasRoom(at: .now) else { return }
        let descriptor = Glibc.accept(listener, nil, nil)
        guard descriptor >= 0 else {
            if errno != EAGAIN, errno != EINTR, errno != ECONNABORTED { acceptsAfter = .now + .milliseconds(200) }
            return
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        if clients.count - waitingLong >= ControlServer.mostClients, let silent = silentClient(at: .now) {
            let dropped = clients.remove(at: silent)
            if dropped.descriptor >= 0 { close(dropped.descriptor) }
        }
        clients.append(Client(number: nextNumber, descriptor: descriptor))
        nextNumber += 1
    }
}
