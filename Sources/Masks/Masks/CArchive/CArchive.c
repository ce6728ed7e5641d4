#define _GNU_SOURCE
#include "CArchive.h"

#include <CDynamicLibrary.h>
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// libarchive depends on a dozen libraries, which are not worth loading at every start.
#define FUNCTIONS(F) \
    F(archive_entry_filetype) F(archive_entry_free) F(archive_entry_hardlink) F(archive_entry_is_encrypted) \
    F(archive_entry_new) F(archive_entry_pathname) F(archive_entry_pathname_utf8) F(archive_entry_set_filetype) \
    F(archive_entry_set_mtime) F(archive_entry_set_pathname_utf8) F(archive_entry_set_perm) \
    F(archive_entry_set_size) F(archive_entry_symlink) F(archive_error_string) F(archive_read_data) \
    F(archive_read_free) F(archive_read_new) F(archive_read_next_header) F(archive_read_open_memory) \
    F(archive_read_support_format_zip_seekable) F(archive_set_error) F(archive_write_close) \
    F(archive_write_data) F(archive_write_finish_entry) F(archive_write_free) F(archive_write_header) \
    F(archive_write_new) F(archive_write_open) F(archive_write_set_bytes_in_last_block) \
    F(archive_write_set_format_zip) F(archive_write_set_options) F(archive_write_zip_set_compression_deflate) \
    F(archive_write_zip_set_compression_store)

CDYNAMICLIBRARY(FUNCTIONS, "libarchive.so.13")

struct carchive_writer {
    struct archive *archive;
    uint8_t *data;
    size_t size, capacity;
};

// One for all threads, never freed.
static locale_t utf8;
static void make_utf8(void) { utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0); }

// libarchive converts names by the thread's locale, which may be limited to ASCII.
static locale_t enter_utf8(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_utf8);
    return utf8 ? uselocale(utf8) : (locale_t)0;
}

static void leave(locale_t before) {
    if (before) uselocale(before);
}

static void say(char *message, struct archive *archive) {
    const char *text = archive ? library.archive_error_string(archive) : NULL;
    snprintf(message, CARCHIVE_MESSAGE, "%s", text ? text : "no reason is given");
}

static la_ssize_t append(struct archive *archive, void *client, const void *data, size_t size) {
    carchive_writer *writer = client;
    if (writer->size + size > writer->capacity) {
        const size_t capacity = 2 * (writer->size + size) + 4096;
        uint8_t *larger = realloc(writer->data, capacity);
        if (!larger) {
            library.archive_set_error(archive, 12, "there is not enough memory");
            return -1;
        }
        writer->data = larger;
        writer->capacity = capacity;
    }
    memcpy(writer->data + writer->size, data, size);
    writer->size += size;
    return (la_ssize_t)size;
}

carchive_writer *carchive_create(void) {
    if (!is_available()) return NULL;
    carchive_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return NULL;
    writer->archive = library.archive_write_new();
    // The names' encoding is chosen here.
    const locale_t before = enter_utf8();
    const bool is_open = writer->archive && library.archive_write_set_format_zip(writer->archive) == ARCHIVE_OK
        && library.archive_write_set_options(writer->archive, "zip:compression=deflate,zip:hdrcharset=UTF-8") >= ARCHIVE_WARN
        && library.archive_write_set_bytes_in_last_block(writer->archive, 1) == ARCHIVE_OK
        && library.archive_write_open(writer->archive, writer, NULL, append, NULL) == ARCHIVE_OK;
    leave(before);
    if (!is_open) {
        carchive_discard(writer);
        return NULL;
    }
    return writer;
}

static bool add(
    carchive_writer *writer, const char *name, const void *data, size_t size, bool is_stored, char *message) {
    if (is_stored) library.archive_write_zip_set_compression_store(writer->archive);
    else library.archive_write_zip_set_compression_deflate(writer->archive);
    struct archive_entry *entry = library.archive_entry_new();
    if (!entry) {
        say(message, NULL);
        return false;
    }
    library.archive_entry_set_pathname_utf8(entry, name);
    library.archive_entry_set_filetype(entry, AE_IFREG);
    library.archive_entry_set_perm(entry, 0644);
    library.archive_entry_set_size(entry, (la_int64_t)size);
    // Noon of 1980-01-01: the first day that zip knows, in every time zone.
    library.archive_entry_set_mtime(entry, 315576000, 0);
    const bool is_written = library.archive_write_header(writer->archive, entry) >= ARCHIVE_WARN
        && library.archive_write_data(writer->archive, data, size) == (la_ssize_t)size
        && library.archive_write_finish_entry(writer->archive) >= ARCHIVE_WARN;
    if (!is_written) say(message, writer->archive);
    library.archive_entry_free(entry);
    return is_written;
}

bool carchive_add(
    carchive_writer *writer, const char *name, const void *data, size_t size, bool is_stored, char *message) {
    const locale_t before = enter_utf8();
    const bool is_added = add(writer, name, data, size, is_stored, message);
    leave(before);
    return is_added;
}

bool carchive_finish(carchive_writer *writer, const void **data, size_t *size, char *message) {
    if (library.archive_write_close(writer->archive) != ARCHIVE_OK) {
        say(message, writer->archive);
        return false;
    }
    *data = writer->data;
    *size = writer->size;
    return true;
}

void carchive_discard(carchive_writer *writer) {
    if (writer->archive) library.archive_write_free(writer->archive);
    free(writer->data);
    free(writer);
}

struct carchive_reader {
    struct archive *archive;
};

carchive_reader *carchive_open(const void *data, size_t size, char *message) {
    if (!is_available()) {
        snprintf(message, CARCHIVE_MESSAGE, "libarchive (see 'bauta doctor') is missing");
        return NULL;
    }
    carchive_reader *reader = calloc(1, sizeof *reader);
    if (!reader) {
        say(message, NULL);
        return NULL;
    }
    reader->archive = library.archive_read_new();
    // Nothing but zip, and no filters around it.
    const locale_t before = enter_utf8();
    const bool is_open = reader->archive && library.archive_read_support_format_zip_seekable(reader->archive) == ARCHIVE_OK
        && library.archive_read_open_memory(reader->archive, data, size) == ARCHIVE_OK;
    leave(before);
    if (!is_open) {
        say(message, reader->archive);
        carchive_close(reader);
        return NULL;
    }
    return reader;
}

static int next(carchive_reader *reader, carchive_entry *entry, char *message) {
    struct archive_entry *found = NULL;
    // libarchive 3.6 takes a name that is not UTF-8 for a lack of memory if an earlier call of anyone's left ENOMEM here.
    errno = 0;
    const int result = library.archive_read_next_header(reader->archive, &found);
    if (result == ARCHIVE_EOF) return 0;
    if (result < ARCHIVE_WARN || !found) {
        say(message, reader->archive);
        return -1;
    }
    const char *name = library.archive_entry_pathname_utf8(found);
    if (!name) name = library.archive_entry_pathname(found);
    if (!name) name = "";
    entry->is_name_whole = strlen(name) < CARCHIVE_NAME;
    snprintf(entry->name, CARCHIVE_NAME, "%s", name);
    entry->is_encrypted = library.archive_entry_is_encrypted(found) != 0;
    const bool is_link = library.archive_entry_hardlink(found) || library.archive_entry_symlink(found);
    switch (library.archive_entry_filetype(found)) {
    case AE_IFREG: entry->kind = is_link ? CARCHIVE_LINK : CARCHIVE_FILE; break;
    case AE_IFDIR: entry->kind = CARCHIVE_FOLDER; break;
    case AE_IFLNK: entry->kind = CARCHIVE_LINK; break;
    default: entry->kind = is_link ? CARCHIVE_LINK : CARCHIVE_OTHER;
    }
    return 1;
}

int carchive_next(carchive_reader *reader, carchive_entry *entry, char *message) {
    const locale_t before = enter_utf8();
    const int result = next(reader, entry, message);
    leave(before);
    return result;
}

ptrdiff_t carchive_read(carchive_reader *reader, void *buffer, size_t capacity, char *message) {
    const la_ssize_t count = library.archive_read_data(reader->archive, buffer, capacity);
    if (count < 0) say(message, reader->archive);
    return count < 0 ? -1 : (ptrdiff_t)count;
}

void carchive_close(carchive_reader *reader) {
    if (reader->archive) library.archive_read_free(reader->archive);
    free(reader);
}
