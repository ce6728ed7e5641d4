import Machine
import TestSupport
import Testing

/// Which limits a control group has. A folder stands for `/`.
@Suite struct ControlGroupTests {
    @Test(
        arguments: [
            // Version 2: one and a half processors are two; the tightest of the groups around counts.
            (["proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/cpu.max": "150000 100000\n"], 2, nil),
            (
                [
                    "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/cpu.max": "max 100000\n",
                    "sys/fs/cgroup/a/cpu.max": "300000 100000\n", "sys/fs/cgroup/a/memory.max": "1000\n",
                    "sys/fs/cgroup/a/b/memory.max": "max\n",
                ], 3, 1000
            ),
            // A container's own, whatever the path says.
            (["proc/self/cgroup": "0::/elsewhere\n", "sys/fs/cgroup/cpu.max": "1000 100000\n"], 1, nil),
            // Version 1.
            (
                [
                    "proc/self/cgroup": "2:memory:/m\n1:cpu,cpuacct:/job/task\n",
                    "sys/fs/cgroup/cpu/job/cpu.cfs_quota_us": "400000\n",
                    "sys/fs/cgroup/cpu/job/cpu.cfs_period_us": "100000\n",
                    "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n", "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
                    "sys/fs/cgroup/memory/m/memory.limit_in_bytes": "2000\n",
                    "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
                ], 4, 2000
            ),
            (["sys/fs/cgroup/cpu.max": "100000 0\n", "sys/fs/cgroup/memory.max": "nonsense"], nil, nil),
            ([:], nil, nil),
        ] as [([String: String], Int?, Int?)])
    func limitsAreRead(_ files: [String: String], _ processors: Int?, _ memory: Int?) throws {
        let folder = try TemporaryFolder()
        for (name, text) in files { try folder.write(text, name) }
        let group = ControlGroup(root: folder.path)
        #expect(group.processors == processors && group.memory == memory)
    }

    @Test func thereIsAlwaysAProcessor() {
        #expect((1...MachineProcessors.online).contains(MachineProcessors.count))
    }
}
