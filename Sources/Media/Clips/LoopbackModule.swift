import CMedia
import CSandbox
import Files
import Glibc
import Machine

/// The kernel module v4l2loopback, whose devices are virtual cameras for programs that do not know PipeWire. Loading it takes an
/// administrator's permission, which polkit asks for.
package enum LoopbackModule {
    /// Why there is no device.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// The module is not installed for this kernel.
        case notInstalled
        /// polkit is not installed. The command creates a device until the next start.
        case noPolkit(command: String)
        /// The user or the system has not permitted it.
        case refused
        /// What was started said this.
        case failed(String)
        /// The module is loaded, and there is no device.
        case noDevice

        package var description: String {
            switch self {
            case .notInstalled:
                "the kernel module v4l2loopback is not installed; to change that: "
                    + SystemRelease.current.remedy(.loopback)
            case .noPolkit(let command): "polkit (pkexec) is not installed; as root, run: \(command)"
            case .refused: "the permission to load v4l2loopback was not given"
            case .failed(let words): "the kernel module v4l2loopback cannot be loaded: \(words)"
            case .noDevice:
                "the kernel module v4l2loopback is loaded, and made no device that this program may write to"
            }
        }
    }

    /// Makes a device named Bauta, unless there is one already, whoever made it. It waits while the user is asked.
    /// - Parameter isKept: whether there is to be one after every start of the system, too.
    /// - Returns: the device to write to.
    package static func makeDevice(isKept: Bool) throws(Failure) -> VirtualCamera {
        if !isKept, let device = VirtualCamera.all().first { return device }
        let known = systemsModprobe
        guard let asked = ChildLimits.program("modprobe") ?? known,
            let found = run([asked, "--dry-run", "--quiet", name]), found.status == 0
        else { throw .notInstalled }
        // Root runs the system's rather than what `PATH` has.
        let modprobe = known ?? asked
        let number = freeNumber
        let command =
            isKept
            ? ["/bin/sh", "-c", script, "bauta", "", modprobe, "\(number)"] : [modprobe, name] + options(number)
        guard let pkexec = ChildLimits.program("pkexec") else {
            throw .noPolkit(command: "modprobe \(name) \(options(number).joined(separator: " "))")
        }
        // Its own way to ask reads from a terminal that is not there, or is somebody else's.
        guard let result = run([pkexec, "--disable-internal-agent"] + command) else { throw .failed("no memory") }
        switch result.status {
        case 0: break
        case 126: throw .refused
        // Also that of a command that pkexec cannot start.
        case 127 where result.words.isEmpty || result.words.contains("Not authorized"): throw .refused
        default: throw .failed(result.words.isEmpty ? "status \(result.status)" : result.words)
        }
        // udev makes it usable a moment later.
        for _ in 0..<50 {
            if let device = VirtualCamera.all().first { return device }
            usleep(100_000)
        }
        throw .noDevice
    }

    private static let name = "v4l2loopback"

    /// Browsers show devices with `exclusive_caps` only.
    private static func options(_ number: Int) -> [String] {
        ["exclusive_caps=1", "card_label=\(cardLabel)", "video_nr=\(number)"]
    }

    private static let cardLabel = "Bauta"

    /// The number of a device that is not there.
    private static var freeNumber: Int {
        (10..<64).first { !FilePath("/dev/video\($0)").exists } ?? 10
    }

    /// Loads the module, and writes the files by which the system loads it when it starts. Files that Bauta has not written stay,
    /// and then nothing is done.
    ///
    /// Its arguments: a folder in place of `/`, empty for that; the path of modprobe; the device's number.
    package static let script = """
        set -eu
        umask 022
        options=$1/etc/modprobe.d/bauta-v4l2loopback.conf start=$1/etc/modules-load.d/bauta-v4l2loopback.conf
        mark='# Written by Bauta.'
        for file in "$options" "$start"; do
            if [ -e "$file" ] || [ -L "$file" ]; then
                [ "$(head -n 1 "$file")" = "$mark" ] || { echo "$file is not Bauta's" >&2; exit 73; }
            fi
        done
        "$2" v4l2loopback exclusive_caps=1 card_label=Bauta "video_nr=$3"
        write() {
            mkdir -p "${1%/*}"
            rm -f "$1.new"
            printf '%s\\n%s\\n' "$mark" "$2" > "$1.new"
            mv -f "$1.new" "$1"
        }
        write "$options" "options v4l2loopback exclusive_caps=1 card_label=Bauta video_nr=$3"
        write "$start" v4l2loopback
        """

    /// The system's modprobe, in folders that are often not in `PATH`; nil: it is elsewhere.
    private static var systemsModprobe: String? {
        ["/usr/sbin", "/sbin", "/usr/bin", "/bin", "/run/current-system/sw/bin"].lazy.map { $0 + "/modprobe" }
            .compactMap { ChildLimits.program($0) }.first
    }

    /// Runs a program without input.
    /// - Returns: its exit status, with 128 and the number of a signal that ended it, and the end of its messages; nil: it cannot
    ///   be started.
    private static func run(_ words: [String]) -> (status: Int32, words: String)? {
        let messages = cmedia_memory_file()
        defer { if messages >= 0 { close(messages) } }
        let descriptors = messages >= 0 ? [csandbox_descriptor(here: messages, there: STDERR_FILENO)] : []
        let arguments = CStrings(words)
        var process = pid_t()
        let failure = withExtendedLifetime(arguments) {
            csandbox_spawn(&process, arguments.pointers, descriptors, descriptors.count, nil)
        }
        guard failure == 0 else { return nil }
        var status: Int32 = 0
        _ = csandbox_reap(process, &status)
        let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
        return (code, messages >= 0 ? ChildProcess.tail(of: messages) : "")
    }
}
