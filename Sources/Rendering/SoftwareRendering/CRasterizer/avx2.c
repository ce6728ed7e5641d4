#include "generations.h"

#ifdef CRASTERIZER_HAS_GENERATIONS
#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"))), apply_to = function)
#define KERNEL_NAME crasterizer_draw_avx2
#define KERNEL_BLUR_NAME crasterizer_blur_avx2
#define KERNEL_HAS_AVX2
#include "kernel.h"
#pragma clang attribute pop
#endif
