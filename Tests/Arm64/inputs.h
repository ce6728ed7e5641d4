// Inputs that have the same bits on every processor, and results as lines of text that can be compared.
#ifndef INPUTS_H
#define INPUTS_H

#include <stddef.h>
#include <stdint.h>

// Pseudo-random numbers (xorshift), always in the same order. Only steps without rounding: functions of the C library may
// differ between processors.
uint32_t random_bits(void);
// One of 2^16 equal steps.
float random_between(float low, float high);

// Zeroed memory at a multiple of 64 bytes. Ends the program when there is none.
void *new_memory(size_t size);

// RGBA of smooth spots with a little noise; opaque, or premultiplied by alpha. Room for `texels_per_row` × (height + 1)
// texels, of which those beyond the last column and row repeat it.
void draw_spots(uint8_t *rgba, int32_t width, int32_t height, int32_t texels_per_row, int has_alpha);

// A name and a checksum of bytes (FNV-1a).
void print_checksum(const char *name, const void *bytes, size_t size);
// A name, and values to the last bit.
void print_values(const char *name, const float *values, int count);
// Ends the program with a message unless something is so: results that agree can all be wrong.
void expect(int is_so, const char *what);

void test_rasterizer(void);
void test_flow(void);
void test_cascade(void);
void test_sampling(void);
void test_sandbox(void);
void test_codecs(const char *folder);

#endif
