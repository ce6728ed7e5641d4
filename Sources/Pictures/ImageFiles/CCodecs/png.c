#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "CCodecs.h"

struct ccodecs_png_reader {
    png_structp png;
    png_infop info;
    const uint8_t *data;
    size_t size;
    size_t position;
    ccodecs_error *error;
};

typedef struct {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
} growing_buffer;

static void fail(png_structp png, png_const_charp message) {
    ccodecs_error *error = png_get_error_ptr(png);
    snprintf(error->message, sizeof error->message, "%s", message);
    png_longjmp(png, 1);
}

// libpng's warnings do not concern the pixels (an odd profile, a duplicate chunk).
static void ignore_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static void read_bytes(png_structp png, png_bytep destination, size_t count) {
    ccodecs_png_reader *reader = png_get_io_ptr(png);
    if (count > reader->size - reader->position) png_error(png, "the file ends too early");
    memcpy(destination, reader->data + reader->position, count);
    reader->position += count;
}

// libpng would decompress and keep texts and palettes that nobody asks it for: up to 8 GB of them.
static void ignore_chunks(png_structp png) {
    static const png_byte known[] = "bKGD\0hIST\0iTXt\0oFFs\0pCAL\0pHYs\0sBIT\0sCAL\0sPLT\0tEXt\0tIME\0zTXt\0eXIf";
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, known, (int)(sizeof known / 5));
}

ccodecs_png_reader *ccodecs_png_open(const uint8_t *data, size_t size, ccodecs_png_info *info, ccodecs_error *error) {
    error->message[0] = 0;
    ccodecs_png_reader *reader = calloc(1, sizeof *reader);
    if (reader) reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, error, fail, ignore_warning);
    if (reader && reader->png) reader->info = png_create_info_struct(reader->png);
    if (!reader || !reader->info) {
        snprintf(error->message, sizeof error->message, "not enough memory");
        ccodecs_png_close(reader);
        return NULL;
    }
    reader->data = data;
    reader->size = size;
    if (setjmp(png_jmpbuf(reader->png))) {
        ccodecs_png_close(reader);
        return NULL;
    }
    png_set_read_fn(reader->png, reader, read_bytes);
    png_set_option(reader->png, PNG_SKIP_sRGB_CHECK_PROFILE, PNG_OPTION_ON);
    png_set_user_limits(reader->png, 1 << 20, 1 << 20);  // the caller checks the size before anything is allocated
    ignore_chunks(reader->png);
    png_read_info(reader->png, reader->info);
    const int color = png_get_color_type(reader->png, reader->info);
    info->width = (int32_t)png_get_image_width(reader->png, reader->info);
    info->height = (int32_t)png_get_image_height(reader->png, reader->info);
    info->bits_per_component = png_get_bit_depth(reader->png, reader->info);
    info->is_color = (color & PNG_COLOR_MASK_COLOR) != 0;
    info->has_alpha =
        (color & PNG_COLOR_MASK_ALPHA) != 0 || png_get_valid(reader->png, reader->info, PNG_INFO_tRNS) != 0;
    return reader;
}

void ccodecs_png_close(ccodecs_png_reader *reader) {
    if (!reader) return;
    if (reader->png) png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader);
}

bool ccodecs_png_read(ccodecs_png_reader *reader, uint8_t *rgba, size_t bytes_per_row, ccodecs_error *error) {
    png_structp png = reader->png;
    png_set_error_fn(png, error, fail, ignore_warning);
    error->message[0] = 0;
    png_bytep *volatile rows = NULL;
    if (setjmp(png_jmpbuf(png))) {
        free((void *)rows);
        return false;
    }
    const bool deep = png_get_bit_depth(png, reader->info) == 16;
    png_set_expand(png);  // palettes to RGB, small depths to 8 bits, tRNS to alpha
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, deep ? 0xFFFF : 0xFF, PNG_FILLER_AFTER);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (deep) png_set_swap(png);
#endif
    png_set_interlace_handling(png);
    png_read_update_info(png, reader->info);
    const png_uint_32 height = png_get_image_height(png, reader->info);
    if (png_get_rowbytes(png, reader->info) > bytes_per_row) png_error(png, "rows are longer than announced");
    rows = malloc(height * sizeof *rows);
    if (!rows) png_error(png, "not enough memory");
    for (png_uint_32 y = 0; y < height; ++y) rows[y] = rgba + (size_t)y * bytes_per_row;
    png_read_image(png, (png_bytepp)rows);
    png_read_end(png, NULL);
    free((void *)rows);
    return true;
}

const uint8_t *ccodecs_png_icc_profile(ccodecs_png_reader *reader, size_t *size) {
    png_charp name = NULL;
    int compression = 0;
    png_bytep profile = NULL;
    png_uint_32 length = 0;
    if (!png_get_iCCP(reader->png, reader->info, &name, &compression, &profile, &length)) return NULL;
    *size = length;
    return profile;
}

static void append_bytes(png_structp png, png_bytep source, size_t count) {
    growing_buffer *buffer = png_get_io_ptr(png);
    if (count > buffer->capacity - buffer->size) {
        size_t capacity = buffer->capacity + buffer->capacity / 2 + count + 65536;
        uint8_t *bytes = realloc(buffer->bytes, capacity);
        if (!bytes) png_error(png, "not enough memory");
        buffer->bytes = bytes;
        buffer->capacity = capacity;
    }
    memcpy(buffer->bytes + buffer->size, source, count);
    buffer->size += count;
}

static void no_flush(png_structp png) { (void)png; }

// Extracts the components to write from a row of RGBA pixels.
static void pick_components(
    const uint8_t *rgba, uint8_t *row, int32_t width, size_t component, bool is_color, bool has_alpha) {
    const size_t color_bytes = (is_color ? 3 : 1) * component;
    for (int32_t x = 0; x < width; ++x) {
        memcpy(row, rgba, color_bytes);
        row += color_bytes;
        if (has_alpha) {
            memcpy(row, rgba + 3 * component, component);
            row += component;
        }
        rgba += 4 * component;
    }
}

bool ccodecs_png_write(
    const uint8_t *rgba, int32_t width, int32_t height, size_t bytes_per_row, int32_t bits_per_component,
    bool is_color, bool has_alpha, int32_t compression, const uint8_t *icc_profile, size_t icc_profile_size,
    const ccodecs_png_chunk *chunks, int32_t chunk_count, uint8_t **buffer, size_t *size, ccodecs_error *error) {
    error->message[0] = 0;
    growing_buffer output = {NULL, 0, 0};
    const size_t component = bits_per_component == 16 ? 2 : 1;
    const size_t components = (is_color ? 3u : 1u) + (has_alpha ? 1u : 0u);
    uint8_t *row = malloc((size_t)width * components * component);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, error, fail, ignore_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!row || !info) {
        snprintf(error->message, sizeof error->message, "not enough memory");
        png_destroy_write_struct(&png, &info);
        free(row);
        return false;
    }
    if (setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        free(output.bytes);
        free(row);
        return false;
    }
    png_set_write_fn(png, &output, append_bytes, no_flush);
    png_set_user_limits(png, 0x7FFFFFFF, 0x7FFFFFFF);
    png_set_compression_level(png, compression);
    png_set_option(png, PNG_SKIP_sRGB_CHECK_PROFILE, PNG_OPTION_ON);
    png_set_benign_errors(png, 1);  // an odd profile is dropped instead of rejecting the picture
    const int color = (is_color ? PNG_COLOR_MASK_COLOR : 0) | (has_alpha ? PNG_COLOR_MASK_ALPHA : 0);
    png_set_IHDR(
        png, info, (png_uint_32)width, (png_uint_32)height, (int)component * 8, color, PNG_INTERLACE_NONE,
        PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (icc_profile)
        png_set_iCCP(png, info, "icc", PNG_COMPRESSION_TYPE_BASE, icc_profile, (png_uint_32)icc_profile_size);
    png_write_info(png, info);
    for (int32_t i = 0; i < chunk_count; ++i)
        png_write_chunk(png, (png_const_bytep)chunks[i].type, chunks[i].data, chunks[i].size);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (component == 2) png_set_swap(png);
#endif
    for (int32_t y = 0; y < height; ++y) {
        pick_components(rgba + (size_t)y * bytes_per_row, row, width, component, is_color, has_alpha);
        png_write_row(png, row);
    }
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    free(row);
    *buffer = output.bytes;
    *size = output.size;
    return true;
}
