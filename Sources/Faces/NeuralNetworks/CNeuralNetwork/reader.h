// Shared by the readers of TensorFlow Lite and of ONNX.
#ifndef READER_H
#define READER_H

#include "flatbuffer.h"
#include "model.h"

enum {
    MODEL_TENSORS = 4096,
    MODEL_SIDE = 1 << 16,
    // Of all activations of a network with a size of its own, and of all weights: 128 MB each.
    MODEL_VALUES = 1 << 25,
    LARGEST_KERNEL = 32,
    LARGEST_MEAN = 128
};
// Multiplications of one evaluation of a network with a size of its own; the largest that Bauta uses has 4e8.
#define MODEL_MULTIPLICATIONS 4e9

typedef struct reader {
    flatbuffer file;  // the whole file; also ONNX, which is no FlatBuffer, lies in its bytes
    model *model;
    size_t weight_count;
    double multiplications;
    // What the network may need at most.
    size_t most_values;
    double most_multiplications;
    char *message;
    const char *place;  // what is being read
    size_t place_index;
} reader;

// Writes a message that names the place, and returns false.
__attribute__((format(printf, 2, 3))) bool reader_refuse(reader *reader, const char *format, ...);

// Adds to the memory that the network needs besides its tensors, in weights.
bool reader_count_weights(reader *reader, size_t count);

// Gives a tensor `count` weights of 0.
bool reader_make_weights(reader *reader, tensor *tensor, size_t count);

// Adds to the multiplications of an evaluation.
bool reader_count(reader *reader, double multiplications);

#endif
