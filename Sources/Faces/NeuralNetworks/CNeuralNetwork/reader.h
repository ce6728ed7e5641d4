// Shared by the parts of the reader.
#ifndef READER_H
#define READER_H

#include "flatbuffer.h"
#include "model.h"

enum {
    MODEL_TENSORS = 4096,
    MODEL_SIDE = 1 << 16,
    // Of all activations, and of all weights: 128 MB each.
    MODEL_VALUES = 1 << 25
};
// Multiplications of one evaluation; the largest network that Bauta uses has 4e8.
#define MODEL_MULTIPLICATIONS 4e9

typedef struct reader {
    flatbuffer file;
    model *model;
    size_t weight_count;
    double multiplications;
    char *message;
    const char *place;  // what is being read
    size_t place_index;
} reader;

// Writes a message that names the place, and returns false.
__attribute__((format(printf, 2, 3))) bool reader_refuse(reader *reader, const char *format, ...);

// Unpacks the values of a constant, unless that is done already.
bool reader_unpack(reader *reader, tensor *tensor);

// Reads and checks an operator's options, inputs and output, and marks its output as computed.
// `table` is the position of the operator.
bool reader_operation(reader *reader, operator_kind kind, size_t table);

#endif
