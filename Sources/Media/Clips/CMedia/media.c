#define _GNU_SOURCE
#include "CMedia.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int cmedia_pipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    fcntl(ends[0], F_SETPIPE_SZ, 1 << 20);
    return 0;
}

int cmedia_memory_file(void) { return memfd_create("messages", MFD_CLOEXEC); }
