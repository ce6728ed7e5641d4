// A network as read from a file: checked, with unpacked weights, not yet in XNNPACK's form.
#ifndef MODEL_H
#define MODEL_H

#include "CNeuralNetwork.h"

#include <stdint.h>

enum { MODEL_INPUTS = 8, MODEL_TERMS = 3, MODEL_PHASES = 8 };

// The numbers are TensorFlow Lite's, as far as it defines the operators.
typedef enum operator_kind {
    OPERATOR_ADD = 0,
    OPERATOR_AVERAGE_POOL = 1,
    OPERATOR_CONCATENATION = 2,
    OPERATOR_CONVOLUTION = 3,
    OPERATOR_DEPTHWISE_CONVOLUTION = 4,
    OPERATOR_DEPTH_TO_SPACE = 5,
    OPERATOR_DEQUANTIZE = 6,
    OPERATOR_FULLY_CONNECTED = 9,
    OPERATOR_SIGMOID = 14,
    OPERATOR_MAX_POOL = 17,
    OPERATOR_MULTIPLY = 18,
    OPERATOR_RELU = 19,
    OPERATOR_RESHAPE = 22,
    OPERATOR_RESIZE_BILINEAR = 23,
    OPERATOR_CUSTOM = 32,
    OPERATOR_PAD = 34,
    OPERATOR_MEAN = 40,
    OPERATOR_STRIDED_SLICE = 45,
    OPERATOR_PRELU = 54,
    OPERATOR_DECONVOLUTION = 67,
    OPERATOR_HARD_SWISH = 117,
    OPERATOR_DENSIFY = 124,
    // MediaPipe's, which XNNPACK does not have: see crop.h.
    OPERATOR_CROP_MATRIX = 1000,
    OPERATOR_CROP = 1001,
    OPERATOR_LEAVE_CROP = 1002
} operator_kind;

typedef enum element_type { ELEMENT_FLOAT32 = 0, ELEMENT_FLOAT16 = 1, ELEMENT_INT32 = 2 } element_type;

typedef struct tensor {
    size_t rank;
    size_t dimensions[CNEURALNETWORK_RANK];
    size_t count;
    element_type type;
    const uint8_t *data;    // a constant's bytes in the file
    size_t size;
    size_t sparsity;        // position in the file of the description of a sparse constant
    const struct tensor *source;  // the constant of which this one is the unpacked form
    float *weights;         // a constant's values, as far as operators need them
    uint32_t terms[MODEL_TERMS];  // the tensors of which this one is the concatenation
    size_t term_count;
    bool is_computed;       // an input of the network, or the result of an operator
    bool is_read;           // by an operator, or as an output of the network
    uint32_t phase;         // of the operator that computes it
    bool is_kept;           // it has memory of its own, because more than one phase of the network uses it
} tensor;

typedef struct operation {
    operator_kind kind;
    uint32_t input, second;  // tensors; `second` is the other term, the filter or the slope
    uint32_t bias, output;
    uint32_t kernel[2], stride[2];  // vertical, horizontal
    bool is_same_padding;
    // Padding of the input; of a deconvolution, what is cut off from the result.
    size_t before[CNEURALNETWORK_RANK], after[CNEURALNETWORK_RANK];
    uint32_t block;
    float lowest, highest;   // the result is limited to these
    struct crop_options *crop;  // of OPERATOR_CROP_MATRIX
    uint32_t phase;
} operation;

// A network is evaluated in phases: those with even numbers by XNNPACK, the others, which are the crop operators, by crop.c.
typedef struct model {
    tensor *tensors;
    size_t tensor_count;
    operation *operations;
    size_t operation_count;
    uint32_t inputs[MODEL_INPUTS], outputs[MODEL_INPUTS];
    size_t input_count, output_count;
} model;

// `input_size` is the height and width of the input of an ONNX file, and NULL for a TensorFlow Lite file. On failure
// writes the reason. The model must be released in any case. It refers to `bytes` but for `weights`.
bool model_read(model *model, const uint8_t *bytes, size_t size, const size_t input_size[2], char *message);
void model_release(model *model);

static inline bool has_filter(operator_kind kind) {
    return kind == OPERATOR_CONVOLUTION || kind == OPERATOR_DEPTHWISE_CONVOLUTION || kind == OPERATOR_DECONVOLUTION
        || kind == OPERATOR_FULLY_CONNECTED;
}

static inline bool is_crop_operator(operator_kind kind) { return kind >= OPERATOR_CROP_MATRIX; }

static inline bool has_second(operator_kind kind) {
    return has_filter(kind) || kind == OPERATOR_ADD || kind == OPERATOR_MULTIPLY || kind == OPERATOR_PRELU
        || kind == OPERATOR_CROP || kind == OPERATOR_LEAVE_CROP;
}

#endif
