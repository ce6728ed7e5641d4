// Evaluates a neural network from a TensorFlow Lite file (.tflite) or an ONNX file (.onnx) with XNNPACK, on the calling
// thread.
//
// Of TensorFlow Lite, understands the operators of MediaPipe's networks of faces, hands and people: convolution, depthwise
// convolution, transposed convolution without overlap, addition, multiplication (also of channels, and with constants),
// parametric and plain rectified linear units, hard swish, maximum pooling, zero padding, bilinear magnification, depth to
// space, the mean over rows and columns, full connection, the sigmoid function, reshape, the slice of a whole tensor, and
// those that crop around landmarks, with 32-bit activations and with weights of 32 or 16 bits, dense or sparse. A network
// has the terms of a concatenation as outputs instead of the concatenation. Of ONNX, those of CenterFace: convolution
// (depthwise and transposed, too), batch normalisation and rectified linear units after a convolution, addition and the
// sigmoid function, with 32-bit numbers. Refuses every file that has anything else. Files may be hostile: every offset,
// index, size and shape in them is checked.
//
// XNNPACK is loaded when it is first needed.
#ifndef CNEURALNETWORK_H
#define CNEURALNETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CNEURALNETWORK_MESSAGE = 200, CNEURALNETWORK_RANK = 4 };

// A network with its input and output buffers. It belongs to one thread at a time.
typedef struct cneuralnetwork cneuralnetwork;

// 32-bit numbers in the order of the dimensions, the last one without gaps. The memory belongs to the network.
typedef struct cneuralnetwork_tensor {
    float *values;
    size_t count;
    size_t rank;
    size_t dimensions[CNEURALNETWORK_RANK];
} cneuralnetwork_tensor;

// Whether XNNPACK is installed.
bool cneuralnetwork_is_installed(void);

// Whether it is installed and runs on this processor, which it may have to ask /proc about.
bool cneuralnetwork_is_available(void);

// The content decides on the format. `input_size` is the height and width of the input of an ONNX file, which takes pictures
// of any size, at most 4 megapixels; NULL for a TensorFlow Lite file, which has a size. An ONNX file's tensors are computed
// in the order batch, row, column, channel, whatever the file says. Keeps no reference to `bytes`. On failure writes the reason to `message` (CNEURALNETWORK_MESSAGE bytes) and returns
// NULL.
cneuralnetwork *cneuralnetwork_load(const void *bytes, size_t size, const size_t input_size[2], char *message);
void cneuralnetwork_destroy(cneuralnetwork *network);

size_t cneuralnetwork_input_count(const cneuralnetwork *network);
size_t cneuralnetwork_output_count(const cneuralnetwork *network);
// In the file's order. `index` must be below the count.
cneuralnetwork_tensor cneuralnetwork_input(const cneuralnetwork *network, size_t index);
cneuralnetwork_tensor cneuralnetwork_output(const cneuralnetwork *network, size_t index);

// Computes the outputs from the inputs. Allocates nothing.
bool cneuralnetwork_run(cneuralnetwork *network);

// Pixels in the caller's memory: 1 channel (grey) or 4 (red, green, blue, alpha), 8 bits each, rows top first.
typedef struct cneuralnetwork_picture {
    const uint8_t *pixels;
    int32_t width;
    int32_t height;
    int32_t channels;
    size_t bytes_per_row;
} cneuralnetwork_picture;

// A square in a picture, or another parallelogram, in pixels with centres at +0.5: (u, v) in 0…1 is at
// origin + u · across + v · down.
typedef struct cneuralnetwork_square {
    float origin[2];
    float across[2];
    float down[2];
} cneuralnetwork_square;

// Writes the pixels of the square into an input of height × width × 3 numbers: red, green and blue, from `black` to `white`.
// Averages where a number covers more than one pixel of the picture, and interpolates where it covers less. Outside the
// picture is black, or with `repeats_edge` the picture's edge. Allocates nothing once it has seen a square as large.
// Returns false when the input has another shape or there is not enough memory.
bool cneuralnetwork_fill(
    cneuralnetwork *network, size_t index, const cneuralnetwork_picture *picture, const cneuralnetwork_square *square,
    float black, float white, bool repeats_edge);

// The same into memory of the caller: side × side × 3 numbers. Outside the picture is black. Needs neither a network nor
// XNNPACK. Returns false when there is not enough memory.
bool cneuralnetwork_sample(
    const cneuralnetwork_picture *picture, const cneuralnetwork_square *square, size_t side, float black, float white,
    float *values);

#endif
