#include <CDynamicLibrary.h>
#include <CSandbox.h>
#include <libheif/heif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CHEIF.h"
#include "child.h"

#define FUNCTIONS(F) \
    F(heif_context_add_XMP_metadata) F(heif_context_add_exif_metadata) F(heif_context_alloc) F(heif_context_encode_image) \
    F(heif_context_free) F(heif_context_get_encoder_for_format) F(heif_context_write) F(heif_encoder_release) \
    F(heif_encoder_set_lossy_quality) F(heif_encoder_set_parameter) F(heif_encoding_options_alloc) \
    F(heif_encoding_options_free) F(heif_get_version_number) F(heif_image_add_plane) F(heif_image_create) F(heif_image_get_plane) \
    F(heif_image_handle_release) F(heif_image_release) F(heif_image_set_nclx_color_profile) \
    F(heif_image_set_raw_color_profile) F(heif_nclx_color_profile_alloc) F(heif_nclx_color_profile_free)

CDYNAMICLIBRARY(FUNCTIONS, "libheif.so.1")

// What the child gives back, at the start of the shared memory. The file follows.
typedef struct {
    bool is_written;
    size_t size;
    char message[CHEIF_MESSAGE];
} result;
enum { HEAD = 4096 };

typedef struct {
    const uint8_t *rgba;
    size_t bytes_per_row;
    const cheif_settings *settings;
    const cheif_metadata *metadata;
    result *result;
    char *message;  // of the result
    uint8_t *file;
    size_t capacity;
} task;

static struct heif_error append(struct heif_context *heif, const void *data, size_t size, void *context) {
    (void)heif;
    const task *task = context;
    if (size > task->capacity - task->result->size) {
        const struct heif_error error = {
            heif_error_Encoding_error, heif_suberror_Cannot_write_output_data, "the result is too large"};
        return error;
    }
    memcpy(task->file + task->result->size, data, size);
    task->result->size += size;
    const struct heif_error none = {heif_error_Ok, heif_suberror_Unspecified, "Success"};
    return none;
}

// The first `components` of 4, with fewer bits.
static void copy_deep(uint16_t *to, const uint16_t *from, size_t pixels, size_t components, int bits) {
    const uint32_t largest = (1u << bits) - 1;
    for (size_t i = 0; i < pixels; ++i)
        for (size_t c = 0; c < components; ++c)
            to[components * i + c] = (uint16_t)(((uint32_t)from[4 * i + c] * largest + 32767u) / 65535u);
}

static bool copy_pixels(const task *task, struct heif_image *image) {
    const cheif_settings *settings = task->settings;
    int stride = 0;
    if (!succeeded(
            task->message,
            library.heif_image_add_plane(
                image, heif_channel_interleaved, settings->width, settings->height, settings->bits)))
        return false;
    uint8_t *plane = library.heif_image_get_plane(image, heif_channel_interleaved, &stride);
    const size_t components = settings->has_alpha ? 4 : 3, width = (size_t)settings->width;
    if (!plane) return fail(task->message, "not enough memory");
    for (int32_t y = 0; y < settings->height; ++y) {
        const uint8_t *from = task->rgba + (size_t)y * task->bytes_per_row;
        uint8_t *row = plane + (size_t)y * (size_t)stride;
        if (settings->bits > 8) {
            copy_deep((uint16_t *)(void *)row, (const uint16_t *)(const void *)from, width, components, settings->bits);
            continue;
        }
        for (size_t x = 0; x < width; ++x) memcpy(row + components * x, from + 4 * x, components);
    }
    return true;
}

static bool set_color(const task *task, struct heif_image *image) {
    const cheif_block profile = task->metadata->profile;
    if (profile.size > 0
        && !succeeded(
            task->message, library.heif_image_set_raw_color_profile(image, "prof", profile.bytes, profile.size)))
        return false;
    const cheif_color color = task->metadata->color;
    if (!color.is_known) return true;
    struct heif_color_profile_nclx *nclx = library.heif_nclx_color_profile_alloc();
    if (!nclx) return fail(task->message, "not enough memory");
    nclx->color_primaries = (enum heif_color_primaries)color.primaries;
    nclx->transfer_characteristics = (enum heif_transfer_characteristics)color.transfer;
    nclx->matrix_coefficients = (enum heif_matrix_coefficients)color.matrix;
    nclx->full_range_flag = color.is_full_range;
    const bool is_set = succeeded(task->message, library.heif_image_set_nclx_color_profile(image, nclx));
    library.heif_nclx_color_profile_free(nclx);
    return is_set;
}

static bool add_metadata(const task *task, struct heif_context *heif, const struct heif_image_handle *handle) {
    const cheif_block exif = task->metadata->exif, xmp = task->metadata->xmp;
    return (exif.size == 0
            || succeeded(
                task->message, library.heif_context_add_exif_metadata(heif, handle, exif.bytes, (int)exif.size)))
        && (xmp.size == 0
            || succeeded(task->message, library.heif_context_add_XMP_metadata(heif, handle, xmp.bytes, (int)xmp.size)));
}

static bool encode(const task *task, struct heif_context *heif, struct heif_encoder *encoder, struct heif_image *image) {
    const cheif_settings *settings = task->settings;
    struct heif_encoding_options *options = library.heif_encoding_options_alloc();
    if (!options) return fail(task->message, "not enough memory");
    options->save_two_colr_boxes_when_ICC_and_nclx_available = 1;
    // Of a HEIC, libheif would leave out even what the input said.
    if (task->metadata->color.is_known) options->macOS_compatibility_workaround_no_nclx_profile = 0;
    // An encoder need not know these. At the same quality, slower presets of x265 save a tenth of the bytes for three times
    // the time.
    library.heif_encoder_set_parameter(encoder, "chroma", settings->chroma);
    library.heif_encoder_set_parameter(encoder, "preset", "ultrafast");
    library.heif_encoder_set_parameter(encoder, "speed", "7");
    struct heif_image_handle *handle = NULL;
    struct heif_writer writer = {1, append};
    const bool is_encoded =
        succeeded(task->message, library.heif_encoder_set_lossy_quality(encoder, settings->quality))
        && succeeded(task->message, library.heif_context_encode_image(heif, image, encoder, options, &handle))
        && add_metadata(task, heif, handle)
        && succeeded(task->message, library.heif_context_write(heif, &writer, (void *)(uintptr_t)task));
    if (handle) library.heif_image_handle_release(handle);
    library.heif_encoding_options_free(options);
    return is_encoded;
}

// Runs in the child.
static void perform(void *context) {
    const task *task = context;
    const cheif_settings *settings = task->settings;
    const bool is_avif = settings->format == CHEIF_AVIF;
    struct heif_context *heif = library.heif_context_alloc();
    if (!heif) return;
    struct heif_encoder *encoder = NULL;
    struct heif_image *image = NULL;
    const enum heif_chroma wide = settings->has_alpha ? heif_chroma_interleaved_RRGGBBAA_LE
                                                      : heif_chroma_interleaved_RRGGBB_LE;
    const enum heif_chroma narrow = settings->has_alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB;
    const enum heif_chroma chroma = settings->bits > 8 ? wide : narrow;
    task->result->is_written =
        succeeded(
            task->message,
            library.heif_context_get_encoder_for_format(
                heif, is_avif ? heif_compression_AV1 : heif_compression_HEVC, &encoder))
        && succeeded(
            task->message,
            library.heif_image_create(settings->width, settings->height, heif_colorspace_RGB, chroma, &image))
        && copy_pixels(task, image) && set_color(task, image) && encode(task, heif, encoder, image);
    if (image) library.heif_image_release(image);
    if (encoder) library.heif_encoder_release(encoder);
    library.heif_context_free(heif);
}

// libheif 1.15 takes 10 bits for 16 when it chooses the profile of AV1. In that profile, libaom encodes 10 bits only with
// 4:2:2 and without alpha.
static cheif_settings possible(const cheif_settings *settings) {
    cheif_settings possible = *settings;
    if (settings->format != CHEIF_AVIF || settings->bits != 10 || library.heif_get_version_number() >= 0x01120000)
        return possible;
    if (settings->has_alpha)
        possible.bits = 12;
    else
        possible.chroma = "422";
    return possible;
}

bool cheif_write(
    const uint8_t *rgba, size_t bytes_per_row, const cheif_settings *settings, const cheif_metadata *metadata,
    uint8_t **buffer, size_t *size, char *message) {
    if (!is_available()) return false;
    const size_t pixels = (size_t)settings->width * (size_t)settings->height;
    // Only what is written takes memory.
    const size_t capacity =
        (8u << 20) + 12 * pixels + metadata->exif.size + metadata->xmp.size + metadata->profile.size;
    result *shared = csandbox_shared_memory(HEAD + capacity);
    if (!shared) return fail(message, "not enough memory");
    uint8_t *file = (uint8_t *)shared + HEAD;
    const cheif_settings chosen = possible(settings);
    task task = {rgba, bytes_per_row, &chosen, metadata, shared, shared->message, file, capacity};
    bool is_written = run_in_child(perform, &task, NULL, message);
    result result;
    csandbox_take(&result, shared, sizeof result);
    if (is_written) {
        take_message(message, result.message);
        is_written = result.is_written && result.size > 0 && result.size <= capacity;
    }
    *buffer = is_written ? malloc(result.size) : NULL;
    if (*buffer) {
        memcpy(*buffer, file, result.size);
        *size = result.size;
    }
    csandbox_free_shared_memory(shared, HEAD + capacity);
    return *buffer != NULL;
}
