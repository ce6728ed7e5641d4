#include <CCodecs.h>
#include <CTIFF.h>
#include <CWebP.h>
#include <lcms2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inputs.h"

typedef struct picture {
    const char *name;
    uint8_t *rgba;
    int32_t width, height;
} picture;

static size_t row_of(const picture *picture) { return 4 * (size_t)picture->width; }
static size_t size_of(const picture *picture) { return row_of(picture) * (size_t)picture->height; }

static void print(const char *what, const picture *picture, const void *bytes, size_t size) {
    char line[64];
    snprintf(line, sizeof line, "%s %s", what, picture->name);
    print_checksum(line, bytes, size);
}

static uint8_t *new_file(const char *folder, const char *name, size_t *size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.jpg", folder, name);
    FILE *file = fopen(path, "rb");
    expect(file != NULL, path);
    uint8_t *data = new_memory(1 << 20);
    *size = fread(data, 1, 1 << 20, file);
    fclose(file);
    return data;
}

static void read_jpeg(const uint8_t *data, size_t size, picture *picture) {
    ccodecs_error error = {""};
    ccodecs_jpeg_info info;
    ccodecs_jpeg_reader *reader = ccodecs_jpeg_open(data, size, &info, &error);
    expect(reader != NULL, error.message);
    picture->width = info.width;
    picture->height = info.height;
    picture->rgba = new_memory(size_of(picture));
    expect(ccodecs_jpeg_read(reader, picture->rgba, row_of(picture), &error), error.message);
    ccodecs_jpeg_close(reader);
    print("JPEG", picture, picture->rgba, size_of(picture));
}

static void write_jpeg(const picture *picture) {
    ccodecs_error error = {""};
    uint8_t *written;
    size_t size;
    expect(
        ccodecs_jpeg_write(
            picture->rgba, picture->width, picture->height, row_of(picture), NULL, 90, CCODECS_JPEG_YCBCR, false, NULL,
            0, &written, &size, &error),
        error.message);
    print("written as JPEG", picture, written, size);
    ccodecs_free(written);
}

static void write_and_read_png(const picture *picture, uint8_t *pixels) {
    ccodecs_error error = {""};
    uint8_t *written;
    size_t size;
    expect(
        ccodecs_png_write(
            picture->rgba, picture->width, picture->height, row_of(picture), 8, true, false, 6, NULL, 0, NULL, 0,
            &written, &size, &error),
        error.message);
    print("written as PNG", picture, written, size);
    ccodecs_png_info info;
    ccodecs_png_reader *reader = ccodecs_png_open(written, size, &info, &error);
    expect(reader && ccodecs_png_read(reader, pixels, row_of(picture), &error), error.message);
    expect(memcmp(pixels, picture->rgba, size_of(picture)) == 0, "PNG keeps pixels");
    ccodecs_png_close(reader);
    ccodecs_free(written);
}

static void write_and_read_webp(const picture *picture, bool is_lossless, uint8_t *pixels) {
    char message[CWEBP_MESSAGE] = "";
    const cwebp_settings settings = {is_lossless, 80, false};
    uint8_t *written;
    size_t size;
    expect(
        cwebp_write(picture->rgba, picture->width, picture->height, row_of(picture), &settings, &written, &size, message),
        message);
    print(is_lossless ? "written as lossless WebP" : "written as WebP", picture, written, size);
    expect(cwebp_read(written, size, pixels, picture->height, row_of(picture), message), message);
    print("WebP", picture, pixels, size_of(picture));
    free(written);
}

static void put(uint8_t **to, uint32_t value, size_t size) {
    memcpy(*to, &value, size);
    *to += size;
}

// A TIFF of one strip, which libtiff decodes in a child process.
static void write_and_read_tiff(const picture *picture, uint8_t *pixels) {
    uint8_t *strip;
    size_t size;
    expect(
        ccodecs_tiff_strip(
            picture->rgba, picture->width, picture->height, row_of(picture), 8, true, true, true, &strip, &size),
        "a strip is packed");
    enum { BITS = 8, ENTRIES = BITS + 8, DIRECTORY = 10, DATA = ENTRIES + 2 + 12 * DIRECTORY + 4, SHORT = 3, LONG = 4 };
    const uint32_t entries[DIRECTORY][4] = {
        {256, LONG, 1, (uint32_t)picture->width}, {257, LONG, 1, (uint32_t)picture->height}, {258, SHORT, 4, BITS},
        {259, SHORT, 1, 8}, {262, SHORT, 1, 2}, {273, LONG, 1, DATA}, {277, SHORT, 1, 4},
        {278, LONG, 1, (uint32_t)picture->height}, {279, LONG, 1, (uint32_t)size}, {317, SHORT, 1, 2}};
    uint8_t *file = new_memory(DATA + size), *to = file;
    put(&to, 0x002A4949, 4);
    put(&to, ENTRIES, 4);
    for (int sample = 0; sample < 4; ++sample) put(&to, 8, 2);
    put(&to, DIRECTORY, 2);
    for (int i = 0; i < DIRECTORY; ++i) {
        put(&to, entries[i][0], 2);
        put(&to, entries[i][1], 2);
        put(&to, entries[i][2], 4);
        put(&to, entries[i][3], 4);
    }
    memcpy(file + DATA, strip, size);
    char message[CTIFF_MESSAGE] = "";
    const ctiff_layout layout = {picture->width, picture->height, 8, 4, false, true, false, CTIFF_STRAIGHT_ALPHA};
    const ctiff_limits limits = {20, 1 << 28};
    expect(ctiff_read(file, DATA + size, &layout, &limits, pixels, row_of(picture), message), message);
    expect(memcmp(pixels, picture->rgba, size_of(picture)) == 0, "TIFF keeps pixels");
    print("TIFF", picture, pixels, size_of(picture));
    free(file);
    ccodecs_free(strip);
}

// A profile with the colours of Adobe RGB.
static void convert_colors(picture *picture) {
    const cmsCIExyY white = {0.3127, 0.3290, 1};
    const cmsCIExyYTRIPLE colors = {{0.64, 0.33, 1}, {0.21, 0.71, 1}, {0.15, 0.06, 1}};
    cmsToneCurve *curve = cmsBuildGamma(NULL, 2.2), *curves[3] = {curve, curve, curve};
    cmsHPROFILE profile = cmsCreateRGBProfile(&white, &colors, curves);
    cmsUInt32Number size = 0;
    expect(cmsSaveProfileToMem(profile, NULL, &size), "a profile has a size");
    uint8_t *bytes = new_memory(size);
    cmsSaveProfileToMem(profile, bytes, &size);
    float matrix[9];
    expect(ccodecs_icc_matrix_from_srgb(bytes, size, matrix), "a profile has a matrix");
    print_values("matrix", matrix, 9);
    expect(
        ccodecs_icc_convert_to_srgb(
            bytes, size, picture->rgba, picture->width, picture->height, row_of(picture), 8),
        "colours are converted");
    print("converted", picture, picture->rgba, size_of(picture));
    cmsCloseProfile(profile);
    cmsFreeToneCurve(curve);
    free(bytes);
}

void test_codecs(const char *folder) {
    static const char *const names[] = {"ada", "finn", "photograph/astronaut"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        picture picture = {.name = names[i]};
        size_t size;
        uint8_t *data = new_file(folder, names[i], &size);
        read_jpeg(data, size, &picture);
        uint8_t *pixels = new_memory(size_of(&picture));
        write_jpeg(&picture);
        write_and_read_png(&picture, pixels);
        write_and_read_webp(&picture, true, pixels);
        write_and_read_webp(&picture, false, pixels);
        write_and_read_tiff(&picture, pixels);
        convert_colors(&picture);
        free(pixels);
        free(picture.rgba);
        free(data);
    }
}
