#define _GNU_SOURCE
#include "CTIFF.h"

#include <CSandbox.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <tiffio.h>

#include "samples.h"

// What the child gives back; the pixels follow, without padding between rows.
typedef struct {
    bool is_read;
    char message[CTIFF_MESSAGE];
} result;
enum { HEAD = 4096 };

typedef struct {
    const uint8_t *data;
    size_t size;
    size_t position;
    const ctiff_layout *layout;
    uint64_t memory_bytes;
    result *result;
    uint8_t *rgba;
} task;

static size_t bytes_per_pixel(const ctiff_layout *layout) {
    return layout->bits_per_sample == 16 && !layout->is_converted ? 8 : 4;
}

// MARK: What libtiff calls

static tmsize_t read_bytes(thandle_t handle, void *buffer, tmsize_t count) {
    task *task = handle;
    const size_t left = task->position < task->size ? task->size - task->position : 0;
    if (count < 0) return 0;
    const size_t got = (size_t)count < left ? (size_t)count : left;
    memcpy(buffer, task->data + task->position, got);
    task->position += got;
    return (tmsize_t)got;
}

static tmsize_t write_nothing(thandle_t handle, void *buffer, tmsize_t count) {
    (void)handle, (void)buffer, (void)count;
    return 0;
}

static toff_t move_to(thandle_t handle, toff_t offset, int whence) {
    task *task = handle;
    const toff_t origin = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? task->position : task->size;
    task->position = (size_t)(origin + offset);
    return task->position;
}

static int close_nothing(thandle_t handle) {
    (void)handle;
    return 0;
}

static toff_t file_size(thandle_t handle) { return ((task *)handle)->size; }

// The first error tells what is wrong; others follow from it.
static int note_error(TIFF *tiff, void *context, const char *module, const char *format, va_list values) {
    (void)tiff, (void)module;
    char *message = ((task *)context)->result->message;
    // libtiff names a row that is not yet known then: 4294967295.
    if (strncmp(format, "Read error", 10) == 0 || strncmp(format, "Seek error", 10) == 0)
        format = "the file ends before its pixels do";
    if (message[0] == 0) vsnprintf(message, CTIFF_MESSAGE, format, values);
    return 1;
}

// Unknown tags and the like do not concern the pixels.
static int ignore_warning(TIFF *tiff, void *context, const char *module, const char *format, va_list values) {
    (void)tiff, (void)context, (void)module, (void)format, (void)values;
    return 1;
}

// MARK: Decoding

static bool fail(const task *task, const char *text) {
    if (task->result->message[0] == 0) snprintf(task->result->message, CTIFF_MESSAGE, "%s", text);
    return false;
}

static uint8_t *pixel(const task *task, uint32_t x, uint32_t y) {
    return task->rgba + ((size_t)y * (size_t)task->layout->width + x) * bytes_per_pixel(task->layout);
}

// Places all samples of a row, or in planes one.
static void place(const task *task, uint32_t x, uint32_t y, const uint8_t *row, int32_t plane, bool is_planar, uint32_t count) {
    const ctiff_layout *layout = task->layout;
    const size_t bytes = (size_t)layout->bits_per_sample / 8;
    if (is_planar) return place_samples(layout, pixel(task, x, y), row, 1, plane, (int32_t)count);
    for (int32_t sample = 0; sample < layout->samples_per_pixel; ++sample)
        place_samples(
            layout, pixel(task, x, y), row + (size_t)sample * bytes, layout->samples_per_pixel, sample, (int32_t)count);
}

static bool read_rows(const task *task, TIFF *tiff, bool is_planar, uint8_t *row) {
    const ctiff_layout *layout = task->layout;
    // Plane after plane: compressed rows can only be read in their order.
    for (int32_t plane = 0; plane < (is_planar ? layout->samples_per_pixel : 1); ++plane)
        for (uint32_t y = 0; y < (uint32_t)layout->height; ++y) {
            if (TIFFReadScanline(tiff, row, y, (uint16_t)plane) != 1) return fail(task, "a row cannot be read");
            place(task, 0, y, row, plane, is_planar, (uint32_t)layout->width);
        }
    return true;
}

static bool read_tiles(
    const task *task, TIFF *tiff, bool is_planar, uint8_t *tile, uint32_t width, uint32_t height, size_t row_size) {
    const ctiff_layout *layout = task->layout;
    const uint32_t right = (uint32_t)layout->width, bottom = (uint32_t)layout->height;
    for (int32_t plane = 0; plane < (is_planar ? layout->samples_per_pixel : 1); ++plane)
        for (uint32_t y = 0; y < bottom; y += height)
            for (uint32_t x = 0; x < right; x += width) {
                if (TIFFReadTile(tiff, tile, x, y, 0, (uint16_t)plane) < 0)
                    return fail(task, "a tile cannot be read");
                const uint32_t columns = right - x < width ? right - x : width;
                const uint32_t rows = bottom - y < height ? bottom - y : height;
                for (uint32_t i = 0; i < rows; ++i)
                    place(task, x, y + i, tile + i * row_size, plane, is_planar, columns);
            }
    return true;
}

static bool read_samples(const task *task, TIFF *tiff) {
    const ctiff_layout *layout = task->layout;
    uint16_t planes = PLANARCONFIG_CONTIG;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &planes);
    const bool is_planar = planes == PLANARCONFIG_SEPARATE && layout->samples_per_pixel > 1;
    const size_t bytes = (size_t)layout->bits_per_sample / 8 * (is_planar ? 1 : (size_t)layout->samples_per_pixel);
    uint32_t width = 0, height = 0;
    const bool is_tiled = TIFFIsTiled(tiff);
    if (is_tiled) {
        TIFFGetFieldDefaulted(tiff, TIFFTAG_TILEWIDTH, &width);
        TIFFGetFieldDefaulted(tiff, TIFFTAG_TILELENGTH, &height);
        if (width == 0 || height == 0 || width > 1 << 20 || height > 1 << 20) return fail(task, "tiles of no size");
    } else {
        width = (uint32_t)layout->width;
        height = 1;
    }
    const tmsize_t size = is_tiled ? TIFFTileSize(tiff) : TIFFScanlineSize(tiff);
    const size_t row_size = bytes * width;
    if (size <= 0 || (size_t)size < row_size * height) return fail(task, "its rows are shorter than it says");
    if ((uint64_t)size > task->memory_bytes) return fail(task, "its tiles are too large");
    uint8_t *buffer = calloc(1, (size_t)size);
    if (!buffer) return fail(task, "not enough memory");
    const bool is_read = is_tiled ? read_tiles(task, tiff, is_planar, buffer, width, height, row_size)
                                  : read_rows(task, tiff, is_planar, buffer);
    free(buffer);
    if (is_read) finish_alpha(layout, task->rgba);
    return is_read;
}

static bool has_layout(const ctiff_layout *layout, TIFF *tiff) {
    uint32_t width = 0, height = 0;
    uint16_t bits = 0, samples = 0;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_IMAGELENGTH, &height);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
    return width == (uint32_t)layout->width && height == (uint32_t)layout->height
        && bits == (uint32_t)layout->bits_per_sample && samples == (uint32_t)layout->samples_per_pixel;
}

static bool read_picture(const task *task, TIFF *tiff) {
    const ctiff_layout *layout = task->layout;
    if (!has_layout(layout, tiff)) return fail(task, "its directory contradicts itself");
    if (!layout->is_converted) return read_samples(task, tiff);
    // The caller rotates and mirrors.
    TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    return TIFFReadRGBAImageOriented(
               tiff, (uint32_t)layout->width, (uint32_t)layout->height, (uint32_t *)(void *)task->rgba,
               ORIENTATION_TOPLEFT, 1)
        || fail(task, "its pixels cannot be read");
}

// Runs in the child.
static void perform(void *context) {
    task *task = context;
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (!options) return;
    TIFFOpenOptionsSetErrorHandlerExtR(options, note_error, task);
    TIFFOpenOptionsSetWarningHandlerExtR(options, ignore_warning, task);
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)task->memory_bytes);
    TIFF *tiff = TIFFClientOpenExt(
        "picture", "rm", task, read_bytes, write_nothing, move_to, close_nothing, file_size, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    if (!tiff) {
        fail(task, "its header cannot be read");
        return;
    }
    task->result->is_read = read_picture(task, tiff);
    TIFFClose(tiff);
}

static csandbox_outcome call(task *task, const ctiff_limits *limits) {
#if defined(__has_feature) && __has_feature(address_sanitizer)
    // What the sanitizer finds must not be lost in a child.
    (void)limits;
    perform(task);
    return CSANDBOX_FINISHED;
#else
    static const char *const paths[] = {"/usr", "/lib", "/lib64", NULL};
    const csandbox_limits wall = {
        .cpu_seconds = (uint64_t)limits->seconds,
        .memory_bytes = limits->memory_bytes,
        .file_bytes = 1 << 20,
        .readable_paths = paths,
        .denies_network = true,
        .denies_processes = true,
    };
    return csandbox_call(perform, task, &wall, 3000 * limits->seconds, NULL);
#endif
}

// Copies the rows and gives their memory back on the way, so that the picture is not there twice.
static void take_rows(
    uint8_t *rgba, size_t bytes_per_row, const uint8_t *pixels, size_t row_size, int32_t height) {
    enum { STEP = 1 << 24 };
    uintptr_t given_back = (uintptr_t)pixels;
    for (int32_t y = 0; y < height; ++y) {
        const uint8_t *row = pixels + (size_t)y * row_size;
        memcpy(rgba + (size_t)y * bytes_per_row, row, row_size);
        const uintptr_t end = (uintptr_t)(row + row_size) / STEP * STEP;
        if (end <= given_back) continue;
        // It begins at a page, as the pixels do.
        madvise((void *)given_back, end - given_back, MADV_REMOVE);
        given_back = end;
    }
}

bool ctiff_read(
    const uint8_t *data, size_t size, const ctiff_layout *layout, const ctiff_limits *limits, uint8_t *rgba,
    size_t bytes_per_row, char *message) {
    const size_t row_size = (size_t)layout->width * bytes_per_pixel(layout);
    const size_t shared_size = HEAD + row_size * (size_t)layout->height;
    result *shared = csandbox_shared_memory(shared_size);
    if (!shared) {
        snprintf(message, CTIFF_MESSAGE, "not enough memory");
        return false;
    }
    uint8_t *pixels = (uint8_t *)shared + HEAD;
    task task = {data, size, 0, layout, limits->memory_bytes, shared, pixels};
    const csandbox_outcome outcome = call(&task, limits);
    result result;
    csandbox_take(&result, shared, sizeof result);
    const bool is_read = outcome == CSANDBOX_FINISHED && result.is_read;
    if (is_read) {
        take_rows(rgba, bytes_per_row, pixels, row_size, layout->height);
    } else if (outcome == CSANDBOX_FINISHED || (outcome == CSANDBOX_CRASHED && result.message[0] != 0)) {
        // What a child has written is as little to be trusted as the file.
        result.message[CTIFF_MESSAGE - 1] = 0;
        snprintf(message, CTIFF_MESSAGE, "%s", result.message[0] ? result.message : "not enough memory");
    } else if (outcome == CSANDBOX_TIMED_OUT) {
        snprintf(message, CTIFF_MESSAGE, "decoding it takes more than %d s", limits->seconds);
    } else if (outcome == CSANDBOX_CRASHED) {
        snprintf(message, CTIFF_MESSAGE, "libtiff ran out of memory or crashed");
    } else {
        snprintf(message, CTIFF_MESSAGE, "the system gives no process: %s", strerror(errno));
    }
    csandbox_free_shared_memory(shared, shared_size);
    return is_read;
}
