// Placing the samples of a TIFF in RGBA pixels.
#ifndef CTIFF_SAMPLES_H
#define CTIFF_SAMPLES_H

#include "CTIFF.h"

// Places samples of a row of pixels.
// - rgba: the first of the pixels.
// - samples: of the first pixel; consecutive pixels are `step` samples apart.
// - sample: which sample of a pixel it is; those that are neither a colour nor alpha are ignored.
void place_samples(
    const ctiff_layout *layout, uint8_t *rgba, const uint8_t *samples, int32_t step, int32_t sample, int32_t count);

// Fills in the alpha of a picture without one, or divides the colours by it, as the layout asks. Rows have no padding.
void finish_alpha(const ctiff_layout *layout, uint8_t *rgba);

#endif
