// What Media needs of Linux and Swift does not import: functions that glibc only declares for _GNU_SOURCE.
#ifndef CMEDIA_H
#define CMEDIA_H

#include <stddef.h>

// A pipe (reading end, writing end) that no other child process inherits, which holds a megabyte where that is
// allowed. Returns 0, or -1 with errno.
int cmedia_pipe(int ends[2]);

// A file in memory without a name, that no child process inherits by itself. Returns a descriptor, or -1 with errno.
int cmedia_memory_file(void);

#endif
