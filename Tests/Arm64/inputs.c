#include "inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t state = 2463534242u;

uint32_t random_bits(void) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

float random_between(float low, float high) {
    return low + (high - low) * (float)(random_bits() >> 16) * (1.0f / 65536);
}

void *new_memory(size_t size) {
    const size_t whole = (size + 63) / 64 * 64;
    void *memory = aligned_alloc(64, whole);
    expect(memory != NULL, "there is memory");
    return memset(memory, 0, whole);
}

// Between random values at the corners of squares of 16 pixels, 0…255.
static int smooth(const uint8_t *lattice, int x, int y, int channel) {
    const uint8_t *corner = lattice + 4 * ((y / 16 % 64) * 64 + x / 16 % 64) + channel;
    const int right = x % 16, down = y % 16;
    const int upper = corner[0] * (16 - right) + corner[4] * right;
    const int lower = corner[4 * 64] * (16 - right) + corner[4 * 65] * right;
    return (upper * (16 - down) + lower * down) / 256;
}

void draw_spots(uint8_t *rgba, int32_t width, int32_t height, int32_t texels_per_row, int has_alpha) {
    static uint8_t lattice[4 * 66 * 65];
    for (size_t i = 0; i < sizeof lattice; ++i) lattice[i] = (uint8_t)(random_bits() >> 8);
    for (int32_t y = 0; y <= height; ++y) {
        for (int32_t x = 0; x < texels_per_row; ++x) {
            uint8_t *to = rgba + 4 * ((size_t)y * (size_t)texels_per_row + (size_t)x);
            if (y == height || x >= width) {
                const int32_t row = y == height ? y - 1 : y, column = x >= width ? width - 1 : x;
                memcpy(to, rgba + 4 * ((size_t)row * (size_t)texels_per_row + (size_t)column), 4);
                continue;
            }
            const int alpha = has_alpha ? smooth(lattice, x, y, 3) : 255;
            for (int channel = 0; channel < 3; ++channel) {
                const int value = smooth(lattice, x, y, channel) * 15 / 16 + (int)(random_bits() >> 28);
                to[channel] = (uint8_t)(value * alpha / 255);
            }
            to[3] = (uint8_t)alpha;
        }
    }
}

void print_checksum(const char *name, const void *bytes, size_t size) {
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 0; i < size; ++i) sum = (sum ^ ((const uint8_t *)bytes)[i]) * 1099511628211u;
    printf("%s %016llx\n", name, (unsigned long long)sum);
}

void print_values(const char *name, const float *values, int count) {
    for (int i = 0; i < count; ++i) printf("%s %d %a\n", name, i, (double)values[i]);
}

void expect(int is_so, const char *what) {
    if (is_so) return;
    fflush(stdout);
    fprintf(stderr, "not so: %s\n", what);
    exit(1);
}

// Usage: compute FOLDER, of pictures that are decoded.
int main(int count, char **arguments) {
    expect(count == 2, "there is a folder of pictures");
    test_rasterizer();
    test_flow();
    test_cascade();
    test_sampling();
    test_sandbox();
    test_codecs(arguments[1]);
    return 0;
}
