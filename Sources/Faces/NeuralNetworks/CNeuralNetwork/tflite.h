// TensorFlow Lite files (https://github.com/tensorflow/tensorflow/blob/master/tensorflow/lite/schema/schema.fbs).
#ifndef TFLITE_H
#define TFLITE_H

#include "reader.h"

// Reads the whole file.
bool tflite_read(reader *reader);

// Reads and checks an operator's options, inputs and output, and marks its output as computed.
// `table` is the position of the operator.
bool tflite_operation(reader *reader, operator_kind kind, size_t table);

// Reads an operator of MediaPipe's own. The operation has its kind, input and output. `second` is its other input, and
// exists if the operator has two.
bool tflite_crop_operation(reader *reader, const tensor *second, size_t table, operation *operation);

// Unpacks the values of a constant, unless that is done already.
bool tflite_unpack(reader *reader, tensor *tensor);

#endif
