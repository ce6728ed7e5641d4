import CProcessor
import Glibc

/// The processors (cores) that this process may use.
package enum MachineProcessors {
    /// How many threads can work at the same time: as many as there are processors on which the process may run
    /// (`taskset`, a cpuset, a task of Slurm), or fewer if its control group has a quota of processor time (a container, a
    /// service), rounded up. At least 1.
    package static let count: Int = {
        let allowed = Int(cprocessor_count_allowed())
        let processors = allowed > 0 ? allowed : online
        return max(1, min(processors, ControlGroup().processors ?? processors))
    }()

    /// How many the machine has. Programs and libraries of others may start so many threads, whatever this process may use.
    package static var online: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
