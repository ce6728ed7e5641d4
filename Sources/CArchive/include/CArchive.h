// Zip archives through libarchive, in memory: what mask packages are kept in. Nothing here touches the file system.
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

// A new archive. NULL when there is no memory, or no libarchive.
carchive_writer *carchive_create(void);
// Adds a file. Names are UTF-8; times, owners and rights are always the same, so that equal files make equal archives.
// `is_stored`: it is kept as it is, not compressed.
bool carchive_add(
    carchive_writer *writer, const char *name, const void *data, size_t size, bool is_stored, char *message);
// Ends the archive. `data` is the writer's and lives as long as it does.
bool carchive_finish(carchive_writer *writer, const void **data, size_t *size, char *message);
void carchive_discard(carchive_writer *writer);

typedef enum { CARCHIVE_FILE, CARCHIVE_FOLDER, CARCHIVE_LINK, CARCHIVE_OTHER } carchive_kind;

typedef struct {
    // The name's bytes as they are in the archive, with a NUL; `is_name_whole` is false when it does not fit.
    char name[CARCHIVE_NAME];
    bool is_name_whole;
    carchive_kind kind;
    bool is_encrypted;
} carchive_entry;

// `data` must stay as it is while the reader lives. NULL when it is no zip archive, or there is no libarchive.
carchive_reader *carchive_open(const void *data, size_t size, char *message);
// The next entry: 1; at the end 0; when the archive is damaged -1.
int carchive_next(carchive_reader *reader, carchive_entry *entry, char *message);
// Reads on in the entry: bytes read, 0 at its end, -1 when it is damaged, encrypted or packed in an unknown way.
ptrdiff_t carchive_read(carchive_reader *reader, void *buffer, size_t capacity, char *message);
void carchive_close(carchive_reader *reader);

#endif
