#include "held_time.h"

#include <time.h>

static uint64_t nanoseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

struct instant now(void) {
    return (struct instant){nanoseconds(CLOCK_MONOTONIC), nanoseconds(CLOCK_THREAD_CPUTIME_ID)};
}

void held_time_add(struct held_time *held, uint64_t nanoseconds) {
    uint64_t bucket = nanoseconds / HELD_TIME_BUCKET_NANOSECONDS;
    held->buckets[bucket < HELD_TIME_BUCKETS ? bucket : HELD_TIME_BUCKETS - 1] += 1;
    held->calls += 1;
    if (nanoseconds > held->longest_nanoseconds) held->longest_nanoseconds = nanoseconds;
}

double held_time_milliseconds(const struct held_time *held, double share) {
    const double longest = (double)held->longest_nanoseconds / 1e6;
    const double wanted = share * (double)held->calls;
    double count = 0;
    for (int bucket = 0; bucket < HELD_TIME_BUCKETS - 1; ++bucket) {
        count += held->buckets[bucket];
        if (count < wanted || count == 0) continue;
        const double end = (bucket + 1) * (HELD_TIME_BUCKET_NANOSECONDS / 1e6);
        return end < longest ? end : longest;
    }
    return longest;
}
