#define _GNU_SOURCE
#include "CBauta.h"

#include <dlfcn.h>
#include <string.h>

static _Thread_local char error_text[4096];

// Ends a text before a UTF-8 sequence that is not whole.
static void drop_partial_sequence(char *text, size_t count) {
    size_t start = count;
    while (start > 0 && count - start < 4 && ((unsigned char)text[start - 1] & 0xC0) == 0x80) --start;
    if (start > 0 && ((unsigned char)text[start - 1] & 0xC0) == 0xC0) text[start - 1] = 0;
}

void cbauta_set_error_text(const char *text) {
    const size_t count = strnlen(text, sizeof error_text);
    if (count < sizeof error_text) {
        memcpy(error_text, text, count + 1);
        return;
    }
    memcpy(error_text, text, sizeof error_text - 1);
    error_text[sizeof error_text - 1] = 0;
    drop_partial_sequence(error_text, sizeof error_text - 1);
}

const char *bauta_error_text(void) { return error_text; }

const char *cbauta_library_path(void) {
    Dl_info information;
    if (!dladdr((const void *)(void (*)(void))cbauta_set_error_text, &information)) return NULL;
    return information.dli_fname;
}
