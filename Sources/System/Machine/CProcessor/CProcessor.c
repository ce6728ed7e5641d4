#define _GNU_SOURCE
#include "CProcessor.h"

#include <errno.h>
#include <sched.h>

int cprocessor_count_allowed(void) {
    // The set must have a bit for every processor that the kernel may have.
    for (int most = 1024; most <= 1 << 20; most *= 2) {
        cpu_set_t *set = CPU_ALLOC(most);
        if (!set) return 0;
        const size_t size = CPU_ALLOC_SIZE(most);
        const int result = sched_getaffinity(0, size, set);
        const int count = result == 0 ? CPU_COUNT_S(size, set) : 0;
        CPU_FREE(set);
        if (result == 0 || errno != EINVAL) return count;
    }
    return 0;
}
