// Faults on purpose: preloaded into the program (LD_PRELOAD), it makes one call of the system fail, kills the program just
// before that call, or makes all such calls wait. Programs with other names, such as ffmpeg, are left alone.
//
// FAULT_CALL    "open", "read", "write", "sync", "rename" (and link), "unlink", "mkdir", "memory" (of FAULT_SIZE bytes and
//               more), "thread" (this and all later ones), "lookup" of a host, or "any" of those that concern files; "errno":
//               nothing fails, but whenever memory is freed, errno becomes FAULT_ERROR
// FAULT_NUMBER  which of these calls, from 1
// FAULT_ERROR   the errno that it fails with; without it, the program is killed
// FAULT_FROM    instead, this file is renamed to FAULT_TO, and the call goes on: somebody else replaces a file
// FAULT_PLACE   only calls count that concern files of this folder
// FAULT_GATE    while this file is there, all these calls wait, and none fails: a disk or a network that does not answer. With
//               FAULT_ERROR, these calls fail instead from the one on whose number is in the file, counted while it is there
// FAULT_MARK    a file that is created when it happens
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *wanted, *folder, *gate;
static int number, code;
static size_t size = 1 << 20;
static atomic_int count;

__attribute__((constructor)) static void begin(void) {
    if (strcmp(program_invocation_short_name, "bauta") != 0) return;
    const char *text = getenv("FAULT_NUMBER");
    number = text ? atoi(text) : 1;
    text = getenv("FAULT_ERROR");
    code = text ? atoi(text) : 0;
    text = getenv("FAULT_SIZE");
    if (text) size = (size_t)atoll(text);
    folder = getenv("FAULT_PLACE");
    gate = getenv("FAULT_GATE");
    wanted = getenv("FAULT_CALL");
}

static void leave_mark(void) {
    const char *mark = getenv("FAULT_MARK");
    if (mark) syscall(SYS_close, syscall(SYS_openat, AT_FDCWD, mark, O_WRONLY | O_CREAT, 0600));
}

// Whether this call is the one that fails.
static bool fails(void) {
    if (gate && code) {
        FILE *file = fopen(gate, "r");
        int first = 0;
        const bool is_closed = file && fscanf(file, "%d", &first) == 1;
        if (file) fclose(file);
        if (!is_closed) count = 0;
        if (!is_closed || atomic_fetch_add(&count, 1) + 1 < first) return false;
        leave_mark();
        errno = code;
        return true;
    }
    if (gate) {
        if (access(gate, F_OK) == 0) leave_mark();
        while (access(gate, F_OK) == 0) usleep(5000);
        return false;
    }
    if (atomic_fetch_add(&count, 1) + 1 != number) return false;
    leave_mark();
    const char *from = getenv("FAULT_FROM"), *to = getenv("FAULT_TO");
    if (from && to) {
        syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
        return false;
    }
    if (code == 0) kill(getpid(), SIGKILL);
    errno = code;
    return true;
}

static bool is_wanted(const char *call) {
    if (!wanted || strcmp(wanted, call) == 0) return wanted;
    return strcmp(wanted, "any") == 0 && strcmp(call, "memory") != 0 && strcmp(call, "thread") != 0
        && strcmp(call, "lookup") != 0;
}

static bool lies_there(const char *path) { return !folder || strncmp(path, folder, strlen(folder)) == 0; }

// Asks the kernel, not the functions below.
static bool is_file_there(int descriptor) {
    char name[64], path[4096];
    snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    const ssize_t length = readlink(name, path, sizeof path - 1);
    if (length <= 0) return false;
    path[length] = 0;
    return path[0] == '/' && lies_there(path);
}

static bool is_path_there(int parent, const char *path) {
    if (path[0] == '/') return lies_there(path);
    if (parent != AT_FDCWD) return is_file_there(parent);
    char here[4096];
    return getcwd(here, sizeof here) && lies_there(here);
}

static bool fails_on(const char *call, int descriptor) {
    return is_wanted(call) && is_file_there(descriptor) && fails();
}

static bool fails_at(const char *call, int parent, const char *path) {
    return is_wanted(call) && is_path_there(parent, path) && fails();
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    if (fails_at("open", AT_FDCWD, path)) return -1;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int openat(int parent, const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    if (fails_at("open", parent, path)) return -1;
    return (int)syscall(SYS_openat, parent, path, flags, mode);
}

ssize_t read(int descriptor, void *bytes, size_t length) {
    if (fails_on("read", descriptor)) return -1;
    return syscall(SYS_read, descriptor, bytes, length);
}

ssize_t pread(int descriptor, void *bytes, size_t length, off_t offset) {
    if (fails_on("read", descriptor)) return -1;
    return syscall(SYS_pread64, descriptor, bytes, length, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
    if (fails_on("write", descriptor)) return -1;
    return syscall(SYS_write, descriptor, bytes, length);
}

int fdatasync(int descriptor) {
    if (fails_on("sync", descriptor)) return -1;
    return (int)syscall(SYS_fdatasync, descriptor);
}

int rename(const char *from, const char *to) {
    if (fails_at("rename", AT_FDCWD, to)) return -1;
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int renameat(int a, const char *from, int b, const char *to) {
    if (fails_at("rename", b, to)) return -1;
    return (int)syscall(SYS_renameat2, a, from, b, to, 0);
}

int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
    if (fails_at("rename", b, to)) return -1;
    return (int)syscall(SYS_renameat2, a, from, b, to, flags);
}

int link(const char *from, const char *to) {
    if (fails_at("rename", AT_FDCWD, to)) return -1;
    return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int linkat(int a, const char *from, int b, const char *to, int flags) {
    if (fails_at("rename", b, to)) return -1;
    return (int)syscall(SYS_linkat, a, from, b, to, flags);
}

int unlinkat(int parent, const char *path, int flags) {
    if (fails_at("unlink", parent, path)) return -1;
    return (int)syscall(SYS_unlinkat, parent, path, flags);
}

int unlink(const char *path) {
    if (fails_at("unlink", AT_FDCWD, path)) return -1;
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int mkdir(const char *path, mode_t mode) {
    if (fails_at("mkdir", AT_FDCWD, path)) return -1;
    return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int mkdirat(int parent, const char *path, mode_t mode) {
    if (fails_at("mkdir", parent, path)) return -1;
    return (int)syscall(SYS_mkdirat, parent, path, mode);
}

int getaddrinfo(const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
    if (is_wanted("lookup") && fails()) return EAI_SYSTEM;
    return NEXT(getaddrinfo)(host, service, hints, result);
}

static bool refuses(size_t length) { return wanted && length >= size && is_wanted("memory") && fails(); }

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void __libc_free(void *);

void *malloc(size_t length) { return refuses(length) ? NULL : __libc_malloc(length); }

void *calloc(size_t times, size_t length) {
    return refuses(times * length) ? NULL : __libc_calloc(times, length);
}

void *realloc(void *old, size_t length) { return refuses(length) ? NULL : __libc_realloc(old, length); }

// As in C libraries before glibc 2.33.
void free(void *memory) {
    __libc_free(memory);
    if (memory && wanted && strcmp(wanted, "errno") == 0) errno = code;
}

int posix_memalign(void **result, size_t alignment, size_t length) {
    if (refuses(length)) return ENOMEM;
    return NEXT(posix_memalign)(result, alignment, length);
}

void *aligned_alloc(size_t alignment, size_t length) {
    return refuses(length) ? NULL : NEXT(aligned_alloc)(alignment, length);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
    static atomic_bool has_failed;
    if (is_wanted("thread") && (has_failed || fails())) {
        has_failed = !gate;
        return code;
    }
    return NEXT(pthread_create)(thread, attributes, body, argument);
}
