// HEIC and AVIF pictures through libheif, which is loaded, with its plug-ins, when the first one is read or written.
// Everything else of libheif runs in child processes behind a wall (CSandbox): video decoders read a stranger's bytes there,
// and no lock of theirs can be held while a process is copied.
#ifndef CHEIF_H
#define CHEIF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHEIF_MESSAGE = 256 };

typedef enum { CHEIF_HEIC = 0, CHEIF_AVIF = 1 } cheif_format;

// Code points of ITU-T H.273.
typedef struct cheif_color {
    bool is_known;
    int32_t primaries;
    int32_t transfer;
    int32_t matrix;
    bool is_full_range;
} cheif_color;

// A block of metadata; NULL and 0 if there is none.
typedef struct cheif_block {
    const uint8_t *bytes;
    size_t size;
} cheif_block;

// What a picture has beside pixels.
typedef struct cheif_metadata {
    cheif_block exif;  // a TIFF structure
    cheif_block xmp;
    cheif_block profile;  // ICC
    cheif_color color;
} cheif_metadata;

// What a child may use beside the picture itself.
typedef struct cheif_limits {
    int32_t seconds;  // of processor time; three times as many of the clock, since others may use the processor
    uint64_t memory_bytes;
} cheif_limits;

// The primary picture of a file, rotated and cropped as the file asks. Thumbnails, depth and gain maps and other pictures
// are left out.
typedef struct cheif_picture {
    int32_t width;
    int32_t height;
    int32_t bits;  // a component, in the file: 8 to 16
    bool has_alpha;
    // RGBA with straight alpha, rows without padding, top first: 8 bits a component, or 16 if the file has more than 8.
    const uint8_t *pixels;
    cheif_metadata metadata;
} cheif_picture;

typedef struct cheif_settings {
    cheif_format format;
    int32_t width;
    int32_t height;
    int32_t bits;         // 8, 10 or 12
    bool has_alpha;       // false: the fourth component is ignored
    int32_t quality;      // 1…100
    const char *chroma;   // "420", "422" or "444"
} cheif_settings;

// Whether libheif is installed.
bool cheif_is_available(void);

// Decodes a file. NULL with a message, also when the picture has more than `pixel_limit` pixels. To be closed.
cheif_picture *cheif_read(
    const uint8_t *data, size_t size, size_t pixel_limit, const cheif_limits *limits, char *message);
void cheif_close(cheif_picture *picture);

// Compresses RGBA pixels, of 8 or, for more than 8 bits, of 16 bits a component, into a new buffer, to be released with
// `free`. False with a message.
bool cheif_write(
    const uint8_t *rgba, size_t bytes_per_row, const cheif_settings *settings, const cheif_metadata *metadata,
    uint8_t **buffer, size_t *size, char *message);

#endif
