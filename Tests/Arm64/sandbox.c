#include <CSandbox.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "inputs.h"

static void answer(void *context) { *(int *)context = 42; }
static void crash(void *context) {
    (void)context;
    abort();
}
static void never_end(void *context) {
    for (volatile int *place = context;;) *place = 1;
}

// Under qemu-user there are neither Landlock nor seccomp, and no limit of memory: the lines say nothing of these walls.
void test_sandbox(void) {
    int *shared = csandbox_shared_memory(sizeof *shared);
    expect(shared != NULL, "there is shared memory");
    const csandbox_limits limits = {
        .cpu_seconds = 1, .memory_bytes = 1 << 26, .denies_network = true, .denies_processes = true};
    const csandbox_outcome finished = csandbox_call(answer, shared, &limits, 60000, NULL);
    expect(finished == CSANDBOX_FINISHED && *shared == 42, "a child gives its result back");
    printf("sandbox: finished %d, crashed %d", finished, csandbox_call(crash, shared, &limits, 60000, NULL));
    printf(", out of time %d\n", csandbox_call(never_end, shared, &limits, 60000, NULL));
    csandbox_free_shared_memory(shared, sizeof *shared);
    pid_t process;
    int status = -1;
    char *const arguments[] = {"true", NULL};
    expect(csandbox_spawn(&process, arguments, NULL, 0, &limits) == 0, "a program is started");
    csandbox_reap(process, &status);
    printf("sandbox: program %d\n", status);
}
