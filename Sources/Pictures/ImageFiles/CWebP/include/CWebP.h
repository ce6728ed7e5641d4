// WebP pictures through libwebp, which is loaded when the first one is read or written. The container with the metadata
// (RIFF) is read and written elsewhere.
//
// Functions that can fail write a message of at most CWEBP_MESSAGE bytes, with its NUL. Pixels are RGBA with straight
// alpha, 8 bits a component, rows top first.
#ifndef CWEBP_H
#define CWEBP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CWEBP_MESSAGE = 256, CWEBP_LARGEST_SIDE = 16383 };

typedef struct cwebp_info {
    int32_t width;
    int32_t height;
    bool has_alpha;
    bool is_animated;
    bool is_lossless;
} cwebp_info;

typedef struct cwebp_settings {
    bool is_lossless;  // to the bit, also under transparent pixels
    float quality;     // 0…100, of the colours of a lossy picture
    bool has_alpha;    // false: the fourth component is ignored
} cwebp_settings;

// What the header says. Nothing is decoded.
bool cwebp_read_info(const uint8_t *data, size_t size, cwebp_info *info, char *message);

// Decodes a picture of the size that `cwebp_read_info` tells. One that is cut off is an error.
bool cwebp_read(
    const uint8_t *data, size_t size, uint8_t *rgba, int32_t height, size_t bytes_per_row, char *message);

// Compresses a picture of at most CWEBP_LARGEST_SIDE a side into a new buffer, to be released with `free`.
bool cwebp_write(
    const uint8_t *rgba, int32_t width, int32_t height, size_t bytes_per_row, const cwebp_settings *settings,
    uint8_t **buffer, size_t *size, char *message);

#endif
