#include "generations.h"

#ifdef CRASTERIZER_HAS_GENERATIONS
#include <immintrin.h>

#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,bmi,bmi2,lzcnt,popcnt"), min_vector_width(512))), \
    apply_to = function)
#define KERNEL_NAME crasterizer_draw_avx512
#define KERNEL_BLUR_NAME crasterizer_blur_avx512
#define KERNEL_HAS_AVX2
#define KERNEL_HAS_AVX512
#include "kernel.h"
#pragma clang attribute pop
#endif
