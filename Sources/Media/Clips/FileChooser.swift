import CMedia
import CSandbox
import Files
import Glibc
import Synchronization
import Threads

/// The desktop's dialog in which the user chooses files: zenity's or KDE's. It begins in the folder in which the last file was
/// chosen. Nobody waits for it: it runs on a thread of its own, as the user may leave it open.
package final class FileChooser: Sendable {
    package enum Answer: Equatable, Sendable {
        /// At least one; only one unless several were asked for.
        case chosen([FilePath])
        /// The dialog could not be shown; the text says why.
        case failed(String)
    }

    private struct State {
        var isAsking = false
        var hasStopped = false
        /// Until it is reaped: after that its number may be another's.
        var process: pid_t?
        var answer: Answer?
        /// In which the last file was chosen in this run.
        var folder: FilePath?
    }

    private let state = Mutex(State())
    private let kept: @Sendable () -> FilePath?
    private let keep: @Sendable (FilePath) -> Void

    /// - Parameters:
    ///   - kept: the folder of earlier runs; is called on the dialog's thread.
    ///   - keep: is given the first of the files that were chosen, likewise.
    package init(
        kept: @escaping @Sendable () -> FilePath? = { nil }, keep: @escaping @Sendable (FilePath) -> Void = { _ in }
    ) {
        (self.kept, self.keep) = (kept, keep)
    }

    /// Whether there is a dialog to show. Looked up once: folders of `PATH` may be slow.
    package static let isInstalled = command(title: "", several: false, in: nil) != nil

    /// - Parameter folder: nil: the dialog's own.
    private static func command(title: String, several: Bool, in folder: FilePath?) -> [String]? {
        // Of a name that is not UTF-8, no argument can be made.
        let folder = folder?.string
        if let program = ChildLimits.program("zenity") {
            let options = several ? ["--multiple", "--separator=\n"] : []
            let start = folder.map { ["--filename=\($0)/"] } ?? []
            return [program, "--file-selection", "--title=\(title)"] + start + options
        }
        let options = several ? ["--multiple", "--separate-output"] : []
        return ChildLimits.program("kdialog").map {
            [$0, "--title", title, "--getopenfilename", folder ?? "."] + options
        }
    }

    /// Shows the dialog, unless it is shown.
    /// - Parameter several: whether more than one file can be chosen.
    /// - Returns: whether it was not shown before, so that its answer is one to this question.
    @discardableResult
    package func ask(title: String, several: Bool = false) -> Bool {
        guard Self.isInstalled else { return false }
        let isFirst = state.withLock { state in
            defer { state.isAsking = true }
            return !state.isAsking
        }
        guard isFirst else { return false }
        let thread = try? DedicatedThread.start { [self] in
            let folder = state.withLock { $0.folder } ?? kept()
            let answer = Self.command(title: title, several: several, in: folder).flatMap(run)
            if case .chosen(let paths) = answer, let path = paths.first {
                state.withLock { $0.folder = path.parent }
                keep(path)
            }
            state.withLock { ($0.isAsking, $0.answer) = (false, answer) }
        }
        if thread == nil {
            state.withLock { ($0.isAsking, $0.answer) = (false, .failed("The system gives no more threads")) }
        }
        return true
    }

    /// Gives the answer once.
    /// - Returns: nil while the dialog is open, and if the user has cancelled it.
    package func takeAnswer() -> Answer? {
        state.withLock { state in
            defer { state.answer = nil }
            return state.answer
        }
    }

    /// Closes the dialog.
    package func stop() {
        state.withLock { state in
            state.hasStopped = true
            if let process = state.process { _ = kill(process, SIGTERM) }
        }
    }

    private func run(_ words: [String]) -> Answer? {
        let (output, messages) = (cmedia_memory_file(), cmedia_memory_file())
        defer { for file in [output, messages] where file >= 0 { close(file) } }
        guard output >= 0, messages >= 0 else { return .failed("The dialog cannot be shown: no memory") }
        let descriptors = [
            csandbox_descriptor(here: output, there: STDOUT_FILENO),
            csandbox_descriptor(here: messages, there: STDERR_FILENO),
        ]
        let arguments = CStrings(words)
        let process: pid_t? = withExtendedLifetime(arguments) {
            state.withLock { state in
                var process = pid_t()
                guard !state.hasStopped,
                    csandbox_spawn(&process, arguments.pointers, descriptors, descriptors.count, nil) == 0
                else { return nil }
                state.process = process
                return process
            }
        }
        guard let process else { return .failed("The dialog cannot be shown") }
        var information = siginfo_t()
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
        let hasStopped = state.withLock { state in
            state.process = nil
            return state.hasStopped
        }
        var status: Int32 = 0
        _ = csandbox_reap(process, &status)
        let message = ChildProcess.tail(of: messages)
        // Whoever cancels gets status 1 from both, and so does who has no display.
        if hasStopped || (status == 1 << 8 && !Self.isFailure(message)) { return nil }
        guard var path = Self.content(of: output) else { return .failed("Too many files are chosen: choose fewer") }
        if path.last == UInt8(ascii: "\n") { path.removeLast() }
        guard status == 0, !path.isEmpty, !path.contains(0) else {
            return .failed("The dialog cannot be shown: \(message.isEmpty ? "it has ended without a file" : message)")
        }
        return .chosen(Self.paths(path))
    }

    /// Of what a dialog writes, in bytes: some 50,000 paths.
    private static let mostBytes = 4 << 20

    /// - Returns: nil: there is more than a dialog may write.
    private static func content(of file: Int32) -> [UInt8]? {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= mostBytes {
            let count = pread(file, &part, part.count, off_t(bytes.count))
            if count <= 0 { return bytes }
            bytes += part.prefix(count)
        }
        return nil
    }

    /// The paths in the lines of a dialog. A name may contain line breaks, but every path begins with a slash.
    package static func paths(_ lines: some Sequence<UInt8>) -> [FilePath] {
        var paths: [[UInt8]] = []
        for line in Array(lines).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if line.first == UInt8(ascii: "/") || paths.isEmpty {
                paths.append(Array(line))
            } else {
                paths[paths.count - 1] += [UInt8(ascii: "\n")] + line
            }
        }
        return paths.map { FilePath(bytes: $0) }
    }

    /// Whether what a dialog has written says that it was not shown. Toolkits and libraries write warnings, too.
    private static func isFailure(_ message: String) -> Bool { message.lowercased().contains("display") }
}
