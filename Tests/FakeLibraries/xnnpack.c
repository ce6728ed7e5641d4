// An XNNPACK that computes nothing. As newer versions do with slopes, it reads constants where they lie when a network runs:
// it refuses to run one whose constants are not what they were when it was given them.
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <xnnpack.h>

enum { MOST_CONSTANTS = 64 };
static struct {
    const void *place;
    void *copy;
    size_t size;
} constants[MOST_CONSTANTS];
static size_t constant_count;
static uint32_t value_count;
// Something to point at.
static char thing;

enum xnn_status xnn_initialize(const struct xnn_allocator *allocator) {
    // Memory that is freed changes.
    mallopt(M_PERTURB, 0x55);
    return xnn_status_success;
}

enum xnn_status xnn_create_subgraph(uint32_t external_values, uint32_t flags, xnn_subgraph_t *graph) {
    value_count = external_values;
    constant_count = 0;
    *graph = (xnn_subgraph_t)(void *)&thing;
    return xnn_status_success;
}

enum xnn_status xnn_define_tensor_value(
    xnn_subgraph_t graph, enum xnn_datatype type, size_t rank, const size_t *dimensions, const void *data,
    uint32_t external_id, uint32_t flags, uint32_t *id) {
    *id = external_id == XNN_INVALID_VALUE_ID ? value_count++ : external_id;
    if (!data) return xnn_status_success;
    size_t size = sizeof(float);
    for (size_t axis = 0; axis < rank; ++axis) size *= dimensions[axis];
    size += XNN_EXTRA_BYTES;
    void *copy = malloc(size);
    if (!copy || constant_count == MOST_CONSTANTS) return xnn_status_out_of_memory;
    memcpy(copy, data, size);
    constants[constant_count].place = data;
    constants[constant_count].copy = copy;
    constants[constant_count++].size = size;
    return xnn_status_success;
}

enum xnn_status xnn_create_runtime_v2(xnn_subgraph_t graph, pthreadpool_t pool, uint32_t flags, xnn_runtime_t *runtime) {
    *runtime = (xnn_runtime_t)(void *)&thing;
    return xnn_status_success;
}

enum xnn_status xnn_setup_runtime(xnn_runtime_t runtime, size_t count, const struct xnn_external_value *values) {
    return xnn_status_success;
}

enum xnn_status xnn_invoke_runtime(xnn_runtime_t runtime) {
    for (size_t i = 0; i < constant_count; ++i)
        if (memcmp(constants[i].place, constants[i].copy, constants[i].size) != 0) return xnn_status_invalid_state;
    return constant_count > 0 ? xnn_status_success : xnn_status_invalid_state;
}

enum xnn_status xnn_delete_subgraph(xnn_subgraph_t graph) { return xnn_status_success; }

enum xnn_status xnn_delete_runtime(xnn_runtime_t runtime) {
    while (constant_count > 0) free(constants[--constant_count].copy);
    return xnn_status_success;
}

// Operators are accepted without a look at their arguments.
#define ACCEPTS(name) \
    enum xnn_status accepts_##name(void) __asm__("xnn_define_" #name); \
    enum xnn_status accepts_##name(void) { return xnn_status_success; }

ACCEPTS(convolution_2d)
ACCEPTS(depthwise_convolution_2d)
ACCEPTS(deconvolution_2d)
ACCEPTS(sigmoid)
ACCEPTS(depth_to_space)
ACCEPTS(max_pooling_2d)
ACCEPTS(add2)
ACCEPTS(static_constant_pad)
ACCEPTS(static_reshape)
ACCEPTS(static_resize_bilinear_2d)
ACCEPTS(prelu)
ACCEPTS(multiply2)
ACCEPTS(clamp)
ACCEPTS(hardswish)
ACCEPTS(fully_connected)
ACCEPTS(average_pooling_2d)
