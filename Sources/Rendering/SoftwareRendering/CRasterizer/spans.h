// Rasterising: which pixels of a tile triangles cover, and the interpolated values there. Included by kernel.h.

enum {
    WIDTH = CRASTERIZER_TILE_WIDTH,
    HEIGHT = CRASTERIZER_TILE_HEIGHT,
    ROW = WIDTH + LANES,  // floats; a span may be written to up to 16 pixels beyond its end
};

// The interpolated values of a tile's pixels.
typedef struct tile_values {
    float values[CRASTERIZER_VALUES][HEIGHT * ROW];
    // The pixels of each row that may be covered, from the tile's left.
    int32_t from[HEIGHT], to[HEIGHT];
} tile_values;

INLINE floats lane_numbers(void) { return (floats){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}; }
INLINE floats least(floats a, floats b) { return a < b ? a : b; }
INLINE floats greatest(floats a, floats b) { return a > b ? a : b; }

INLINE ints rounded_up(floats x) {
    const ints truncated = __builtin_convertvector(x, ints);
    return truncated - (__builtin_convertvector(truncated, floats) < x);
}

INLINE floats crossings(const crasterizer_edge *edge, floats y) { return edge->x + edge->slope * (y - edge->from); }

// The first columns whose pixels lie to the right of the places.
INLINE ints columns(floats places, int32_t first, int32_t end) {
    return rounded_up(least(greatest(places, (float)first), (float)end));
}

// Writes `first + step · i` for the pixels i of a span.
INLINE void write_span(float *to, int32_t count, floats first, float step) {
    const floats lanes = lane_numbers();
    for (int32_t i = 0; i < count; i += LANES) {
        const floats values = first + step * (lanes + (float)i);
#ifdef KERNEL_HAS_AVX512
        const int32_t rest = count - i;
        const __mmask16 mask = (__mmask16)(rest >= LANES ? 0xffff : (1u << rest) - 1);
        _mm512_mask_storeu_ps(to + i, mask, (__m512)values);
#else
        floats old;
        memcpy(&old, to + i, sizeof old);
        const floats merged = lanes < (float)(count - i) ? values : old;
        memcpy(to + i, &merged, sizeof merged);
#endif
    }
}

// Where a triangle covers the rows of a tile: columns from the tile's left.
typedef struct spans {
    ints starts, ends;
    int32_t first_row, end_row;
} spans;

INLINE spans spans_of(const crasterizer_triangle *triangle, int32_t left, int32_t top, int32_t first, int32_t end) {
    const floats y = lane_numbers() + ((float)top + 0.5f);
    const ints rows = __builtin_convertvector(lane_numbers(), ints) + top;
    const crasterizer_edge *edges = triangle->edges;
    spans result;
    result.starts = columns(greatest(crossings(&edges[0], y), crossings(&edges[1], y)), first, end) - left;
    const ints ends = columns(least(crossings(&edges[2], y), crossings(&edges[3], y)), first, end) - left;
    result.ends = rows >= triangle->top && rows < triangle->bottom ? ends : result.starts;
    result.first_row = triangle->top > top ? triangle->top - top : 0;
    result.end_row = triangle->bottom < top + HEIGHT ? triangle->bottom - top : HEIGHT;
    return result;
}

INLINE void write_values(
    const crasterizer_triangle *triangle, const spans *spans, int32_t left, int32_t top, int value_count,
    tile_values *tile) {
    const floats down = lane_numbers() + ((float)top + 0.5f - triangle->y);
    const floats across = __builtin_convertvector(spans->starts + left, floats) + (0.5f - triangle->x);
    _Alignas(64) int32_t starts[HEIGHT], counts[HEIGHT];
    const ints all_counts = spans->ends - spans->starts;
    memcpy(starts, &spans->starts, sizeof starts);
    memcpy(counts, &all_counts, sizeof counts);
    _Alignas(64) float at_starts[CRASTERIZER_VALUES][HEIGHT];
    for (int value = 0; value < value_count; ++value) {
        const floats at_start =
            triangle->start[value] + triangle->down[value] * down + triangle->across[value] * across;
        memcpy(at_starts[value], &at_start, sizeof at_start);
    }
    for (int32_t row = spans->first_row; row < spans->end_row; ++row) {
        if (counts[row] <= 0) continue;
        for (int value = 0; value < value_count; ++value) {
            write_span(
                &tile->values[value][row * ROW + starts[row]], counts[row], (floats)at_starts[value][row],
                triangle->across[value]);
        }
    }
}

// Where triangles overlap, the last one counts.
INLINE void rasterize(const crasterizer_layer *layer, int32_t left, int32_t top, int value_count, tile_values *tile) {
    const int32_t right = left + WIDTH, bottom = top + HEIGHT;
    const int32_t first = layer->left > left ? layer->left : left, end = layer->right < right ? layer->right : right;
    ints lowest = end - left, highest = first - left;
    for (int32_t block = 0; block < layer->triangle_count; block += LANES) {
        ints tops, bottoms;
        memcpy(&tops, layer->tops + block, sizeof tops);
        memcpy(&bottoms, layer->bottoms + block, sizeof bottoms);
        const ints is_here = tops < bottom && bottoms > top;
        if (!__builtin_reduce_or(is_here)) continue;
        for (int32_t lane = 0; lane < LANES; ++lane) {
            if (!is_here[lane]) continue;
            const crasterizer_triangle *triangle = &layer->triangles[block + lane];
            if (triangle->right <= left || triangle->left >= right) continue;
            const spans spans = spans_of(triangle, left, top, first, end);
            const ints is_covered = spans.starts < spans.ends;
            lowest = is_covered && spans.starts < lowest ? spans.starts : lowest;
            highest = is_covered && spans.ends > highest ? spans.ends : highest;
            write_values(triangle, &spans, left, top, value_count, tile);
        }
    }
    memcpy(tile->from, &lowest, sizeof lowest);
    memcpy(tile->to, &highest, sizeof highest);
}
