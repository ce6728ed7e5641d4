#define _GNU_SOURCE
#include "CVectorGraphics.h"

#include <CDynamicLibrary.h>
#include <CSandbox.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is used of librsvg 2.52 and later, Cairo and GLib, as their documentation declares it.
typedef struct {
    double x, y, width, height;
} rectangle;
typedef struct {
    uint32_t domain;
    int code;
    char *message;
} glib_error;

void *rsvg_handle_new_from_data(const uint8_t *, size_t, glib_error **);
int rsvg_handle_get_intrinsic_size_in_pixels(void *, double *, double *);
void rsvg_handle_get_intrinsic_dimensions(void *, int *, void *, int *, void *, int *, rectangle *);
int rsvg_handle_has_sub(void *, const char *);
int rsvg_handle_render_layer(void *, void *, const char *, const rectangle *, glib_error **);
void g_object_unref(void *);
void g_error_free(glib_error *);
void *cairo_image_surface_create_for_data(unsigned char *, int, int, int, int);
int cairo_surface_status(void *);
void cairo_surface_flush(void *);
void cairo_surface_destroy(void *);
void *cairo_create(void *);
int cairo_status(void *);
void cairo_destroy(void *);

#define FUNCTIONS(F) \
    F(rsvg_handle_new_from_data) F(rsvg_handle_get_intrinsic_size_in_pixels) F(rsvg_handle_get_intrinsic_dimensions) \
    F(rsvg_handle_has_sub) F(rsvg_handle_render_layer) F(g_object_unref) F(g_error_free) \
    F(cairo_image_surface_create_for_data) F(cairo_surface_status) F(cairo_surface_flush) F(cairo_surface_destroy) \
    F(cairo_create) F(cairo_status) F(cairo_destroy)

CDYNAMICLIBRARY(FUNCTIONS, "librsvg-2.so.2")

bool cvectorgraphics_is_available(void) { return is_available(); }

static void say(cvectorgraphics_picture *picture, glib_error *error) {
    const char *reason = error && error->message ? error->message : "no reason is given";
    snprintf(picture->message, sizeof picture->message, "%s", reason);
    if (error) library.g_error_free(error);
}

static bool read_size(void *document, double *width, double *height) {
    if (library.rsvg_handle_get_intrinsic_size_in_pixels(document, width, height)) return true;
    int has_width, has_height, has_view_box = 0;
    struct { double length; int unit; } length;
    rectangle view_box = {0};
    struct { double length; int unit; } other;
    library.rsvg_handle_get_intrinsic_dimensions(
        document, &has_width, &length, &has_height, &other, &has_view_box, &view_box);
    *width = view_box.width;
    *height = view_box.height;
    return has_view_box;
}

// Cairo's pixels are 32-bit numbers, 0xAARRGGBB, premultiplied.
static void unpack(uint8_t *pixels, int width, int height, size_t bytes_per_row) {
    for (int y = 0; y < height; y++) {
        uint8_t *row = pixels + (size_t)y * bytes_per_row;
        for (int x = 0; x < width; x++, row += 4) {
            uint32_t value;
            memcpy(&value, row, 4);
            const uint32_t alpha = value >> 24;
            for (int channel = 0; channel < 3; channel++) {
                const uint32_t part = value >> (16 - 8 * channel) & 255;
                row[channel] = alpha == 0 ? 0 : (uint8_t)((part * 255 + alpha / 2) / alpha);
            }
            row[3] = (uint8_t)alpha;
        }
    }
}

static bool draw(void *document, const char *element, cvectorgraphics_picture *picture, uint8_t *pixels) {
    enum { ARGB32 = 0 };
    const int width = picture->width, height = picture->height;
    void *surface = library.cairo_image_surface_create_for_data(pixels, ARGB32, width, height, 4 * width);
    void *context = library.cairo_create(surface);
    bool is_drawn = library.cairo_surface_status(surface) == 0 && library.cairo_status(context) == 0;
    if (!is_drawn)
        snprintf(
            picture->message, sizeof picture->message, "Cairo cannot draw %d × %d pixels", width, height);
    if (is_drawn) {
        const rectangle viewport = {0, 0, width, height};
        glib_error *error = NULL;
        is_drawn = library.rsvg_handle_render_layer(document, context, element, &viewport, &error);
        if (!is_drawn) say(picture, error);
    }
    library.cairo_destroy(context);
    library.cairo_surface_flush(surface);
    library.cairo_surface_destroy(surface);
    if (is_drawn) unpack(pixels, width, height, 4 * (size_t)width);
    return is_drawn;
}

typedef struct {
    const void *data;
    size_t size;
    const char *element;
    bool needs_element;
    int largest_side;
    cvectorgraphics_picture *picture;
    uint8_t *pixels;
} task;

static cvectorgraphics_outcome draw_document(const task *task, void *document) {
    cvectorgraphics_picture *picture = task->picture;
    double width = 0, height = 0;
    // Half a pixel rounds up to one. NaN is no size either.
    if (!read_size(document, &width, &height) || !(width >= 0.5 && height >= 0.5)) return CVECTORGRAPHICS_NO_SIZE;
    picture->stated_width = width;
    picture->stated_height = height;
    if (width > task->largest_side || height > task->largest_side) return CVECTORGRAPHICS_TOO_LARGE;
    picture->width = (int32_t)(width + 0.5);
    picture->height = (int32_t)(height + 0.5);
    const bool has_element = task->element && library.rsvg_handle_has_sub(document, task->element);
    if (task->needs_element && !has_element) return CVECTORGRAPHICS_NO_ELEMENT;
    const bool is_drawn = draw(document, has_element ? task->element : NULL, picture, task->pixels);
    return is_drawn ? CVECTORGRAPHICS_DRAWN : CVECTORGRAPHICS_NOT_DRAWN;
}

// Runs in the child.
static void perform(void *context) {
    const task *task = context;
    glib_error *error = NULL;
    void *document = library.rsvg_handle_new_from_data(task->data, task->size, &error);
    if (!document) {
        say(task->picture, error);
        task->picture->outcome = CVECTORGRAPHICS_NOT_SVG;
        return;
    }
    task->picture->outcome = draw_document(task, document);
}

// Programs and fonts of the system, and the user's fonts: `folders` has room for both.
static void list_readable_paths(const char *paths[], char folders[2][512]) {
    static const char *const system[] = {"/usr", "/etc", "/lib", "/lib64", "/var/cache/fontconfig"};
    size_t count = 0;
    for (; count < sizeof system / sizeof *system; ++count) paths[count] = system[count];
    const char *home = getenv("HOME");
    for (int i = 0; home && i < 2; ++i) {
        const int length = snprintf(folders[i], sizeof folders[i], "%s/%s", home, i ? ".local/share/fonts" : ".fonts");
        if (length > 0 && length < (int)sizeof folders[i]) paths[count++] = folders[i];
    }
    paths[count] = NULL;
}

static cvectorgraphics_outcome perform_behind_wall(task *task, const cvectorgraphics_limits *limits) {
    const char *paths[8];
    char folders[2][512];
    list_readable_paths(paths, folders);
    const csandbox_limits wall = {
        .cpu_seconds = (uint64_t)limits->seconds,
        .memory_bytes = limits->memory_bytes,
        .file_bytes = 1 << 20,  // messages, if standard error is a file
        .readable_paths = paths,
        .denies_network = true,
        .denies_processes = true,
    };
    switch (csandbox_call(perform, task, &wall, 3000 * limits->seconds, limits->is_cancelled)) {
        // Only now: the child may have crashed after it wrote an outcome.
        case CSANDBOX_FINISHED: return task->picture->outcome;
        case CSANDBOX_TIMED_OUT: return CVECTORGRAPHICS_TOO_SLOW;
        case CSANDBOX_CRASHED: return CVECTORGRAPHICS_CRASHED;
        case CSANDBOX_CANCELLED: return CVECTORGRAPHICS_CANCELLED;
        default:
            snprintf(task->picture->message, sizeof task->picture->message, "%s", strerror(errno));
            return CVECTORGRAPHICS_NO_PROCESS;
    }
}

// A picture, and the memory that it shared with the child that drew it.
typedef struct {
    cvectorgraphics_picture picture;
    cvectorgraphics_picture *shared;
    size_t size;
} opened_picture;

enum { HEAD = 4096 };  // of the shared memory; the pixels follow

cvectorgraphics_picture *cvectorgraphics_draw(
    const void *data, size_t size, const char *element, bool needs_element, const cvectorgraphics_limits *limits) {
    opened_picture *opened = calloc(1, sizeof *opened);
    if (!opened) return NULL;
    // Of the largest picture, only the part that is drawn takes memory.
    const size_t side = (size_t)limits->largest_side;
    opened->size = HEAD + 4 * side * side;
    opened->shared = csandbox_shared_memory(opened->size);
    if (!opened->shared) {
        free(opened);
        return NULL;
    }
    uint8_t *pixels = (uint8_t *)opened->shared + HEAD;
    task task = {data, size, element, needs_element, limits->largest_side, opened->shared, pixels};
    // Loaded before there is a child: another thread may hold the loader's lock when the process is copied.
    const cvectorgraphics_outcome outcome =
        is_available() ? perform_behind_wall(&task, limits) : CVECTORGRAPHICS_NO_LIBRARY;
    // What a child has written is as little to be trusted as the document.
    cvectorgraphics_picture *picture = &opened->picture;
    csandbox_take(picture, opened->shared, sizeof *picture);
    picture->outcome = outcome;
    picture->pixels = pixels;
    picture->message[sizeof picture->message - 1] = 0;
    const bool has_size = picture->width >= 1 && picture->height >= 1 && picture->width <= limits->largest_side
        && picture->height <= limits->largest_side;
    if (outcome == CVECTORGRAPHICS_DRAWN && !has_size) picture->outcome = CVECTORGRAPHICS_CRASHED;
    return picture;
}

void cvectorgraphics_close(cvectorgraphics_picture *picture) {
    if (!picture) return;
    opened_picture *opened = (opened_picture *)picture;
    csandbox_free_shared_memory(opened->shared, opened->size);
    free(opened);
}
