// The versions of the loops over pixels.
#ifndef CRASTERIZER_GENERATIONS_H
#define CRASTERIZER_GENERATIONS_H

#include "CRasterizer.h"

#if defined(__x86_64__)
#define CRASTERIZER_HAS_GENERATIONS 1
#endif

typedef void crasterizer_drawing(
    const crasterizer_picture *picture, const crasterizer_encoding *encoding, const crasterizer_layer *layers,
    int32_t layer_count, int32_t left, int32_t top, void *scratch);

crasterizer_drawing crasterizer_draw_baseline;
crasterizer_drawing crasterizer_draw_avx2;
crasterizer_drawing crasterizer_draw_avx512;

typedef void crasterizer_blurring(
    const crasterizer_blur *blur, bool is_second, int32_t first, int32_t end, void *scratch);

crasterizer_blurring crasterizer_blur_baseline;
crasterizer_blurring crasterizer_blur_avx2;
crasterizer_blurring crasterizer_blur_avx512;

#endif
