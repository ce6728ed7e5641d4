// What cutting and following share.
#ifndef LANES_H
#define LANES_H

enum { LANES = 8 };

// Neighbours in a row. All processors add them in the same order, so that all get the same results.
typedef float lanes __attribute__((vector_size(4 * LANES)));

static inline float sum(const lanes *values) {
    const lanes v = *values;
    return ((v[0] + v[4]) + (v[1] + v[5])) + ((v[2] + v[6]) + (v[3] + v[7]));
}

static inline int clamped(int value, int limit) { return value < 0 ? 0 : value >= limit ? limit - 1 : value; }

#endif
