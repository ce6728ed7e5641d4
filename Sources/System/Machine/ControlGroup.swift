/// The limits of this process's control group and of those around it, of which the tightest counts (cgroups, version 1 and
/// 2).
package struct ControlGroup {
    private let root: String

    /// - Parameter root: a folder that stands for `/`.
    package init(root: String = "") { self.root = root }

    /// A quota of processor time, as a number of processors, rounded up; nil without one.
    package var processors: Int? {
        folders(of: "cpu").flatMap { folder in
            [
                words(folder + "/cpu.max"),
                words(folder + "/cpu.cfs_quota_us") + words(folder + "/cpu.cfs_period_us"),
            ].compactMap(Self.processors)
        }.min()
    }

    /// In bytes; nil without one.
    package var memory: Int? {
        folders(of: "memory").flatMap { folder in
            (words(folder + "/memory.max") + words(folder + "/memory.limit_in_bytes")).compactMap { Int($0) }
        }.filter { $0 > 0 }.min()
    }

    /// - Parameter words: microseconds of processor time, and of the period in which it may be used. "max" and -1 stand
    ///   for no limit.
    private static func processors(_ words: [Substring]) -> Int? {
        guard words.count == 2, let quota = Int(words[0]), let period = Int(words[1]), quota > 0, period > 0 else {
            return nil
        }
        return quota / period + (quota.isMultiple(of: period) ? 0 : 1)
    }

    private func words(_ path: String) -> [Substring] { SystemFile.text(path).split(whereSeparator: \.isWhitespace) }

    /// The folders of the process's group and of those around it. A container sees its own as the root, whatever the path
    /// says, and those of the path may not be there.
    private func folders(of controller: String) -> [String] {
        let mounts = "\(root)/sys/fs/cgroup"
        var folders = [mounts, "\(mounts)/\(controller)"]
        for line in SystemFile.text(root + "/proc/self/cgroup").split(separator: "\n") {
            // "4:cpu,cpuacct:/a/b"; of version 2 "0::/a/b".
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, parts[1].isEmpty || parts[1].split(separator: ",").contains(controller[...]) else {
                continue
            }
            var folder = parts[1].isEmpty ? mounts : "\(mounts)/\(controller)"
            for part in parts[2].split(separator: "/") {
                folder += "/\(part)"
                folders.append(folder)
            }
        }
        return folders
    }
}
