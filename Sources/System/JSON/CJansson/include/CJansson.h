// Jansson, for Swift to import.
#ifndef CJANSSON_H
#define CJANSSON_H

#include <jansson.h>

// Macros of Jansson, which Swift cannot import.
static inline size_t cjansson_flags_strict(void) { return JSON_REJECT_DUPLICATES | JSON_DECODE_ANY; }
static inline size_t cjansson_flags_compact(void) { return JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(9); }
static inline size_t cjansson_flags_indented(void) { return JSON_INDENT(2) | JSON_ENCODE_ANY | JSON_REAL_PRECISION(9); }
static inline int cjansson_type(const json_t *value) { return (int)json_typeof(value); }

#endif
