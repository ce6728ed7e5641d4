import Glibc

/// The memory that this process may use.
package enum MachineMemory {
    /// In bytes: the machine's, or less where the process runs in a control group with a limit (a container, a service).
    package static let size: Int = {
        let machine = max(1 << 28, sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE)))
        return min(machine, ControlGroup().memory ?? machine)
    }()
}
