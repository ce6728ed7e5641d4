#include <CDynamicLibrary.h>
#include <CSandbox.h>
#include <libheif/heif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CHEIF.h"
#include "child.h"

#define FUNCTIONS(F) \
    F(heif_context_alloc) F(heif_context_free) F(heif_context_get_primary_image_handle) \
    F(heif_context_read_from_memory_without_copy) F(heif_context_set_max_decoding_threads) \
    F(heif_context_set_maximum_image_size_limit) F(heif_decode_image) F(heif_decoding_options_alloc) \
    F(heif_decoding_options_free) F(heif_image_get_bits_per_pixel_range) F(heif_image_get_height) \
    F(heif_image_get_plane_readonly) F(heif_image_get_width) F(heif_image_handle_get_height) \
    F(heif_image_handle_get_list_of_metadata_block_IDs) F(heif_image_handle_get_luma_bits_per_pixel) \
    F(heif_image_handle_get_metadata) F(heif_image_handle_get_metadata_content_type) \
    F(heif_image_handle_get_metadata_size) F(heif_image_handle_get_metadata_type) \
    F(heif_image_handle_get_nclx_color_profile) F(heif_image_handle_get_raw_color_profile) \
    F(heif_image_handle_get_raw_color_profile_size) F(heif_image_handle_get_width) \
    F(heif_image_handle_has_alpha_channel) F(heif_image_handle_is_premultiplied_alpha) F(heif_image_handle_release) \
    F(heif_image_release) F(heif_nclx_color_profile_free)

CDYNAMICLIBRARY(FUNCTIONS, "libheif.so.1")

bool cheif_is_available(void) { return is_available(); }

enum {
    HEAD = 4096,
    LARGEST_SIDE = 65500,
    BLOCK_COUNT = 3,
    BLOCK_ROOM = 16 << 20,  // for each block of metadata; larger ones are dropped
};

// What the child gives back, at the start of the shared memory. The pixels follow, then the blocks.
typedef struct {
    bool is_read;
    bool has_alpha;
    int32_t width, height, bits;
    cheif_color color;
    size_t block_sizes[BLOCK_COUNT];  // EXIF, XMP, ICC
    char message[CHEIF_MESSAGE];
} result;

typedef struct {
    cheif_picture picture;
    result *shared;
    size_t shared_size;
} opened_picture;

typedef struct {
    const uint8_t *data;
    size_t size;
    size_t pixel_limit;
    result *result;
    char *message;  // of the result
    uint8_t *pixels;
    uint8_t *blocks;
} task;

// MARK: Metadata

static uint8_t *block(const task *task, int index) { return task->blocks + (size_t)index * BLOCK_ROOM; }

static void read_profile(const task *task, const struct heif_image_handle *handle) {
    const size_t size = library.heif_image_handle_get_raw_color_profile_size(handle);
    if (size > 0 && size <= BLOCK_ROOM
        && library.heif_image_handle_get_raw_color_profile(handle, block(task, 2)).code == heif_error_Ok)
        task->result->block_sizes[2] = size;
    struct heif_color_profile_nclx *color = NULL;
    if (library.heif_image_handle_get_nclx_color_profile(handle, &color).code != heif_error_Ok || !color) return;
    task->result->color = (cheif_color){
        true, (int32_t)color->color_primaries, (int32_t)color->transfer_characteristics,
        (int32_t)color->matrix_coefficients, color->full_range_flag != 0};
    library.heif_nclx_color_profile_free(color);
}

// An EXIF item begins with the distance, big-endian, from there to its TIFF structure.
static void skip_exif_prefix(uint8_t *bytes, size_t *size) {
    const size_t distance = *size < 4 ? *size
        : ((size_t)bytes[0] << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3]);
    const size_t start = *size < 4 || distance > *size - 4 ? *size : 4 + distance;
    *size -= start;
    memmove(bytes, bytes + start, *size);
}

static void read_metadata(const task *task, const struct heif_image_handle *handle) {
    heif_item_id items[16];
    const int count = library.heif_image_handle_get_list_of_metadata_block_IDs(handle, NULL, items, 16);
    for (int i = 0; i < count && i < 16; ++i) {
        const char *type = library.heif_image_handle_get_metadata_type(handle, items[i]);
        const char *content = library.heif_image_handle_get_metadata_content_type(handle, items[i]);
        const bool is_exif = type && strcmp(type, "Exif") == 0;
        const bool is_xmp = type && content && strcmp(type, "mime") == 0 && strcmp(content, "application/rdf+xml") == 0;
        if (!is_exif && !is_xmp) continue;
        size_t *size = &task->result->block_sizes[is_exif ? 0 : 1];
        const size_t stated = library.heif_image_handle_get_metadata_size(handle, items[i]);
        if (*size > 0 || stated == 0 || stated > BLOCK_ROOM) continue;
        uint8_t *bytes = block(task, is_exif ? 0 : 1);
        if (library.heif_image_handle_get_metadata(handle, items[i], bytes).code != heif_error_Ok) continue;
        *size = stated;
        if (is_exif) skip_exif_prefix(bytes, size);
    }
}

// MARK: Pixels

// 10 or 12 bits become 16 so that the same number of bits can be made of them again.
static void copy_deep(uint16_t *to, const uint16_t *from, size_t count, int bits) {
    const uint32_t largest = (1u << bits) - 1;
    for (size_t i = 0; i < count; ++i) {
        const uint32_t value = from[i] > largest ? largest : from[i];
        to[i] = (uint16_t)((value * 65535u + largest / 2) / largest);
    }
}

static void make_alpha_straight(const task *task) {
    const size_t count = (size_t)task->result->width * (size_t)task->result->height;
    uint16_t *deep = (uint16_t *)(void *)task->pixels;
    for (size_t i = 0; i < 4 * count; i += 4) {
        const bool is_deep = task->result->bits > 8;
        const uint32_t largest = is_deep ? 65535 : 255, alpha = is_deep ? deep[i + 3] : task->pixels[i + 3];
        if (alpha == 0) continue;
        for (size_t c = i; c < i + 3; ++c) {
            const uint32_t value = ((is_deep ? deep[c] : task->pixels[c]) * largest + alpha / 2) / alpha;
            if (is_deep) deep[c] = (uint16_t)(value > largest ? largest : value);
            else task->pixels[c] = (uint8_t)(value > largest ? largest : value);
        }
    }
}

static bool copy_pixels(const task *task, const struct heif_image *image) {
    const int width = library.heif_image_get_width(image, heif_channel_interleaved);
    const int height = library.heif_image_get_height(image, heif_channel_interleaved);
    const int bits = library.heif_image_get_bits_per_pixel_range(image, heif_channel_interleaved);
    if (width < 1 || height < 1 || width > LARGEST_SIDE || height > LARGEST_SIDE
        || (size_t)width * (size_t)height > task->pixel_limit)
        return fail(task->message, "its size is not what its header says");
    if (task->result->bits > 8 && (bits <= 8 || bits > 16)) return fail(task->message, "it has an odd number of bits");
    int stride = 0;
    const uint8_t *plane = library.heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride);
    const size_t row_size = (size_t)width * (task->result->bits > 8 ? 8 : 4);
    if (!plane || stride < 0 || (size_t)stride < row_size) return fail(task->message, "it has no pixels");
    for (int y = 0; y < height; ++y) {
        uint8_t *row = task->pixels + (size_t)y * row_size;
        const uint8_t *from = plane + (size_t)y * (size_t)stride;
        if (task->result->bits > 8)
            copy_deep((uint16_t *)(void *)row, (const uint16_t *)(const void *)from, 4 * (size_t)width, bits);
        else
            memcpy(row, from, row_size);
    }
    task->result->width = width;
    task->result->height = height;
    if (task->result->bits > 8) task->result->bits = bits;
    return true;
}

static bool decode(const task *task, const struct heif_image_handle *handle) {
    const int width = library.heif_image_handle_get_width(handle), height = library.heif_image_handle_get_height(handle);
    if (width < 1 || height < 1 || (size_t)width * (size_t)height > task->pixel_limit)
        return fail(task->message, "its size is not what its header says");
    const int bits = library.heif_image_handle_get_luma_bits_per_pixel(handle);
    task->result->bits = bits > 8 ? bits : 8;
    task->result->has_alpha = library.heif_image_handle_has_alpha_channel(handle) != 0;
    struct heif_decoding_options *options = library.heif_decoding_options_alloc();
    if (!options) return fail(task->message, "not enough memory");
    options->strict_decoding = 1;
    struct heif_image *image = NULL;
    const enum heif_chroma chroma = bits > 8 ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RGBA;
    const bool is_decoded =
        succeeded(task->message, library.heif_decode_image(handle, &image, heif_colorspace_RGB, chroma, options))
        && copy_pixels(task, image);
    if (is_decoded && library.heif_image_handle_is_premultiplied_alpha(handle)) make_alpha_straight(task);
    if (image) library.heif_image_release(image);
    library.heif_decoding_options_free(options);
    return is_decoded;
}

// Runs in the child.
static void perform(void *context) {
    const task *task = context;
    struct heif_context *heif = library.heif_context_alloc();
    if (!heif) return;
    library.heif_context_set_maximum_image_size_limit(heif, LARGEST_SIDE);
    // Photographs are decoded side by side already.
    library.heif_context_set_max_decoding_threads(heif, 0);
    struct heif_image_handle *handle = NULL;
    if (succeeded(task->message, library.heif_context_read_from_memory_without_copy(heif, task->data, task->size, NULL))
        && succeeded(task->message, library.heif_context_get_primary_image_handle(heif, &handle))) {
        read_profile(task, handle);
        read_metadata(task, handle);
        task->result->is_read = decode(task, handle);
    }
    if (handle) library.heif_image_handle_release(handle);
    library.heif_context_free(heif);
}

// MARK: The parent

// What a child has written is as little to be trusted as the file.
static bool is_plausible(const result *result, size_t pixel_limit) {
    for (int i = 0; i < BLOCK_COUNT; ++i)
        if (result->block_sizes[i] > BLOCK_ROOM) return false;
    return result->is_read && result->width >= 1 && result->height >= 1 && result->width <= LARGEST_SIDE
        && result->height <= LARGEST_SIDE && (size_t)result->width * (size_t)result->height <= pixel_limit
        && result->bits >= 8 && result->bits <= 16;
}

static cheif_block found_block(const task *task, const result *result, int index) {
    const size_t size = result->block_sizes[index];
    return (cheif_block){size > 0 ? block(task, index) : NULL, size};
}

cheif_picture *cheif_read(
    const uint8_t *data, size_t size, size_t pixel_limit, const cheif_limits *limits, char *message) {
    opened_picture *opened = calloc(1, sizeof *opened);
    // Only what is written takes memory.
    const size_t shared_size = HEAD + 8 * pixel_limit + (size_t)BLOCK_COUNT * BLOCK_ROOM;
    result *shared = opened ? csandbox_shared_memory(shared_size) : NULL;
    if (!shared) {
        fail(message, "not enough memory");
        free(opened);
        return NULL;
    }
    opened->shared = shared;
    opened->shared_size = shared_size;
    uint8_t *pixels = (uint8_t *)shared + HEAD;
    task task = {data, size, pixel_limit, shared, shared->message, pixels, pixels + 8 * pixel_limit};
    const bool has_ended = run_in_child(perform, &task, limits, message);
    result result;
    csandbox_take(&result, shared, sizeof result);
    if (!has_ended || !is_plausible(&result, pixel_limit)) {
        if (has_ended) take_message(message, result.message);
        cheif_close(&opened->picture);
        return NULL;
    }
    opened->picture = (cheif_picture){
        result.width, result.height, result.bits, result.has_alpha, pixels,
        {found_block(&task, &result, 0), found_block(&task, &result, 1), found_block(&task, &result, 2), result.color}};
    return &opened->picture;
}

void cheif_close(cheif_picture *picture) {
    if (!picture) return;
    opened_picture *opened = (opened_picture *)picture;
    csandbox_free_shared_memory(opened->shared, opened->shared_size);
    free(opened);
}
