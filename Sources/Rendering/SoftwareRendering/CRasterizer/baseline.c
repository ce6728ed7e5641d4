// For every processor: SSE2 or NEON.
#include "generations.h"

#define KERNEL_NAME crasterizer_draw_baseline
#define KERNEL_BLUR_NAME crasterizer_blur_baseline
#include "kernel.h"

size_t crasterizer_scratch_size(void) { return sizeof(kernel_scratch); }
