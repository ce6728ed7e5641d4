// Counts what the calling thread allocates: the functions of the C library are replaced in the whole test program.
#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdint.h>

// Allocations made by this thread so far.
uint64_t allocation_count(void);

#endif
