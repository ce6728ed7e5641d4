// How long the filter has held OBS's graphics thread: a histogram.
#ifndef OBS_BAUTA_HELD_TIME_H
#define OBS_BAUTA_HELD_TIME_H

#include <stdint.h>

enum { HELD_TIME_BUCKETS = 2000, HELD_TIME_BUCKET_NANOSECONDS = 10000 };

struct held_time {
    // How many calls took up to 10 µs, up to 20 µs, and so on; the last counts all that took longer.
    uint32_t buckets[HELD_TIME_BUCKETS];
    uint64_t calls;
    uint64_t longest_nanoseconds;
};

// In nanoseconds.
struct instant {
    uint64_t time;
    // How long the thread has been running.
    uint64_t running;
};

struct instant now(void);

void held_time_add(struct held_time *held, uint64_t nanoseconds);

// The time in milliseconds that a share of the calls, 0 to 1, did not exceed; 0 without calls.
double held_time_milliseconds(const struct held_time *held, double share);

#endif
