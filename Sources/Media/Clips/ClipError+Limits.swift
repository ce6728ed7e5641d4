import Files
import Glibc
import Machine

/// Errors of ffmpeg that are no clip's fault: it is not installed, or the system gives it too little.
extension ClipError {
    init(path: some FilePathConvertible, launch failure: ChildProcess.LaunchFailure) {
        guard failure.code != ENOENT else {
            self.init(
                .noFFmpeg, path: path,
                "ffmpeg, which reads clips, is not installed: \(SystemRelease.current.remedy(.ffmpeg))")
            return
        }
        let words = String(cString: strerror(failure.code))
        let limit = Self.limit(in: words).map { ": \($0)" } ?? ""
        self.init(.noFFmpeg, path: path, "ffmpeg could not be started: \(words)\(limit)")
    }

    /// - Parameters:
    ///   - words: the last ones of an ffmpeg that has failed.
    ///   - limits: its own. What a network refuses sounds alike.
    /// - Returns: nil if they are about no limit of the system.
    init?(path: some FilePathConvertible, limitIn words: String, of limits: ChildLimits) {
        guard !limits.usesNetwork, let limit = Self.limit(in: words) else { return nil }
        self.init(.noFFmpeg, path: path, "ffmpeg cannot work: \(words): \(limit)")
    }

    private static func limit(in words: String) -> String? {
        if words.contains("Invalid data found") { return nil }
        if words.contains("Too many open files") { return "the limit of open files (ulimit -n) is too low" }
        let isRefused = words.contains("Resource temporarily unavailable") || words.contains("pthread_create")
        if isRefused { return "the limit of processes and threads (ulimit -u, or a container's) is reached" }
        // Codecs that get no threads do not say why. Their task is always the same.
        let isCodecs = ["Error while opening encoder", "Error while opening decoder", "thread_encoder_init failed"]
            .contains { words.contains($0) }
        guard isCodecs, let processes = softLimitOfProcesses, processes < 1024 else { return nil }
        return "perhaps the limit of \(processes) processes and threads (ulimit -u) is too low"
    }

    private static var softLimitOfProcesses: Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &limit) == 0 else { return nil }
        return Int(exactly: limit.rlim_cur)
    }
}
