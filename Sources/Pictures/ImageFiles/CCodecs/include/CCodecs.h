// libjpeg-turbo, libpng, zlib and Little CMS behind plain C: Swift cannot catch the longjmp of the first two.
//
// Conventions
// - A function that can fail takes a `ccodecs_error` last, fills its message and returns false or NULL.
// - Readers keep a pointer into the caller's `data`, which must outlive them. Buffers a function returns are released
//   with `ccodecs_free`.
// - Pictures are RGBA, 8 or 16 bits a component (16 in the machine's byte order), rows top first.
#ifndef CCODECS_H
#define CCODECS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ccodecs_error {
    char message[256];  // UTF-8, always terminated
} ccodecs_error;

void ccodecs_free(void *buffer);

// MARK: JPEG

enum {
    CCODECS_JPEG_GREY = 1,
    CCODECS_JPEG_YCBCR = 2,
    CCODECS_JPEG_RGB = 3,
    CCODECS_JPEG_OTHER = 4,
    CCODECS_JPEG_CMYK = 5,  // CMYK or YCCK, which are not written
};

// How a JPEG was compressed: enough to compress another picture in the same way.
typedef struct ccodecs_jpeg_tables {
    int32_t color_space;  // CCODECS_JPEG_…
    bool progressive;
    bool has_table[4];
    uint16_t table[4][64];  // quantisation steps in natural order, 1…8191: damaged files have others
    int32_t table_of_component[3];
    int32_t horizontal_sampling[3];
    int32_t vertical_sampling[3];
} ccodecs_jpeg_tables;

typedef struct ccodecs_jpeg_info {
    int32_t width;
    int32_t height;
    ccodecs_jpeg_tables tables;
} ccodecs_jpeg_info;

// An APPn (0xE0 + n) or comment (0xFE) marker, without its length field.
typedef struct ccodecs_jpeg_marker {
    int32_t code;
    const uint8_t *data;
    size_t size;
} ccodecs_jpeg_marker;

typedef struct ccodecs_jpeg_reader ccodecs_jpeg_reader;

// Reads everything up to the compressed picture, but no APPn markers and comments.
ccodecs_jpeg_reader *ccodecs_jpeg_open(
    const uint8_t *data, size_t size, ccodecs_jpeg_info *info, ccodecs_error *error);
void ccodecs_jpeg_close(ccodecs_jpeg_reader *reader);

// A truncated file or damaged data is an error, not a half-grey picture. Pixels of a CMYK picture are cyan, magenta, yellow
// and black, and 255 is no ink.
bool ccodecs_jpeg_read(ccodecs_jpeg_reader *reader, uint8_t *rgba, size_t bytes_per_row, ccodecs_error *error);

// Decodes one frame of a camera's Motion JPEG, which may lack Huffman tables. False if it is not a complete JPEG of that
// size.
bool ccodecs_jpeg_read_frame(
    const uint8_t *data, size_t size, uint8_t *rgba, int32_t width, int32_t height, size_t bytes_per_row,
    ccodecs_error *error);

// Compresses with `tables`, or, if that is NULL, with `quality` (1…100) and the given colour space (grey or YCbCr). A fast one
// has libjpeg's own Huffman tables: it takes less than half of the time, and a few per cent more bytes.
bool ccodecs_jpeg_write(
    const uint8_t *rgba, int32_t width, int32_t height, size_t bytes_per_row, const ccodecs_jpeg_tables *tables,
    int32_t quality, int32_t color_space, bool is_fast, const ccodecs_jpeg_marker *markers, int32_t marker_count,
    uint8_t **buffer, size_t *size, ccodecs_error *error);

// MARK: PNG

typedef struct ccodecs_png_info {
    int32_t width;
    int32_t height;
    int32_t bits_per_component;  // as stored: 1, 2, 4, 8 or 16
    bool is_color;               // palettes count as colour
    bool has_alpha;              // an alpha channel, or transparency through tRNS
} ccodecs_png_info;

typedef struct ccodecs_png_chunk {
    char type[5];
    const uint8_t *data;
    size_t size;
} ccodecs_png_chunk;

typedef struct ccodecs_png_reader ccodecs_png_reader;

ccodecs_png_reader *ccodecs_png_open(const uint8_t *data, size_t size, ccodecs_png_info *info, ccodecs_error *error);
void ccodecs_png_close(ccodecs_png_reader *reader);

// 16-bit pictures are written as 16 bits a component, all others as 8.
bool ccodecs_png_read(ccodecs_png_reader *reader, uint8_t *rgba, size_t bytes_per_row, ccodecs_error *error);

// The uncompressed ICC profile of the iCCP chunk (valid until close), or NULL.
const uint8_t *ccodecs_png_icc_profile(ccodecs_png_reader *reader, size_t *size);

// Writes the RGBA picture with the components that `is_color` and `has_alpha` ask for; chunks go before the picture.
bool ccodecs_png_write(
    const uint8_t *rgba, int32_t width, int32_t height, size_t bytes_per_row, int32_t bits_per_component,
    bool is_color, bool has_alpha, int32_t compression, const uint8_t *icc_profile, size_t icc_profile_size,
    const ccodecs_png_chunk *chunks, int32_t chunk_count, uint8_t **buffer, size_t *size, ccodecs_error *error);

// MARK: zlib

// Inflates a zlib stream (RFC 1950) into a new buffer, to be released with ccodecs_free. False when the stream is
// damaged or cut off, when it inflates to `limit` bytes or more, or when there is no memory.
bool ccodecs_inflate(const uint8_t *data, size_t size, size_t limit, uint8_t **buffer, size_t *inflated);

// MARK: TIFF

// Packs rows of RGBA pixels into a strip of a TIFF file: the components that `is_color` and `has_alpha` ask for, 16-bit
// ones in the machine's byte order. `is_compressed`: as differences between neighbours (predictor 2), with Deflate. The
// buffer is to be released with ccodecs_free. False when there is no memory.
bool ccodecs_tiff_strip(
    const uint8_t *rgba, int32_t width, int32_t rows, size_t bytes_per_row, int32_t bits_per_component, bool is_color,
    bool has_alpha, bool is_compressed, uint8_t **buffer, size_t *size);

// MARK: ICC profiles

// The matrix (row by row) that takes linear sRGB to the linear RGB of an ICC matrix profile, both relative to D50.
// False for other profiles (tables, grey, damaged).
bool ccodecs_icc_matrix_from_srgb(const uint8_t *profile, size_t size, float matrix[9]);

// Converts an RGBA picture with 8 or 16 bits a component from the colours of an ICC profile to sRGB, in place and without
// its alpha; relative colorimetric. False if the profile is damaged or not one for RGB; then the picture is as it was.
bool ccodecs_icc_convert_to_srgb(
    const uint8_t *profile, size_t size, void *rgba, int32_t width, int32_t height, size_t bytes_per_row,
    int32_t bits_per_component);

// Converts a CMYK picture (255: no ink) to opaque RGBA in sRGB, in place: by its ICC profile, relative colorimetric with
// black-point compensation; without a profile for CMYK, as the product of what each ink lets through.
void ccodecs_cmyk_to_srgb(
    const uint8_t *profile, size_t size, void *pixels, int32_t width, int32_t height, size_t bytes_per_row);

// MARK: Versions

// Writes the names and versions of the libraries, with commas between them, at most `capacity` bytes with the zero at the
// end. Returns how many bytes they have without it.
size_t ccodecs_versions(char *text, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
