// System calls for which the C library or Swift has no function, and what the system tells a program when it starts.
#ifndef CFILES_H
#define CFILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The flags that open a folder only to reach what is in it: it need not be readable (O_PATH).
extern const int cfiles_folder_flags;

// Opens a file that lies beneath a folder, whatever the path says and whatever its links point at (openat2 with
// RESOLVE_BENEATH). `follows_links`: whether symbolic links are followed as long as they stay beneath the folder;
// without it, any link is an error (ELOOP). Absolute paths and paths that lead out are errors (EXDEV).
// Returns a file descriptor, or -1 with errno.
int cfiles_open_beneath(int folder, const char *path, int flags, unsigned mode, bool follows_links);

// The same for systems without openat2: opens one folder after the other and follows no link at all. Parts "", "."
// and ".." are errors (EXDEV).
int cfiles_open_stepwise(int folder, const char *path, int flags, unsigned mode);

// Opens a folder in an open one to read it, unless it is a link (ELOOP) or another file system or a bind mount is mounted
// there (EXDEV; without openat2, only other file systems are noticed). Returns a file descriptor, or -1 with errno.
int cfiles_open_same_mount(int folder, const char *name);

// Exchanges two files or folders in one step. Returns 0, or -1 with errno (EINVAL: the file system cannot).
int cfiles_exchange(const char *a, const char *b);

// When a file was created, in nanoseconds since 1970; -1 if the file system does not say, or there is no such file. `name`: in
// an open folder, or a path that AT_FDCWD goes with. `follows_links`: whether a link counts as what it points at.
int64_t cfiles_birth_time(int folder, const char *name, bool follows_links);

// A checksum that detects damage and change, but not manipulation.
uint64_t cfiles_checksum(const void *bytes, size_t count);

// The arguments of `main`, the program's name first.
int cfiles_argument_count(void);
const char *cfiles_argument(int index);

// The path by which this program was started, perhaps from the working folder of that moment; NULL if it is not known.
const char *cfiles_program(void);

#endif
