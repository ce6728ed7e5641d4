import Files
import Foundation
import LiveControl
import Synchronization
import TestSupport
import Testing

/// The socket of `bauta live --control-socket`, with clients that behave and clients that do not.
@Suite struct ControlServerTests {
    let folder: TemporaryFolder
    private let path: FilePath

    init() throws {
        folder = try TemporaryFolder()
        path = FilePath(folder.path) / "control é"
    }

    /// A connection of a client of any manners.
    private final class Connection {
        let descriptor: Int32

        init(_ path: FilePath) throws {
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.bytes) }
            let size = socklen_t(MemoryLayout<sockaddr_un>.size)
            let result = withUnsafePointer(to: address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
            }
            try #require(result == 0, "\(String(cString: strerror(errno)))")
            // A lost reply fails the test and does not stop it.
            var limit = timeval(tv_sec: 120, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        }

        deinit { close(descriptor) }

        func send(_ text: String) { send(Array(text.utf8)) }

        func send(_ bytes: [UInt8]) {
            _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }

        /// The next line without its line break; nil at the end of the connection.
        func line() -> String? {
            var bytes: [UInt8] = []
            var byte: UInt8 = 0
            while read(descriptor, &byte, 1) == 1 {
                if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
                bytes.append(byte)
            }
            return nil
        }
    }

    /// Answers the next command as a session does.
    private func answer(_ server: ControlServer, _ reply: ControlReply = .done()) throws -> ControlCommand {
        var taken: ControlServer.Request?
        try wait(for: "a command", pause: 0.002) {
            taken = server.next()
            return taken != nil
        }
        let request = try #require(taken)
        server.reply(reply, to: request)
        return request.command
    }

    @Test func commandsAreAnsweredInOrder() throws {
        let server = try ControlServer(path)
        let client = try Connection(path)
        client.send("mask skull\r\nnonsense\nne")
        #expect(try answer(server, .done("skull")) == .wear("skull"))
        client.send("xt\n")
        #expect(try answer(server, .refused("no")) == .next)
        #expect(client.line() == "ok skull")
        #expect(client.line()?.hasPrefix("error there is no command 'nonsense'") == true)
        #expect(client.line() == "error no")
        #expect(server.next() == nil)
    }

    /// `echo cover on | socat - …`, also where the sender does not wait for the reply.
    @Test func commandsOfClosedConnectionsAreRead() throws {
        let server = try ControlServer(path)
        var client: Connection? = try Connection(path)
        client?.send("cover on\nmask off")
        client = nil
        #expect(try answer(server) == .cover(.on))
        #expect(try answer(server) == .mask(.off))
        let halfClosed = try Connection(path)
        halfClosed.send("quit")
        shutdown(halfClosed.descriptor, Int32(SHUT_WR))
        #expect(try answer(server, .done("bye")) == .quit)
        #expect(halfClosed.line() == "ok bye")
        #expect(halfClosed.line() == nil)
    }

    @Test func onlyTheOwnerMayConnect() throws {
        let server = try ControlServer(path)
        let status = try #require(path.status(followsLinks: false))
        #expect(status.st_mode & 0o777 == 0o600 && status.type == S_IFSOCK)
        server.stop()
        #expect(path.status(followsLinks: false) == nil)
    }

    @Test func onlyTheSocketOfAKilledSessionIsReplaced() throws {
        var first: ControlServer? = try ControlServer(path)
        let inUse = #expect(throws: FileError.self) { _ = try ControlServer(path) }
        #expect(inUse?.description.contains("another 'bauta live'") == true)
        // The file is still there, and nobody listens: as after SIGKILL.
        let kept = FilePath(folder.path) / "kept"
        try FileManager.default.linkItem(atPath: "\(path)", toPath: "\(kept)")
        first?.stop()
        first = nil
        try FileManager.default.moveItem(atPath: "\(kept)", toPath: "\(path)")
        let second = try ControlServer(path)
        _ = try Connection(path)
        second.stop()
        for make in [
            { try Data("x".utf8).write(to: URL(fileURLWithPath: "\(path)")) },
            { try FileManager.default.createDirectory(atPath: "\(path)", withIntermediateDirectories: false) },
            { try FileManager.default.createSymbolicLink(atPath: "\(path)", withDestinationPath: "/nonesuch") },
        ] {
            try make()
            let error = #expect(throws: FileError.self) { _ = try ControlServer(path) }
            #expect(error?.kind == .alreadyExists)
            #expect(path.status(followsLinks: false) != nil)
            try FileManager.default.removeItem(atPath: "\(path)")
        }
        let long = FilePath(folder.path) / FilePath(String(repeating: "x", count: 108))
        #expect(throws: FileError.self) { _ = try ControlServer(long) }
        #expect(throws: FileError.self) { _ = try ControlServer(FilePath(folder.path) / "no such folder/socket") }
    }

    /// Another session's socket that took the place meanwhile.
    @Test func theSocketOfAnotherSessionStays() throws {
        let first = try ControlServer(path)
        try FileManager.default.removeItem(atPath: "\(path)")
        let second = try ControlServer(path)
        first.stop()
        let client = try Connection(path)
        client.send("next\n")
        #expect(try answer(second) == .next)
    }

    /// However many wait for a picture, somebody can cover the session's.
    @Test func coveringNeverWaitsForOthers() throws {
        let server = try ControlServer(path)
        let waiting = try (0..<ControlServer.mostWaiting + 4).map { _ in try Connection(path) }
        for client in waiting { client.send("snapshot\n") }
        var taken: [ControlServer.Request] = []
        try wait(for: "the commands that may wait", pause: 0.002) {
            while let request = server.next() { taken.append(request) }
            return taken.count >= ControlServer.mostWaiting
        }
        for client in waiting[ControlServer.mostWaiting...] {
            #expect(client.line()?.hasPrefix("error 128 commands are waiting") == true)
        }
        let client = try Connection(path)
        client.send("cover on\n")
        #expect(try answer(server, .done("covered")) == .cover(.on))
        #expect(client.line() == "ok covered")
        #expect(taken.count == ControlServer.mostWaiting)
        for request in taken { server.reply(.done("x"), to: request) }
        #expect(waiting.prefix(ControlServer.mostWaiting).allSatisfy { $0.line() == "ok x" })
    }

    /// A session that was busy meanwhile covers its picture before it does anything else.
    @Test func coveringComesFirst() throws {
        let server = try ControlServer(path)
        let clients = try (0..<4).map { _ in try Connection(path) }
        for (client, line) in zip(clients, ["next", "previous", "cover on", "nonsense"]) { client.send(line + "\n") }
        // The server reads its clients in turn, and answers a line that is no command by itself.
        #expect(clients[3].line()?.hasPrefix("error") == true)
        let taken = (0..<3).compactMap { _ in server.next() }
        #expect(taken.map(\.command) == [.cover(.on), .next, .previous])
        for request in taken { server.reply(.done(), to: request) }
    }

    @Test func endlessLinesEndTheConnection() throws {
        let server = try ControlServer(path)
        let client = try Connection(path)
        client.send([UInt8](repeating: 65, count: 100_000))
        #expect(client.line()?.contains("longer than 1024 bytes") == true)
        #expect(server.next() == nil)
    }

    /// Many ask at once, more than there is room for, and the session takes its time: nobody is lost, also not whose
    /// command waits longest.
    @Test func manyAtOnceAreAllAnswered() throws {
        let server = try ControlServer(path)
        let first = try Connection(path)
        first.send("record off\n")
        let count = 3 * ControlServer.mostClients
        let answers = Answers()
        let askers = (0..<count).map { number in
            Thread {
                answers.add(Result { try ControlClient.ask(.wear("\(number)"), on: path, waiting: 120) }, number)
            }
        }
        for asker in askers { asker.start() }
        var waiting: ControlServer.Request?
        try wait(for: "all answers", pause: 0.001) {
            guard let request = server.next() else { return answers.all.count == count }
            guard case .wear(let name) = request.command else {
                waiting = request
                return false
            }
            usleep(2000)
            server.reply(.done(name), to: request)
            return false
        }
        for (number, answer) in answers.all { #expect(try answer.get() == .done("\(number)"), "\(number)") }
        server.reply(.done("saved"), to: try #require(waiting))
        #expect(first.line() == "ok saved")
    }

    private final class Answers: Sendable {
        private let answers = Mutex<[(number: Int, answer: Result<ControlReply, any Error>)]>([])
        var all: [(number: Int, answer: Result<ControlReply, any Error>)] { answers.withLock { $0 } }
        func add(_ answer: Result<ControlReply, any Error>, _ number: Int) {
            answers.withLock { $0.append((number, answer)) }
        }
    }

    /// Silent clients give way to new ones; one that reads nothing is not answered without end.
    @Test func silentAndDeafClientsDoNotStopOthers() throws {
        let server = try ControlServer(path)
        let silent = try (0..<ControlServer.mostClients + 8).map { _ in try Connection(path) }
        let deaf = try Connection(path)
        _ = fcntl(deaf.descriptor, F_SETFL, O_NONBLOCK)
        for _ in 0..<5000 { deaf.send("nonsense\n") }
        let client = try Connection(path)
        client.send("snapshot\n")
        #expect(try answer(server, .done("x.png")) == .snapshot)
        #expect(client.line() == "ok x.png")
        withExtendedLifetime(silent) {}
    }

    /// The session ends with a command that nobody has taken.
    @Test func theEndIsSaid() throws {
        let server = try ControlServer(path)
        let client = try Connection(path)
        client.send("next\nstatus\n")
        let request = try wait(for: "a command") {
            server.next()
        } until: {
            $0 != nil
        }
        _ = request
        server.stop()
        #expect(client.line() == "error the session has ended")
        #expect(client.line() == nil)
    }
}
