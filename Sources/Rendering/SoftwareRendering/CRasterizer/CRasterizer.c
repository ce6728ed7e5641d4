#include "CRasterizer.h"

#include "generations.h"

crasterizer_generation crasterizer_newest_generation(void) {
#ifdef CRASTERIZER_HAS_GENERATIONS
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")
        && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("bmi2")) {
        return CRASTERIZER_AVX512;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) return CRASTERIZER_AVX2;
#endif
    return CRASTERIZER_BASELINE;
}

void crasterizer_draw_tile(
    crasterizer_generation generation, const crasterizer_picture *picture, const crasterizer_encoding *encoding,
    const crasterizer_layer *layers, int32_t layer_count, int32_t left, int32_t top, void *scratch) {
    switch (generation) {
#ifdef CRASTERIZER_HAS_GENERATIONS
    case CRASTERIZER_AVX512:
        crasterizer_draw_avx512(picture, encoding, layers, layer_count, left, top, scratch);
        return;
    case CRASTERIZER_AVX2:
        crasterizer_draw_avx2(picture, encoding, layers, layer_count, left, top, scratch);
        return;
#endif
    default: crasterizer_draw_baseline(picture, encoding, layers, layer_count, left, top, scratch);
    }
}

size_t crasterizer_blur_scratch_size(const crasterizer_blur *blur) {
    const size_t pixel_size = blur->picture.has_16_bits ? 8 : 4;
    return ((size_t)(blur->right - blur->left) + 2 * (size_t)blur->reach) * pixel_size;
}

void crasterizer_blur_drawn(
    crasterizer_generation generation, const crasterizer_blur *blur, bool is_second, int32_t first, int32_t end,
    void *scratch) {
    switch (generation) {
#ifdef CRASTERIZER_HAS_GENERATIONS
    case CRASTERIZER_AVX512: crasterizer_blur_avx512(blur, is_second, first, end, scratch); return;
    case CRASTERIZER_AVX2: crasterizer_blur_avx2(blur, is_second, first, end, scratch); return;
#endif
    default: crasterizer_blur_baseline(blur, is_second, first, end, scratch);
    }
}
