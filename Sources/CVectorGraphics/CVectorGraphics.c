#define _GNU_SOURCE
#include "CVectorGraphics.h"

#include <CDynamicLibrary.h>
#include <stdio.h>
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

CDYNAMICLIBRARY("librsvg-2.so.2", FUNCTIONS)

bool cvectorgraphics_is_available(void) { return is_available(); }

static void say(char *message, glib_error *error) {
    snprintf(
        message, CVECTORGRAPHICS_MESSAGE, "%s", error && error->message ? error->message : "no reason is given");
    if (error) library.g_error_free(error);
}

cvectorgraphics_document *cvectorgraphics_open(const void *data, size_t size, char *message) {
    if (!is_available()) {
        snprintf(message, CVECTORGRAPHICS_MESSAGE, "librsvg (Debian's librsvg2-2) is missing");
        return NULL;
    }
    glib_error *error = NULL;
    void *handle = library.rsvg_handle_new_from_data(data, size, &error);
    if (!handle) say(message, error);
    return handle;
}

void cvectorgraphics_close(cvectorgraphics_document *document) {
    if (document) library.g_object_unref(document);
}

bool cvectorgraphics_size(cvectorgraphics_document *document, double *width, double *height) {
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

bool cvectorgraphics_has(cvectorgraphics_document *document, const char *identifier) {
    return library.rsvg_handle_has_sub(document, identifier);
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

bool cvectorgraphics_draw(
    cvectorgraphics_document *document, const char *identifier, uint8_t *pixels, int width, int height,
    size_t bytes_per_row, char *message) {
    enum { ARGB32 = 0 };
    for (int y = 0; y < height; y++) memset(pixels + (size_t)y * bytes_per_row, 0, 4 * (size_t)width);
    void *surface =
        library.cairo_image_surface_create_for_data(pixels, ARGB32, width, height, (int)bytes_per_row);
    void *context = library.cairo_create(surface);
    bool is_drawn = library.cairo_surface_status(surface) == 0 && library.cairo_status(context) == 0;
    if (!is_drawn) snprintf(message, CVECTORGRAPHICS_MESSAGE, "Cairo cannot draw %d × %d pixels", width, height);
    if (is_drawn) {
        const rectangle viewport = {0, 0, width, height};
        glib_error *error = NULL;
        is_drawn = library.rsvg_handle_render_layer(document, context, identifier, &viewport, &error);
        if (!is_drawn) say(message, error);
    }
    library.cairo_destroy(context);
    library.cairo_surface_flush(surface);
    library.cairo_surface_destroy(surface);
    if (is_drawn) unpack(pixels, width, height, bytes_per_row);
    return is_drawn;
}
