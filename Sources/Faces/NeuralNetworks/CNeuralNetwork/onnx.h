// ONNX files (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto): a protocol buffer whose tensors have the order
// batch, channel, row, column. The model has XNNPACK's order: batch, row, column, channel.
#ifndef ONNX_H
#define ONNX_H

#include "protobuf.h"
#include "reader.h"

enum {
    // Constants, activations and operators, each.
    ONNX_ITEMS = 1024,
    ONNX_NAME = 128,
    ONNX_OPERANDS = 5,
    // The largest input: 4 megapixels.
    ONNX_PIXELS = 1 << 22,
    // Of all activations, for each pixel of the input; CenterFace has 110.
    ONNX_VALUES_PER_PIXEL = 256
};
// Of an evaluation, for each pixel of the input; CenterFace has 6,300.
#define ONNX_MULTIPLICATIONS_PER_PIXEL 16e3

// Numbers in the file.
typedef struct onnx_constant {
    protobuf name;
    size_t rank;  // 0: not 32-bit numbers in up to four dimensions, and of no use
    size_t dimensions[CNEURALNETWORK_RANK];
    size_t count;
    const uint8_t *values;  // 4 · count bytes, not aligned
} onnx_constant;

// A tensor of the model that is computed.
typedef struct onnx_value {
    protobuf name;
    uint32_t tensor;
} onnx_value;

typedef struct onnx {
    reader *reader;
    onnx_constant *constants;
    size_t constant_count;
    onnx_value *values;
    size_t value_count;
} onnx;

// Whether a file begins as ONNX files do.
bool onnx_is_likely(const uint8_t *bytes, size_t size);

// Reads the whole file. `size` is the height and width of the input; those that the file declares are of an example.
bool onnx_read(reader *reader, const size_t size[2]);

// Reads an operator into the model.
bool onnx_operation(onnx *onnx, protobuf node);

// NULL: there is none of that name.
const onnx_constant *onnx_find_constant(const onnx *onnx, const protobuf *name);
onnx_value *onnx_find_value(const onnx *onnx, const protobuf *name);

// Adds a tensor of the model; NULL: there are too many.
tensor *onnx_add_tensor(onnx *onnx, uint32_t *index);

// Adds a computed tensor of the shape 1 × height × width × channels.
bool onnx_add_value(onnx *onnx, protobuf name, const size_t sides[2], size_t channels, uint32_t *index);

bool onnx_is_whole(onnx *onnx, const protobuf *message);

#endif
