// A wall around code that handles a stranger's bytes: a child process with limits of time, memory and files
// (setrlimit), of the paths that it may open (Landlock), and of the network and other processes (seccomp). Limits that the kernel does not
// offer are left out silently; `csandbox_walls` tells which ones it offers.
//
// All functions may be called from any thread. None leaves a descriptor open in the child but those asked for.
#ifndef CSANDBOX_H
#define CSANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// What the child may use. Numbers that are 0 and pointers that are NULL set no limit, so that all zeros is no wall.
typedef struct csandbox_limits {
    uint64_t cpu_seconds;   // processor time of all its threads; then it is killed with SIGXCPU
    uint64_t memory_bytes;  // address space: allocations beyond it fail. `csandbox_call`: beyond what there was before
    uint64_t file_bytes;    // of each file that it writes; then it is killed with SIGXFSZ. Pipes have no limit
    uint64_t open_files;    // the largest number of descriptors, and at least those that are handed over
    // Lists of paths that end with NULL: files and folders, each with all below it. If either list is given, nothing
    // else can be opened. Descriptors that are handed over open stay usable. Paths that do not exist are left out.
    const char *const *readable_paths;  // may be read, listed and run
    const char *const *writable_paths;  // may also be written, created and deleted
    bool denies_network;                // no sockets of any kind
    bool denies_processes;              // no other processes; threads are allowed
    int death_signal;  // `csandbox_spawn`: what the child gets when the thread that starts it ends; 0: nothing
} csandbox_limits;

enum {
    CSANDBOX_WALL_PATHS = 1,    // Landlock: Linux 5.13 and later, where it is turned on
    CSANDBOX_WALL_NETWORK = 2,  // seccomp filters
    CSANDBOX_WALL_PROCESSES = 4,  // the same
};

// The walls that this kernel offers: a sum of CSANDBOX_WALL_…. The limits of time, memory and files are always there.
int csandbox_walls(void);

// A descriptor of this process, and the number under which the child has it.
typedef struct csandbox_descriptor {
    int here;
    int there;
} csandbox_descriptor;

// Starts a program, found through PATH, behind the wall: what posix_spawnp does, with limits. The child has only the
// descriptors listed (those left out of 0, 1 and 2 are /dev/null), a process group of its own, no blocked signals, and
// the default action for every signal.
// - arguments: the program's name and arguments, ends with NULL.
// - limits: NULL sets none. readable_paths must include the program and its libraries (/usr, /lib, /lib64, /etc).
// Returns 0, or the number of the error (ENOENT: there is no such program).
int csandbox_spawn(
    pid_t *process, char *const arguments[], const csandbox_descriptor *descriptors, size_t count,
    const csandbox_limits *limits);

typedef enum {
    CSANDBOX_FINISHED = 0,
    CSANDBOX_TIMED_OUT = 1,  // it reached `milliseconds` or `cpu_seconds`
    CSANDBOX_CRASHED = 2,    // it ended by itself before `body` returned: a crash, or no memory
    CSANDBOX_FAILED = 3,     // there is no child: errno holds the reason
    CSANDBOX_CANCELLED = 4,  // `is_cancelled` said so
} csandbox_outcome;

// Waits for the end of a child and reaps it. Returns its processor time in seconds, and its status as waitpid does.
double csandbox_reap(pid_t process, int *status);

// Processor time in seconds: of the calling thread, and of all children that it has reaped with the functions here. Unlike a
// clock, it stands still while the program is stopped or others use the processors.
double csandbox_processor_seconds(void);

// Runs `body(context)` in a copy of this process (fork), behind the wall, and waits for its end. Only what `body`
// writes into memory of `csandbox_shared_memory` comes back. `body` must be plain C that needs no other thread, and no
// lock that another thread of this process may hold now; memory may be allocated and libraries may be loaded.
// - milliseconds: by the clock, for a child that waits for ever. Time for which this program is stopped does not count.
// - is_cancelled: asked several times a second, in this process, whether the child is to be killed; NULL: it is not.
csandbox_outcome csandbox_call(
    void (*body)(void *context), void *context, const csandbox_limits *limits, int milliseconds,
    bool (*is_cancelled)(void));

// Zeroed memory that a child of `csandbox_call` shares. NULL when there is none.
void *csandbox_shared_memory(size_t size);
// Copies what a child has left in shared memory. Only the copy can be checked: whoever still shares the memory may change it
// between the check and the use.
void csandbox_take(void *copy, const void *shared, size_t size);
void csandbox_free_shared_memory(void *memory, size_t size);

#ifdef __cplusplus
}
#endif

#endif
