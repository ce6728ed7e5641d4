#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "walls.h"

enum { CLOSE_RANGE = 436, CLOSE_AT_EXEC = 4 };

// What follows runs in the child: only functions that are safe after fork in a process with threads.

static void reset_signals(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    for (int number = 1; number < NSIG; ++number) sigaction(number, &action, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

// Makes the descriptors from `first` on close at exec, where the kernel can (Linux 5.11).
static void mark_from(unsigned first) { syscall(CLOSE_RANGE, first, ~0u, CLOSE_AT_EXEC); }

static void close_from(unsigned first) {
    if (syscall(CLOSE_RANGE, first, ~0u, 0) == 0) return;
    for (unsigned descriptor = first; descriptor < 4096; ++descriptor) close((int)descriptor);
}

// The largest number that a descriptor has in the child.
static int largest_number(const csandbox_descriptor *descriptors, size_t count) {
    int largest = 2;
    for (size_t i = 0; i < count; ++i)
        if (descriptors[i].there > largest) largest = descriptors[i].there;
    return largest;
}

// A copy with a number of at least `first`; -1 with errno EMFILE if the limit allows none.
static int copy_above(int descriptor, int first) {
    const int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, first);
    // So the kernel says that the limit itself is lower.
    if (copy < 0 && errno == EINVAL) errno = EMFILE;
    return copy;
}

// Gives descriptors their numbers in the child, up to `largest`; the others end with exec. `moved` has room for `count` of them.
static bool place(const csandbox_descriptor *descriptors, size_t count, int largest, int *moved) {
    // Out of the way first: a number may be one descriptor's place and another one's origin.
    for (size_t i = 0; i < count; ++i)
        if ((moved[i] = copy_above(descriptors[i].here, largest + 1)) < 0) return false;
    for (int number = 0; number <= largest; ++number) {
        size_t i = 0;
        while (i < count && descriptors[i].there != number) ++i;
        if (i < count) {
            if (dup2(moved[i], number) < 0) return false;
        } else {
            close(number);
            if (number <= 2 && open("/dev/null", O_RDWR) != number) return false;
        }
    }
    // All descriptors of this program close at exec already. Libraries may have opened others.
    mark_from((unsigned)largest + 1);
    return true;
}

typedef struct {
    char *const *arguments;
    const csandbox_descriptor *descriptors;
    size_t count;
    int *moved;
    csandbox_wall wall;
    pid_t parent;
    int errors;  // the writing end of a pipe that tells why the program was not started
} program;

static void run_program(const program *start) {
    reset_signals();
    setpgid(0, 0);
    if (start->wall.limits.death_signal) {
        prctl(PR_SET_PDEATHSIG, start->wall.limits.death_signal);
        if (getppid() != start->parent) _exit(126);
    }
    // The pipe and the ruleset must outlive the placing of descriptors.
    const int largest = largest_number(start->descriptors, start->count);
    const int above = largest + 1 + (int)start->count;
    int errors = copy_above(start->errors, above);
    csandbox_wall wall = start->wall;
    // Without its ruleset, the child would have fewer limits than it should.
    const bool has_room =
        errors >= 0 && (wall.ruleset < 0 || (wall.ruleset = copy_above(wall.ruleset, above)) >= 0);
    int code = 0;
    if (!has_room || !place(start->descriptors, start->count, largest, start->moved) || !csandbox_put_up(&wall, 0))
        code = errno;
    // Nothing has been placed yet.
    if (errors < 0) errors = start->errors;
    if (code == 0) {
        execvp(start->arguments[0], start->arguments);
        code = errno;
    }
    if (write(errors, &code, sizeof code) < 0) _exit(126);
    _exit(127);
}

int csandbox_spawn(
    pid_t *process, char *const arguments[], const csandbox_descriptor *descriptors, size_t count,
    const csandbox_limits *limits) {
    int pipe_ends[2];
    if (pipe2(pipe_ends, O_CLOEXEC) != 0) return errno;
    int *moved = calloc(count + 1, sizeof *moved);
    if (!moved) {
        close(pipe_ends[0]);
        close(pipe_ends[1]);
        return ENOMEM;
    }
    program start = {arguments, descriptors, count, moved, csandbox_prepare(limits), getpid(), pipe_ends[1]};
    // No handler of this process may run in the child, which has this process's memory until it starts the program.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t child = vfork();
    if (child == 0) run_program(&start);
    int code = child < 0 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(pipe_ends[1]);
    if (code == 0) {
        int told = 0;
        ssize_t got;
        while ((got = read(pipe_ends[0], &told, sizeof told)) < 0 && errno == EINTR) {}
        if (got == sizeof told) {
            code = told ? told : EINVAL;
            while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
        }
    }
    close(pipe_ends[0]);
    csandbox_discard(&start.wall);
    free(moved);
    if (code == 0) *process = child;
    return code;
}

// The address space of this process in bytes.
static uint64_t address_space(void) {
    char text[64] = {0};
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    const ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    return count > 0 ? strtoull(text, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

static int64_t now_in_milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

enum { POLLING_MILLISECONDS = 100 };

// Waits until the other end of a pipe is closed. False after the time, and when the call is cancelled.
static bool wait_for_end(int pipe, int64_t milliseconds, bool (*is_cancelled)(void), bool *was_cancelled) {
    int64_t before = now_in_milliseconds();
    while (milliseconds > 0) {
        if (is_cancelled && is_cancelled()) {
            *was_cancelled = true;
            return false;
        }
        struct pollfd descriptor = {pipe, POLLIN, 0};
        const int ready =
            poll(&descriptor, 1, milliseconds > POLLING_MILLISECONDS ? POLLING_MILLISECONDS : (int)milliseconds);
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return false;
        // A step that takes much longer than it should is one in which this process was stopped, and so was the child.
        const int64_t now = now_in_milliseconds(), step = now - before;
        milliseconds -= step < 2 * POLLING_MILLISECONDS ? step : 2 * POLLING_MILLISECONDS;
        before = now;
    }
    return false;
}

// Of the children that this thread has reaped.
static _Thread_local double seconds_of_children;

static double seconds(struct timeval time) { return (double)time.tv_sec + 1e-6 * (double)time.tv_usec; }

double csandbox_reap(pid_t process, int *status) {
    struct rusage usage;
    pid_t reaped;
    while ((reaped = wait4(process, status, 0, &usage)) < 0 && errno == EINTR) {}
    if (reaped != process) return 0;
    const double used = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    seconds_of_children += used;
    return used;
}

double csandbox_processor_seconds(void) {
    struct timespec time = {0, 0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec + seconds_of_children;
}

csandbox_outcome csandbox_call(
    void (*body)(void *context), void *context, const csandbox_limits *limits, int milliseconds,
    bool (*is_cancelled)(void)) {
    int pipe_ends[2];
    if (pipe2(pipe_ends, O_CLOEXEC) != 0) return CSANDBOX_FAILED;
    csandbox_wall wall = csandbox_prepare(limits);
    const uint64_t memory_before = address_space();
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) {
        // The thread that waits here is the one whose end kills the child.
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        reset_signals();
        if (getppid() != parent || !csandbox_put_up(&wall, memory_before)) _exit(1);
        // Left are the pipe, whose end tells the parent, and the messages: others wait for the ends of the rest.
        if (dup2(pipe_ends[1], 0) < 0 || dup2(2, 1) < 0) _exit(1);
        close_from(3);
        body(context);
        _exit(0);
    }
    const int code = errno;
    close(pipe_ends[1]);
    csandbox_discard(&wall);
    csandbox_outcome outcome = CSANDBOX_FAILED;
    if (child > 0) {
        bool was_cancelled = false;
        const bool has_ended = wait_for_end(pipe_ends[0], milliseconds, is_cancelled, &was_cancelled);
        if (!has_ended) kill(child, SIGKILL);
        int status = -1;
        csandbox_reap(child, &status);
        const bool is_out_of_time = !has_ended || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU);
        if (status == 0)
            outcome = CSANDBOX_FINISHED;
        else if (was_cancelled)
            outcome = CSANDBOX_CANCELLED;
        else
            outcome = is_out_of_time ? CSANDBOX_TIMED_OUT : CSANDBOX_CRASHED;
    }
    close(pipe_ends[0]);
    errno = code;
    return outcome;
}

void *csandbox_shared_memory(size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void csandbox_take(void *copy, const void *shared, size_t size) {
    memcpy(copy, shared, size);
    // The compiler may not read from `shared` again in the place of the copy.
    __asm__ volatile("" : : : "memory");
}

void csandbox_free_shared_memory(void *memory, size_t size) {
    if (memory) munmap(memory, size);
}
