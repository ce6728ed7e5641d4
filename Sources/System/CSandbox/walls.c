#define _GNU_SOURCE
#include "walls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Landlock, as the kernel's documentation declares it: the system's headers may be older than the kernel.
enum {
    CREATE_RULESET = 444,
    ADD_RULE = 445,
    RESTRICT_SELF = 446,
    VERSION_QUESTION = 1,
    PATH_BENEATH = 1,
};
typedef struct {
    uint64_t handled_access_fs;
} ruleset_attributes;
typedef struct {
    uint64_t allowed_access;
    int32_t parent_fd;
} __attribute__((packed)) path_rule;

#define RIGHT(bit) (1ull << (bit))
static const uint64_t RUN = RIGHT(0), WRITE_FILE = RIGHT(1), READ_FILE = RIGHT(2), READ_FOLDER = RIGHT(3),
    CHANGE_FOLDER = 0x1ff0,  // bits 4 to 12: delete, and make files, folders, links, pipes, sockets and devices
    RENAME_ACROSS = RIGHT(13), TRUNCATE = RIGHT(14), USE_DEVICE = RIGHT(15);

static int landlock_version(void) {
    const long version = syscall(CREATE_RULESET, NULL, 0, VERSION_QUESTION);
    return version > 0 ? (int)version : 0;
}

static uint64_t all_rights(int version) {
    uint64_t rights = RUN | WRITE_FILE | READ_FILE | READ_FOLDER | CHANGE_FOLDER;
    if (version >= 2) rights |= RENAME_ACROSS;
    if (version >= 3) rights |= TRUNCATE;
    if (version >= 5) rights |= USE_DEVICE;
    return rights;
}

static void allow(int ruleset, const char *const *paths, uint64_t rights) {
    for (; paths && *paths; ++paths) {
        path_rule rule = {.allowed_access = rights, .parent_fd = open(*paths, O_PATH | O_CLOEXEC)};
        if (rule.parent_fd < 0) continue;
        struct stat status;
        // Rights that concern folders are refused for files.
        if (fstat(rule.parent_fd, &status) == 0 && !S_ISDIR(status.st_mode))
            rule.allowed_access &= RUN | WRITE_FILE | READ_FILE | TRUNCATE | USE_DEVICE;
        syscall(ADD_RULE, ruleset, PATH_BENEATH, &rule, 0);
        close(rule.parent_fd);
    }
}

csandbox_wall csandbox_prepare(const csandbox_limits *limits) {
    csandbox_wall wall = {.ruleset = -1};
    if (!limits) return wall;
    wall.limits = *limits;
    const int version = landlock_version();
    if (version == 0 || (!limits->readable_paths && !limits->writable_paths)) return wall;
    const ruleset_attributes attributes = {all_rights(version)};
    wall.ruleset = (int)syscall(CREATE_RULESET, &attributes, sizeof attributes, 0);
    if (wall.ruleset < 0) return wall;
    allow(wall.ruleset, limits->readable_paths, RUN | READ_FILE | READ_FOLDER);
    allow(wall.ruleset, limits->writable_paths, all_rights(version));
    return wall;
}

void csandbox_discard(csandbox_wall *wall) {
    if (wall->ruleset >= 0) close(wall->ruleset);
    wall->ruleset = -1;
}

// `more`: how far beyond the limit, which is a signal for some resources, the kernel's own end is.
static bool limit(int resource, uint64_t value, rlim_t more) {
    if (value == 0) return true;
    struct rlimit now;
    if (getrlimit((__rlimit_resource_t)resource, &now) != 0) return false;
    // A limit that is there already may be lower, and cannot be raised.
    const rlim_t most = now.rlim_max != RLIM_INFINITY && now.rlim_max < value ? now.rlim_max : (rlim_t)value;
    const bool has_room = now.rlim_max == RLIM_INFINITY || now.rlim_max >= most + more;
    const struct rlimit new = {most, has_room ? most + more : most};
    return setrlimit((__rlimit_resource_t)resource, &new) == 0;
}

#if defined(__x86_64__)
enum { ARCHITECTURE = (int)AUDIT_ARCH_X86_64 };
#elif defined(__aarch64__)
enum { ARCHITECTURE = (int)AUDIT_ARCH_AARCH64 };
#else
enum { ARCHITECTURE = 0 };
#endif

enum { X32 = 0x40000000 };  // from here on, system calls have the numbers of another architecture

// An older kernel, or one without seccomp, refuses: then there is no such wall.
static bool put_up_filter(struct sock_filter *filter, size_t count) {
    const struct sock_fprog program = {(unsigned short)count, filter};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 || errno == EINVAL;
}

// Refuses sockets: with EACCES, as a missing permission does. Other system calls stay as they are, but those under
// numbers of another architecture, which would reach sockets by another way, and io_uring for the same reason.
static bool deny_network(void) {
    if (ARCHITECTURE == 0) return true;
    enum { IO_URING_SETUP = 425 };
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)ARCHITECTURE, 0, 5),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_socket, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, IO_URING_SETUP, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
    };
    return put_up_filter(filter, sizeof filter / sizeof *filter);
}

#ifdef __NR_fork
enum { FORK = __NR_fork, VFORK = __NR_vfork };
#else
enum { FORK = X32, VFORK = X32 };  // newer architectures have clone only
#endif

// Refuses new processes, with EPERM, and lets threads through. The flags of clone3 are in memory, where a filter cannot look:
// the kernel seems not to have it, and the C library calls clone.
static bool deny_processes(void) {
    if (ARCHITECTURE == 0) return true;
    enum { CLONE3 = 435 };
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)ARCHITECTURE, 0, 9),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32, 7, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CLONE3, 7, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FORK, 5, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, VFORK, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 2),
        // The lower half of the flags, on the little-endian architectures above.
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    };
    return put_up_filter(filter, sizeof filter / sizeof *filter);
}

bool csandbox_put_up(const csandbox_wall *wall, uint64_t memory_before) {
    const csandbox_limits *limits = &wall->limits;
    const bool has_walls = wall->ruleset >= 0 || limits->denies_network || limits->denies_processes;
    // Without it, the kernel lets only root restrict a process.
    if (has_walls && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
    if (wall->ruleset >= 0 && syscall(RESTRICT_SELF, wall->ruleset, 0) != 0) return false;
    if (limits->denies_network && !deny_network()) return false;
    if (limits->denies_processes && !deny_processes()) return false;
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    return limit(RLIMIT_CPU, limits->cpu_seconds, 5) && limit(RLIMIT_FSIZE, limits->file_bytes, 0)
        && limit(RLIMIT_NOFILE, limits->open_files, 0)
        && limit(RLIMIT_AS, limits->memory_bytes ? limits->memory_bytes + memory_before : 0, 0);
}

int csandbox_walls(void) {
    int walls = 0;
    if (landlock_version() > 0) walls |= CSANDBOX_WALL_PATHS;
    if (ARCHITECTURE != 0 && prctl(PR_GET_SECCOMP) >= 0) walls |= CSANDBOX_WALL_NETWORK | CSANDBOX_WALL_PROCESSES;
    return walls;
}
