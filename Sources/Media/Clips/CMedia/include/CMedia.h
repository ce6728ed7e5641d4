// Linux functions that Media needs and Swift does not import, because glibc declares them only for _GNU_SOURCE.
#ifndef CMEDIA_H
#define CMEDIA_H

#include <stddef.h>

// Creates a pipe (reading end, writing end) that child processes do not inherit, with a buffer of one megabyte if the
// system allows it. Returns 0, or -1 with errno.
int cmedia_pipe(int ends[2]);

// Creates an anonymous file in memory that child processes do not inherit. Returns a descriptor, or -1 with errno.
int cmedia_memory_file(void);

#endif
