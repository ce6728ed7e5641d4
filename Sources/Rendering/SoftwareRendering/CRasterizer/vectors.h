// Vectors of 16 pixels. Each is one register with AVX-512, two with AVX2, four with SSE2 or NEON.
#ifndef CRASTERIZER_VECTORS_H
#define CRASTERIZER_VECTORS_H

#include <stdint.h>
#include <string.h>

// No function with vectors as arguments is ever called: all are inlined.
#pragma clang diagnostic ignored "-Wpsabi"

enum { LANES = 16 };

typedef float floats __attribute__((ext_vector_type(16)));
typedef int32_t ints __attribute__((ext_vector_type(16)));
typedef uint32_t words __attribute__((ext_vector_type(16)));
// Four components of four pixels.
typedef int16_t shorts __attribute__((ext_vector_type(16)));

#define INLINE static inline __attribute__((always_inline))

#endif
