#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "CCodecs.h"

// Copies the components to write from a row of RGBA pixels.
static void pick(const uint8_t *rgba, uint8_t *row, int32_t width, size_t component, size_t colors, bool has_alpha) {
    for (int32_t x = 0; x < width; ++x, rgba += 4 * component) {
        memcpy(row, rgba, colors * component);
        row += colors * component;
        if (!has_alpha) continue;
        memcpy(row, rgba + 3 * component, component);
        row += component;
    }
}

// Replaces each component by its difference from the pixel before (TIFF 6.0, section 14).
static void difference(uint8_t *row, size_t size, size_t component, size_t components) {
    if (component == 1) {
        for (size_t i = size; i-- > components;) row[i] = (uint8_t)(row[i] - row[i - components]);
        return;
    }
    uint16_t *wide = (uint16_t *)(void *)row;
    for (size_t i = size / 2; i-- > components;) wide[i] = (uint16_t)(wide[i] - wide[i - components]);
}

bool ccodecs_tiff_strip(
    const uint8_t *rgba, int32_t width, int32_t rows, size_t bytes_per_row, int32_t bits_per_component, bool is_color,
    bool has_alpha, bool is_compressed, uint8_t **buffer, size_t *size) {
    const size_t component = bits_per_component == 16 ? 2 : 1;
    const size_t colors = is_color ? 3 : 1, components = colors + (has_alpha ? 1 : 0);
    const size_t row_size = (size_t)width * components * component;
    uint8_t *samples = malloc(row_size * (size_t)rows);
    if (!samples) return false;
    for (int32_t y = 0; y < rows; ++y) {
        uint8_t *row = samples + (size_t)y * row_size;
        pick(rgba + (size_t)y * bytes_per_row, row, width, component, colors, has_alpha);
        if (is_compressed) difference(row, row_size, component, components);
    }
    *size = row_size * (size_t)rows;
    *buffer = samples;
    if (!is_compressed) return true;
    uLongf capacity = compressBound(*size);
    *buffer = malloc(capacity);
    const bool is_done = *buffer && compress2(*buffer, &capacity, samples, *size, 6) == Z_OK;
    free(samples);
    *size = capacity;
    if (is_done) return true;
    free(*buffer);
    return false;
}
