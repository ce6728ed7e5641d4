// Bounds-checked reading of FlexBuffers (https://flatbuffers.dev/flexbuffers), as far as operators' options need it: a map
// with numbers and vectors of whole numbers. As in flatbuffer.h, a read outside sets `is_damaged` and gives 0.
#ifndef FLEXBUFFER_H
#define FLEXBUFFER_H

#include "flatbuffer.h"

enum { FLEXBUFFER_INT = 1, FLEXBUFFER_UINT = 2, FLEXBUFFER_FLOAT = 3, FLEXBUFFER_MAP = 9, FLEXBUFFER_INTS = 11,
       FLEXBUFFER_UINTS = 12 };

typedef struct flexbuffer {
    flatbuffer file;  // the buffer alone
    size_t values;    // the position of the map's first value
    size_t count;
    unsigned width;   // of a value, in bytes
    size_t keys;
    unsigned key_width;
} flexbuffer;

// A value of a map: a number in place, or where a vector starts.
typedef struct flexbuffer_value {
    unsigned type, width;
    size_t position;
} flexbuffer_value;

static inline bool flexbuffer_is_width(uint64_t width) { return width == 1 || width == 2 || width == 4 || width == 8; }

static inline uint64_t flexbuffer_unsigned(flatbuffer *file, size_t position, unsigned width) {
    uint64_t value = 0;
    const uint8_t *bytes = flatbuffer_at(file, position, width);
    for (unsigned index = 0; bytes && index < width; ++index) value |= (uint64_t)bytes[index] << 8 * index;
    return value;
}

// A whole number; what is below 0, which is not needed, becomes a large one.
static inline uint64_t flexbuffer_whole(flatbuffer *file, size_t position, unsigned width, unsigned type) {
    const uint64_t bits = flexbuffer_unsigned(file, position, width);
    const bool is_signed = type == FLEXBUFFER_INT || type == FLEXBUFFER_INTS;
    return width && is_signed && bits >> (8 * width - 1) ? UINT64_MAX : bits;
}

// Offsets lead backwards.
static inline size_t flexbuffer_follow(flatbuffer *file, size_t position, unsigned width) {
    const uint64_t offset = flexbuffer_unsigned(file, position, width);
    if (offset == 0 || offset > position) {
        file->is_damaged = true;
        return 0;
    }
    return position - (size_t)offset;
}

// The number of elements, which is written in front of them. All of them are inside the buffer.
static inline size_t flexbuffer_count(flatbuffer *file, size_t start, unsigned width) {
    if (start < width) {
        file->is_damaged = true;
        return 0;
    }
    const uint64_t count = flexbuffer_unsigned(file, start - width, width);
    if (file->is_damaged || start > file->size || count > (file->size - start) / width) {
        file->is_damaged = true;
        return 0;
    }
    return (size_t)count;
}

// Whether there is a map.
static inline bool flexbuffer_open(flexbuffer *map, const uint8_t *bytes, size_t size) {
    *map = (flexbuffer){.file = {.bytes = bytes, .size = size}};
    flatbuffer *file = &map->file;
    // At the end: an offset to the map, its type with the binary logarithm of its width, and the width of the offset.
    if (size < 3) return false;
    const unsigned width = bytes[size - 1], type = bytes[size - 2];
    if (!flexbuffer_is_width(width) || width + 2 > size || type >> 2 != FLEXBUFFER_MAP) return false;
    map->width = 1u << (type & 3);
    map->values = flexbuffer_follow(file, size - 2 - width, width);
    map->count = flexbuffer_count(file, map->values, map->width);
    // In front of the count: an offset to the keys, and their width.
    if (file->is_damaged || map->values < 3 * (size_t)map->width) return false;
    const size_t place = map->values - 3 * (size_t)map->width;
    const uint64_t key_width = flexbuffer_unsigned(file, place + map->width, map->width);
    if (!flexbuffer_is_width(key_width)) return false;
    map->key_width = (unsigned)key_width;
    map->keys = flexbuffer_follow(file, place, map->width);
    return !file->is_damaged && flexbuffer_count(file, map->keys, map->key_width) == map->count
        && flatbuffer_at(file, map->values + map->count * map->width, map->count);
}

// The value of a key; of type 0 when the map does not have it.
static inline flexbuffer_value flexbuffer_find(flexbuffer *map, const char *key) {
    flatbuffer *file = &map->file;
    const size_t length = strlen(key) + 1;
    for (size_t index = 0; index < map->count && !file->is_damaged; ++index) {
        const size_t start = flexbuffer_follow(file, map->keys + index * map->key_width, map->key_width);
        if (file->is_damaged || length > file->size - start || memcmp(file->bytes + start, key, length) != 0) continue;
        const uint8_t type = flatbuffer_u8(file, map->values + map->count * map->width + index);
        const size_t position = map->values + index * map->width;
        if (type >> 2 <= FLEXBUFFER_FLOAT) return (flexbuffer_value){type >> 2, map->width, position};
        return (flexbuffer_value){type >> 2, 1u << (type & 3), flexbuffer_follow(file, position, map->width)};
    }
    return (flexbuffer_value){0};
}

// A number of 32 bits, or a whole one from 0 on; false when there is none.
static inline bool flexbuffer_number(flexbuffer *map, const char *key, float *number) {
    const flexbuffer_value value = flexbuffer_find(map, key);
    const uint64_t bits = flexbuffer_whole(&map->file, value.position, value.width, value.type);
    if (map->file.is_damaged) return false;
    if (value.type == FLEXBUFFER_FLOAT && value.width == sizeof *number) {
        const uint32_t half = (uint32_t)bits;
        memcpy(number, &half, sizeof half);
        return true;
    }
    if ((value.type != FLEXBUFFER_INT && value.type != FLEXBUFFER_UINT) || bits > 1 << 24) return false;
    *number = (float)bits;
    return true;
}

#endif
