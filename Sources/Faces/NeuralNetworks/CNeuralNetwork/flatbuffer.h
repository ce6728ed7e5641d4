// Bounds-checked reading of FlatBuffers (https://flatbuffers.dev/internals). A read outside the file sets `is_damaged`
// and gives 0; the caller checks it before it trusts what it has read.
#ifndef FLATBUFFER_H
#define FLATBUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct flatbuffer {
    const uint8_t *bytes;
    size_t size;
    bool is_damaged;
} flatbuffer;

// `count` elements from the position `start` on.
typedef struct flatbuffer_vector {
    size_t start, count;
} flatbuffer_vector;

static inline const uint8_t *flatbuffer_at(flatbuffer *file, size_t position, size_t size) {
    if (position <= file->size && size <= file->size - position) return file->bytes + position;
    file->is_damaged = true;
    return NULL;
}

#define FLATBUFFER_READ(name, type) \
    static inline type flatbuffer_##name(flatbuffer *file, size_t position) { \
        type value = 0; \
        const uint8_t *bytes = flatbuffer_at(file, position, sizeof value); \
        if (bytes) memcpy(&value, bytes, sizeof value); \
        return value; \
    }
FLATBUFFER_READ(u8, uint8_t)
FLATBUFFER_READ(u16, uint16_t)
FLATBUFFER_READ(u32, uint32_t)
FLATBUFFER_READ(i32, int32_t)

// The position that an offset leads to.
static inline size_t flatbuffer_follow(flatbuffer *file, size_t position) {
    const size_t offset = flatbuffer_u32(file, position);
    if (offset == 0) file->is_damaged = true;
    return position + offset;
}

// The position of a table's field; 0 when the table does not have it.
static inline size_t flatbuffer_field(flatbuffer *file, size_t table, unsigned index) {
    const int64_t vtable = (int64_t)table - flatbuffer_i32(file, table);
    if (vtable < 0) {
        file->is_damaged = true;
        return 0;
    }
    const size_t entry = 4 + 2 * (size_t)index;
    if (entry + 2 > flatbuffer_u16(file, (size_t)vtable)) return 0;
    const uint16_t offset = flatbuffer_u16(file, (size_t)vtable + entry);
    return offset == 0 ? 0 : table + offset;
}

static inline int32_t flatbuffer_int(flatbuffer *file, size_t table, unsigned index, int32_t otherwise) {
    const size_t position = flatbuffer_field(file, table, index);
    return position ? flatbuffer_i32(file, position) : otherwise;
}

static inline uint8_t flatbuffer_byte(flatbuffer *file, size_t table, unsigned index) {
    const size_t position = flatbuffer_field(file, table, index);
    return position ? flatbuffer_u8(file, position) : 0;
}

// 0 when the table does not have it.
static inline size_t flatbuffer_table(flatbuffer *file, size_t table, unsigned index) {
    const size_t position = flatbuffer_field(file, table, index);
    return position ? flatbuffer_follow(file, position) : 0;
}

// Empty when the table does not have it. All elements are inside the file.
static inline flatbuffer_vector flatbuffer_elements(
    flatbuffer *file, size_t table, unsigned index, size_t element_size) {
    flatbuffer_vector vector = {0, 0};
    const size_t position = flatbuffer_table(file, table, index);
    if (!position) return vector;
    const size_t count = flatbuffer_u32(file, position);
    if (file->is_damaged || !flatbuffer_at(file, position + 4, count * element_size)) return vector;
    vector.start = position + 4;
    vector.count = count;
    return vector;
}

#endif
