#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "CCodecs.h"

bool ccodecs_inflate(const uint8_t *data, size_t size, size_t limit, uint8_t **buffer, size_t *inflated) {
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (size > UINT_MAX || limit > UINT_MAX / 2 || inflateInit(&stream) != Z_OK) return false;
    stream.next_in = (z_const Bytef *)data;
    stream.avail_in = (uInt)size;
    size_t capacity = 0;
    uint8_t *bytes = NULL;
    int result = Z_OK;
    while (result == Z_OK && stream.total_out < limit) {
        if (stream.total_out == capacity) {
            capacity = capacity == 0 ? 16384 : 2 * capacity;
            if (capacity > limit) capacity = limit;
            uint8_t *larger = realloc(bytes, capacity);
            if (!larger) break;
            bytes = larger;
        }
        stream.next_out = bytes + stream.total_out;
        stream.avail_out = (uInt)(capacity - stream.total_out);
        result = inflate(&stream, Z_NO_FLUSH);
    }
    *inflated = stream.total_out;
    inflateEnd(&stream);
    if (result != Z_STREAM_END) {
        free(bytes);
        return false;
    }
    *buffer = bytes;
    return true;
}
