import CSandbox
import Files
import Glibc
import Machine

/// The limits of a child process: ffmpeg decodes bytes from strangers, so a defect in it must not reach further than
/// the clip. On kernels without Landlock the limits of paths are left out.
package struct ChildLimits {
    /// An open file that the child gets.
    struct File {
        /// This program's descriptor.
        let descriptor: Int32
        /// The child's.
        let childDescriptor: Int32
        /// Whether the child may open it again for writing.
        var isWritten = false
    }

    var files: [File] = []
    /// A device that it may open for writing.
    var device: String?
    /// Processor time; 0: no limit.
    var cpuSeconds = 0
    /// Whether its messages are its only output, so that their length can be limited.
    var writesOnlyPipes = false
    var usesNetwork = false
    /// Whether it opens the microphone, through a socket and files of the sound server.
    var usesSound = false
    /// Of its frames, in pixels.
    var framePixels = 0

    /// Of messages, in bytes: ffmpeg complains about each damaged frame.
    private static let longestMessages: UInt64 = 64 << 20

    /// Address space, of which threads reserve much and use little.
    private var memoryBytes: UInt64 {
        // ffmpeg's codecs count them in their own ways.
        4 << 30 + UInt64(MachineProcessors.online) * 192 << 20 + 48 * 4 * UInt64(framePixels)
    }

    /// The path of a program in `PATH`, or at a path with a slash; nil if none exists.
    static func program(_ name: String) -> String? {
        if name.contains("/") { return access(name, X_OK) == 0 ? name : nil }
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        return folders.split(separator: ":").map { "\($0)/\(name)" }.first {
            access($0, X_OK) == 0 && !Folder.exists($0)
        }
    }

    /// Programs with their libraries and settings, and what the C library asks about the machine.
    private static func systemPaths(for program: String) -> [String] {
        var paths = [
            "/usr", "/lib", "/lib64", "/etc", "/opt", "/nix/store", "/gnu/store", "/snap", "/proc/stat",
            "/proc/cpuinfo",
            "/proc/meminfo", "/sys/devices/system", "/dev/null", "/dev/urandom", "/dev/random",
        ]
        if let real = FilePath(program).resolved {
            let home = FilePath(environment: "HOME")?.resolved
            paths += ownPaths(of: real, home: home).compactMap(\.string)
        }
        for name in ["LD_LIBRARY_PATH", "LD_PRELOAD"] {
            guard let value = getenv(name) else { continue }
            paths += String(cString: value).split { $0 == ":" || $0 == " " }.map(String.init)
                .filter { FilePath($0).resolved != "/" }
        }
        return paths
    }

    /// The files of a program that is not installed with the programs of the system: itself, and libraries beside it.
    /// - Parameters:
    ///   - program: without links.
    ///   - home: the user's home folder, without links. All of it, or more, is not for a child to read.
    package static func ownPaths(of program: FilePath, home: FilePath?) -> [FilePath] {
        let folder = program.parent
        let holdsHome = home.map { $0 == folder || $0.relative(to: folder) != nil } ?? false
        if folder == "/" || holdsHome { return [program] }
        return [folder, folder.parent / "lib"]
    }

    /// Whether a program is a script, which needs other programs.
    private static func isScript(_ program: String) -> Bool {
        guard let file = try? RegularFile(FilePath(program)) else { return false }
        var start = InlineArray<2, UInt8>(repeating: 0)
        withUnsafeMutableBytes(of: &start) { try? file.read(into: $0) }
        return start[0] == UInt8(ascii: "#") && start[1] == UInt8(ascii: "!")
    }

    /// Starts a program.
    /// - Parameters:
    ///   - deathSignal: the signal for the child when the calling thread ends; 0: none.
    func spawn(
        _ program: String, _ arguments: [String], _ descriptors: [csandbox_descriptor], deathSignal: Int32
    ) throws(ChildProcess.LaunchFailure) -> pid_t {
        var limits = csandbox_limits()
        limits.cpu_seconds = UInt64(cpuSeconds)
        limits.memory_bytes = memoryBytes
        limits.file_bytes = writesOnlyPipes ? Self.longestMessages : 0
        limits.denies_network = !usesNetwork && !usesSound
        // A sound server may have to be started.
        limits.denies_processes = !usesSound && !Self.isScript(program)
        limits.death_signal = deathSignal
        let words = CStrings([program] + arguments.dropFirst())
        // The descriptors' own files, whatever has become of their names.
        let readable = CStrings(
            Self.systemPaths(for: program) + files.map { "/proc/self/fd/\($0.descriptor)" }
                // Where the settings of name servers lie.
                + (usesNetwork ? ["/run"] : []))
        let writable = CStrings(
            files.filter(\.isWritten).map { "/proc/self/fd/\($0.descriptor)" } + [device].compactMap { $0 })
        if !usesSound {
            limits.readable_paths = readable.constant
            limits.writable_paths = writable.constant
        }
        var process = pid_t()
        let code = csandbox_spawn(&process, words.pointers, descriptors, descriptors.count, &limits)
        withExtendedLifetime((words, readable, writable)) {}
        guard code == 0 else { throw ChildProcess.LaunchFailure(code: code) }
        return process
    }
}

/// C's form of a list of texts: pointers, the last of which is NULL.
final class CStrings {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    let constant: UnsafePointer<UnsafePointer<CChar>?>
    private let count: Int

    init(_ texts: [String]) {
        count = texts.count
        pointers = .allocate(capacity: count + 1)
        for (index, text) in texts.enumerated() { pointers[index] = strdup(text) }
        pointers[count] = nil
        constant = UnsafeRawPointer(pointers).assumingMemoryBound(to: UnsafePointer<CChar>?.self)
    }

    deinit {
        for index in 0..<count { free(pointers[index]) }
        pointers.deallocate()
    }
}
