// Zip archives in memory through libarchive, for mask packages. Nothing here accesses the file system.
//
// Functions that can fail write a message of at most CARCHIVE_MESSAGE bytes, with its NUL.
#ifndef CARCHIVE_H
#define CARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CARCHIVE_MESSAGE = 256, CARCHIVE_NAME = 1024 };

typedef struct carchive_writer carchive_writer;
typedef struct carchive_reader carchive_reader;

// A new archive. NULL if memory or libarchive is missing.
carchive_writer *carchive_create(void);
// Adds a file. Names are UTF-8; times, owners and permissions are constant, so that equal files make equal archives.
// `is_stored`: without compression.
bool carchive_add(
    carchive_writer *writer, const char *name, const void *data, size_t size, bool is_stored, char *message);
// Completes the archive. `data` belongs to the writer and is valid as long as the writer exists.
bool carchive_finish(carchive_writer *writer, const void **data, size_t *size, char *message);
void carchive_discard(carchive_writer *writer);

typedef enum { CARCHIVE_FILE, CARCHIVE_FOLDER, CARCHIVE_LINK, CARCHIVE_OTHER } carchive_kind;

typedef struct {
    // The bytes of the name as stored in the archive, with a NUL; `is_name_whole` is false if it does not fit.
    char name[CARCHIVE_NAME];
    bool is_name_whole;
    carchive_kind kind;
    bool is_encrypted;
} carchive_entry;

// `data` must not change while the reader exists. NULL if it is not a zip archive, or libarchive is missing.
carchive_reader *carchive_open(const void *data, size_t size, char *message);
// Moves to the next entry. Returns 1, 0 at the end, -1 if the archive is damaged.
int carchive_next(carchive_reader *reader, carchive_entry *entry, char *message);
// Reads more of the entry. Returns the number of bytes, 0 at its end, -1 if it is damaged, encrypted or compressed in an
// unknown way.
ptrdiff_t carchive_read(carchive_reader *reader, void *buffer, size_t capacity, char *message);
void carchive_close(carchive_reader *reader);

#endif
