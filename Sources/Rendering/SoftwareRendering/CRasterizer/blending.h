// The blend modes of W3C's "Compositing and Blending Level 1" for 16 pixels, on encoded values of 0…1. Included by
// kernel.h. The names are those of the specification: Cb is the colour below, Cs the layer's.

INLINE floats lum(colors c) { return 0.3f * c.r + 0.59f * c.g + 0.11f * c.b; }
INLINE floats largest(colors c) { return greatest(c.r, greatest(c.g, c.b)); }
INLINE floats smallest(colors c) { return least(c.r, least(c.g, c.b)); }
INLINE floats sat(colors c) { return largest(c) - smallest(c); }

INLINE colors clip_color(colors c) {
    const floats l = lum(c), n = smallest(c), x = largest(c);
    const floats low = n < 0.0f ? l / (l - n) : 1.0f;
    c.r = l + (c.r - l) * low;
    c.g = l + (c.g - l) * low;
    c.b = l + (c.b - l) * low;
    const floats high = x > 1.0f ? (1.0f - l) / (x - l) : 1.0f;
    c.r = l + (c.r - l) * high;
    c.g = l + (c.g - l) * high;
    c.b = l + (c.b - l) * high;
    return c;
}

INLINE colors set_lum(colors c, floats l) {
    const floats d = l - lum(c);
    c.r += d;
    c.g += d;
    c.b += d;
    return clip_color(c);
}

INLINE colors set_sat(colors c, floats s) {
    const floats n = smallest(c), range = largest(c) - n;
    const floats scale = range > 0.0f ? s / range : 0.0f;
    c.r = (c.r - n) * scale;
    c.g = (c.g - n) * scale;
    c.b = (c.b - n) * scale;
    return c;
}

INLINE floats multiply(floats cb, floats cs) { return cb * cs; }
INLINE floats screen(floats cb, floats cs) { return cb + cs - cb * cs; }

INLINE floats hard_light(floats cb, floats cs) {
    return cs < 0.5f ? 2.0f * cs * cb : 1.0f - 2.0f * (1.0f - cs) * (1.0f - cb);
}

INLINE floats overlay(floats cb, floats cs) { return hard_light(cs, cb); }

INLINE floats color_dodge(floats cb, floats cs) {
    const floats quotient = least(cb / (1.0f - cs), 1.0f);
    return cb <= 0.0f ? 0.0f : (cs >= 1.0f ? 1.0f : quotient);
}

INLINE floats color_burn(floats cb, floats cs) {
    const floats quotient = 1.0f - least((1.0f - cb) / cs, 1.0f);
    return cb >= 1.0f ? 1.0f : (cs <= 0.0f ? 0.0f : quotient);
}

INLINE floats soft_light(floats cb, floats cs) {
    const floats dark = cb - (1.0f - 2.0f * cs) * cb * (1.0f - cb);
    const floats d = cb <= 0.25f ? ((16.0f * cb - 12.0f) * cb + 4.0f) * cb : __builtin_elementwise_sqrt(cb);
    return cs <= 0.5f ? dark : cb + (2.0f * cs - 1.0f) * (d - cb);
}

INLINE floats difference(floats cb, floats cs) { return greatest(cb - cs, cs - cb); }
INLINE floats exclusion(floats cb, floats cs) { return cb + cs - 2.0f * cb * cs; }

#define EACH(mode) ((colors){mode(Cb.r, Cs.r), mode(Cb.g, Cs.g), mode(Cb.b, Cs.b), Cs.a})

// `mode` is the number of a case of Swift's `BlendMode`, from 0.
INLINE colors blended(int32_t mode, colors Cb, colors Cs) {
    switch (mode) {
    case 1: return EACH(multiply);
    case 2: return EACH(screen);
    case 3: return EACH(overlay);
    case 4: return EACH(least);
    case 5: return EACH(greatest);
    case 6: return EACH(color_dodge);
    case 7: return EACH(color_burn);
    case 8: return EACH(hard_light);
    case 9: return EACH(soft_light);
    case 10: return EACH(difference);
    case 11: return EACH(exclusion);
    case 12: return set_lum(set_sat(Cs, sat(Cb)), lum(Cb));
    case 13: return set_lum(set_sat(Cb, sat(Cs)), lum(Cb));
    case 14: return set_lum(Cs, lum(Cb));
    case 15: return set_lum(Cb, lum(Cs));
    default: return Cs;
    }
}

#undef EACH

// A transfer function between its two nearest steps.
INLINE floats transferred(const float *steps, floats value) {
    const floats place = limited(value, 1.0f) * (float)CRASTERIZER_TRANSFER_STEPS;
    floats result;
    for (int lane = 0; lane < LANES; ++lane) {
        const int32_t index =
            place[lane] < CRASTERIZER_TRANSFER_STEPS ? (int32_t)place[lane] : CRASTERIZER_TRANSFER_STEPS - 1;
        const float fraction = place[lane] - (float)index;
        result[lane] = steps[index] + fraction * (steps[index + 1] - steps[index]);
    }
    return result;
}

// A mask's colour, which is sRGB, in the picture's encoding.
INLINE colors in_the_pictures_encoding(const crasterizer_encoding *encoding, colors color) {
    if (!encoding->is_grey && !encoding->has_matrix) return color;
    const floats r = transferred(encoding->decode, color.r), g = transferred(encoding->decode, color.g);
    const floats b = transferred(encoding->decode, color.b);
    if (encoding->is_grey) {
        color.r = color.g = color.b = transferred(encoding->encode, 0.2126f * r + 0.7152f * g + 0.0722f * b);
        return color;
    }
    const float *m = encoding->matrix;
    color.r = transferred(encoding->encode, m[0] * r + m[1] * g + m[2] * b);
    color.g = transferred(encoding->encode, m[3] * r + m[4] * g + m[5] * b);
    color.b = transferred(encoding->encode, m[6] * r + m[7] * g + m[8] * b);
    return color;
}
