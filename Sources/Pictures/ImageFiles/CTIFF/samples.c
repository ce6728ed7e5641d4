#include "samples.h"

#define DEFINE_FOR(TYPE, MAXIMUM) \
    static void place_##TYPE( \
        const ctiff_layout *layout, TYPE *rgba, const TYPE *samples, int32_t step, int32_t sample, int32_t count) { \
        const int32_t colors = layout->is_color ? 3 : 1; \
        if (sample > colors || (sample == colors && layout->alpha == CTIFF_NO_ALPHA)) return; \
        const int32_t component = sample == colors ? 3 : sample; \
        const TYPE flip = layout->is_inverted && component < 3 ? MAXIMUM : 0; \
        for (int32_t x = 0; x < count; ++x) rgba[4 * x + component] = samples[(size_t)x * (size_t)step] ^ flip; \
        if (layout->is_color || component == 3) return; \
        for (int32_t x = 0; x < count; ++x) rgba[4 * x + 1] = rgba[4 * x + 2] = rgba[4 * x]; \
    } \
    static void finish_##TYPE(const ctiff_layout *layout, TYPE *rgba) { \
        const size_t count = (size_t)layout->width * (size_t)layout->height; \
        for (size_t i = 0; i < count; ++i, rgba += 4) { \
            if (layout->alpha == CTIFF_NO_ALPHA) rgba[3] = MAXIMUM; \
            if (layout->alpha != CTIFF_PREMULTIPLIED_ALPHA || rgba[3] == 0) continue; \
            for (int c = 0; c < 3; ++c) { \
                const uint32_t value = ((uint32_t)rgba[c] * MAXIMUM + rgba[3] / 2) / rgba[3]; \
                rgba[c] = value > MAXIMUM ? MAXIMUM : (TYPE)value; \
            } \
        } \
    }

DEFINE_FOR(uint8_t, 0xFFu)
DEFINE_FOR(uint16_t, 0xFFFFu)

void place_samples(
    const ctiff_layout *layout, uint8_t *rgba, const uint8_t *samples, int32_t step, int32_t sample, int32_t count) {
    if (layout->bits_per_sample == 16)
        place_uint16_t(layout, (uint16_t *)(void *)rgba, (const uint16_t *)(const void *)samples, step, sample, count);
    else
        place_uint8_t(layout, rgba, samples, step, sample, count);
}

void finish_alpha(const ctiff_layout *layout, uint8_t *rgba) {
    if (layout->bits_per_sample == 16)
        finish_uint16_t(layout, (uint16_t *)(void *)rgba);
    else
        finish_uint8_t(layout, rgba);
}
