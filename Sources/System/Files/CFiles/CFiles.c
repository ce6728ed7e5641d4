#define _GNU_SOURCE
#include "CFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

const int cfiles_folder_flags = O_PATH | O_DIRECTORY | O_CLOEXEC;

// Returns a file descriptor, or -1 with errno (ENOSYS: there is no openat2).
static int open_resolved(int folder, const char *path, const struct open_how *how) {
    // EAGAIN: something was renamed meanwhile, and the kernel cannot tell whether the path still stays beneath.
    for (int attempt = 0; attempt < 64; ++attempt) {
        const long descriptor = syscall(SYS_openat2, folder, path, how, sizeof *how);
        if (descriptor >= 0) return (int)descriptor;
        if (errno == EINTR || errno == EAGAIN) continue;
        // Kernels before 5.6 do not have it, and some sandboxes forbid what they do not know.
        if (errno == EPERM) errno = ENOSYS;
        return -1;
    }
    errno = EAGAIN;
    return -1;
}

int cfiles_open_beneath(int folder, const char *path, int flags, unsigned mode, bool follows_links) {
    struct open_how how;
    memset(&how, 0, sizeof how);
    how.flags = (unsigned long long)(flags | O_CLOEXEC);
    how.mode = (flags & O_CREAT) ? mode : 0;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | (follows_links ? 0 : RESOLVE_NO_SYMLINKS);
    const int descriptor = open_resolved(folder, path, &how);
    if (descriptor >= 0 || errno != ENOSYS) return descriptor;
    return cfiles_open_stepwise(folder, path, flags, mode);
}

int cfiles_open_stepwise(int folder, const char *path, int flags, unsigned mode) {
    int current = folder;
    while (true) {
        const char *slash = strchr(path, '/');
        const size_t length = slash ? (size_t)(slash - path) : strlen(path);
        char part[256];
        int next = -1;
        if (length == 0 || (length == 1 && path[0] == '.') || (length == 2 && path[0] == '.' && path[1] == '.')) {
            errno = EXDEV;
        } else if (length >= sizeof part) {
            errno = ENAMETOOLONG;
        } else {
            memcpy(part, path, length);
            part[length] = 0;
            const int own = slash ? O_PATH | O_DIRECTORY : flags;
            do {
                next = openat(current, part, own | O_NOFOLLOW | O_CLOEXEC, mode);
            } while (next < 0 && errno == EINTR);
        }
        const int code = errno;
        if (current != folder) close(current);
        errno = code;
        if (next < 0 || !slash) return next;
        current = next;
        path = slash + 1;
    }
}

int cfiles_open_same_mount(int folder, const char *name) {
    struct open_how how;
    memset(&how, 0, sizeof how);
    how.flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV;
    const int descriptor = open_resolved(folder, name, &how);
    if (descriptor >= 0 || errno != ENOSYS) return descriptor;
    const int plain = openat(folder, name, (int)how.flags);
    struct stat outer, inner;
    if (plain < 0) return -1;
    if (fstat(folder, &outer) == 0 && fstat(plain, &inner) == 0 && outer.st_dev == inner.st_dev) return plain;
    close(plain);
    errno = EXDEV;
    return -1;
}

int cfiles_exchange(const char *a, const char *b) {
    return renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE);
}

int64_t cfiles_birth_time(int folder, const char *name, bool follows_links) {
    struct statx status;
    const int flags = AT_EMPTY_PATH | (follows_links ? 0 : AT_SYMLINK_NOFOLLOW);
    if (statx(folder, name, flags, STATX_BTIME, &status) != 0 || !(status.stx_mask & STATX_BTIME)) return -1;
    return (int64_t)status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec;
}

uint64_t cfiles_checksum(const void *bytes, size_t count) {
    // Four independent chains of multiply and rotate: limited by memory only.
    const uint8_t *position = bytes;
    uint64_t lanes[4] = {0x9E3779B97F4A7C15u, 0xC2B2AE3D27D4EB4Fu, 0x165667B19E3779F9u, 0x27D4EB2F165667C5u};
    for (; count >= 32; count -= 32, position += 32) {
        for (int i = 0; i < 4; ++i) {
            uint64_t word;
            memcpy(&word, position + 8 * i, 8);
            lanes[i] = (lanes[i] ^ word) * 0xFF51AFD7ED558CCDu;
            lanes[i] = lanes[i] << 31 | lanes[i] >> 33;
        }
    }
    uint64_t sum = lanes[0] ^ lanes[1] * 3 ^ lanes[2] * 5 ^ lanes[3] * 7;
    for (; count > 0; --count, ++position) sum = (sum ^ *position) * 0x100000001B3u;
    return sum ^ sum >> 29;
}

static int argument_count;
static char **arguments;

// The GNU C library gives the arguments of `main` to functions that run before it.
__attribute__((constructor)) static void note_arguments(int count, char **words) {
    argument_count = count;
    arguments = words;
}

int cfiles_argument_count(void) { return argument_count; }

const char *cfiles_argument(int index) { return arguments[index]; }

const char *cfiles_program(void) { return (const char *)getauxval(AT_EXECFN); }
