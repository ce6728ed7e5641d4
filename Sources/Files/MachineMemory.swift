import Glibc

/// The memory that this process may use.
package enum MachineMemory {
    /// In bytes: the machine's, or less where the process runs in a control group with a limit (a container, a service).
    package static let size: Int = {
        let machine = max(1 << 28, sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE)))
        return ([machine] + groupLimits()).min() ?? machine
    }()

    /// The limits of the process's control group and of those around it (cgroup version 2; of version 1 only a
    /// container's own).
    private static func groupLimits() -> [Int] {
        var files = ["/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        let line = text("/proc/self/cgroup").split(separator: "\n").first { $0.hasPrefix("0::/") }
        var folder = line.map { $0.dropFirst(3) } ?? "/"
        while true {
            files.append("/sys/fs/cgroup\(folder == "/" ? "" : folder)/memory.max")
            guard folder.count > 1, let slash = folder.lastIndex(of: "/") else { break }
            folder = slash == folder.startIndex ? "/" : folder[..<slash]
        }
        // "max" stands for no limit.
        return files.compactMap { Int(text($0).prefix { $0 != "\n" }) }.filter { $0 > 0 }
    }

    /// The first 4 KiB of a file of the system, which has no size of its own; empty if there is none.
    private static func text(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }
}
