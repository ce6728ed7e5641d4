import CSandbox
import Foundation
import Testing

/// Programs that `csandbox_spawn` starts.
@Suite struct SpawnTests {
    struct Result: Equatable {
        /// The exit status, or the negative number of the signal.
        var status: Int32
        var output: String
    }

    struct LaunchFailure: Error, Equatable { let code: Int32 }

    /// What every program needs to start.
    static let system = ["/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/dev"]

    /// Runs a program with its output in a pipe at descriptor `outputAt`.
    static func run(
        _ words: [String], outputAt: Int32 = 1, limits: csandbox_limits = csandbox_limits(),
        readable: [String]? = nil, writable: [String]? = nil
    ) throws -> Result {
        let pipe = Pipe()
        var limits = limits
        var process = pid_t()
        let arguments = words.map { strdup($0) } + [nil]
        let readablePaths = readable.map { $0.map { UnsafePointer(strdup($0)) } + [nil] }
        let writablePaths = writable.map { $0.map { UnsafePointer(strdup($0)) } + [nil] }
        defer {
            for word in arguments { free(word) }
            for path in (readablePaths ?? []) + (writablePaths ?? []) { free(UnsafeMutablePointer(mutating: path)) }
        }
        let descriptors = [csandbox_descriptor(here: pipe.fileHandleForWriting.fileDescriptor, there: outputAt)]
        let code = (readablePaths ?? [nil]).withUnsafeBufferPointer { first in
            (writablePaths ?? [nil]).withUnsafeBufferPointer { second in
                if readable != nil { limits.readable_paths = first.baseAddress }
                if writable != nil { limits.writable_paths = second.baseAddress }
                return csandbox_spawn(&process, arguments, descriptors, descriptors.count, &limits)
            }
        }
        try pipe.fileHandleForWriting.close()
        guard code == 0 else { throw LaunchFailure(code: code) }
        let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        let signal = status & 0x7F
        return Result(
            status: signal == 0 ? status >> 8 & 0xFF : -signal, output: String(decoding: bytes, as: UTF8.self))
    }

    static func run(_ script: String, limits: csandbox_limits = csandbox_limits()) throws -> Result {
        try run(["sh", "-c", script], limits: limits)
    }

    private static func temporaryFolder() throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    // MARK: Starting

    @Test func aProgramRunsAndItsStatusIsKnown() throws {
        #expect(try Self.run("echo hello; exit 3") == Result(status: 3, output: "hello\n"))
    }

    @Test func aProgramThatDoesNotExistIsAnError() {
        #expect(throws: LaunchFailure(code: ENOENT)) { try Self.run(["there-is-no-such-program"]) }
    }

    @Test func descriptorsGetTheirNumbersAndNoOthersAreThere() throws {
        // A descriptor of this process that does not close at exec.
        let null = open("/dev/null", O_RDONLY)
        let leak = fcntl(null, F_DUPFD, 50)
        defer { for descriptor in [null, leak] { close(descriptor) } }
        let result = try Self.run(["sh", "-c", "ls /proc/self/fd >&7"], outputAt: 7)
        let numbers = result.output.split(separator: "\n").compactMap { Int32($0) }
        // The last one is the folder itself, which ls has opened. Shells may lack close_range's effect only on old kernels.
        #expect(numbers.filter { $0 <= 7 }.starts(with: [0, 1, 2]))
        #expect(numbers.contains(7))
        #expect(!numbers.contains(leak))
    }

    @Test func signalsHaveTheirDefaultAction() throws {
        signal(SIGPIPE, SIG_IGN)
        let result = try Self.run("kill -PIPE $$; echo survived")
        #expect(result == Result(status: -SIGPIPE, output: ""))
    }

    // MARK: Limits

    @Test func processorTimeIsLimited() throws {
        let result = try Self.run("while :; do :; done", limits: csandbox_limits(cpuSeconds: 1))
        #expect(result == Result(status: -SIGXCPU, output: ""))
    }

    @Test func memoryIsLimited() throws {
        // dd allocates a block of the size that it is asked for.
        let script = "dd if=/dev/zero of=/dev/null bs=512M count=1 2>/dev/null && echo done"
        #expect(try Self.run(script).output == "done\n")
        #expect(try Self.run(script, limits: csandbox_limits(memoryBytes: 256 << 20)).output == "")
    }

    @Test func filesThatAreWrittenAreLimited() throws {
        let folder = try Self.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let result = try Self.run(
            ["dd", "if=/dev/zero", "of=\(folder)/large", "bs=4096", "count=1000", "status=none"],
            limits: csandbox_limits(fileBytes: 8192))
        #expect(result.status == -SIGXFSZ)
        let size = try FileManager.default.attributesOfItem(atPath: folder + "/large")[.size] as? Int
        #expect(size == 8192)
    }

    @Test func openFilesAreLimited() throws {
        #expect(try Self.run("ulimit -n", limits: csandbox_limits(openFiles: 20)).output == "20\n")
    }

    // MARK: Walls

    @Test(.enabled(if: csandbox_walls() & Int32(CSANDBOX_WALL_PATHS) != 0, "the kernel has no Landlock"))
    func onlyListedPathsCanBeOpened() throws {
        let folder = try Self.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["read", "write", "other"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
            try Data("secret of \(name)\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)/file"))
        }
        func attempt(_ script: String) throws -> String {
            try Self.run(
                ["sh", "-c", "cd /; \(script)"], readable: Self.system + [folder + "/read", "/does/not/exist"],
                writable: [folder + "/write"]
            ).output
        }
        #expect(try attempt("cat \(folder)/read/file") == "secret of read\n")
        #expect(try attempt("cat \(folder)/other/file 2>/dev/null") == "")
        #expect(try attempt("cat \(folder)/read/../other/file 2>/dev/null") == "")
        _ = try attempt("echo new > \(folder)/write/new; echo new > \(folder)/read/new; rm -f \(folder)/other/file")
        #expect(FileManager.default.fileExists(atPath: folder + "/write/new"))
        #expect(!FileManager.default.fileExists(atPath: folder + "/read/new"))
        #expect(FileManager.default.fileExists(atPath: folder + "/other/file"))
    }

    @Test(.enabled(if: csandbox_walls() & Int32(CSANDBOX_WALL_NETWORK) != 0, "the kernel has no seccomp"))
    func theNetworkIsDenied() throws {
        let script = "perl -MSocket -e 'socket(my $s, PF_INET, SOCK_STREAM, 0) and print qq(open\\n)'"
        #expect(try Self.run(script).output == "open\n")
        #expect(try Self.run(script, limits: csandbox_limits(deniesNetwork: true)).output == "")
    }

    @Test(.enabled(if: csandbox_walls() & Int32(CSANDBOX_WALL_PROCESSES) != 0, "the kernel has no seccomp"))
    func otherProcessesAreDenied() throws {
        let script = "echo before; (echo another)"
        #expect(try Self.run(script).output == "before\nanother\n")
        #expect(try Self.run(script, limits: csandbox_limits(deniesProcesses: true)).output == "before\n")
    }
}

extension csandbox_limits {
    init(
        cpuSeconds: UInt64 = 0, memoryBytes: UInt64 = 0, fileBytes: UInt64 = 0, openFiles: UInt64 = 0,
        deniesNetwork: Bool = false, deniesProcesses: Bool = false
    ) {
        self.init()
        cpu_seconds = cpuSeconds
        memory_bytes = memoryBytes
        file_bytes = fileBytes
        open_files = openFiles
        denies_network = deniesNetwork
        denies_processes = deniesProcesses
    }
}
