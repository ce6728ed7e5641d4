#include "onnx.h"
#include "tflite.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <xnnpack.h>

bool reader_refuse(reader *reader, const char *format, ...) {
    int length = 0;
    if (reader->place)
        length = snprintf(reader->message, CNEURALNETWORK_MESSAGE, "%s %zu: ", reader->place, reader->place_index);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->message + length, CNEURALNETWORK_MESSAGE - (size_t)length, format, arguments);
    va_end(arguments);
    return false;
}

bool reader_count_weights(reader *reader, size_t count) {
    reader->weight_count += count;
    return reader->weight_count <= MODEL_VALUES || reader_refuse(reader, "there are too many weights");
}

bool reader_make_weights(reader *reader, tensor *tensor, size_t count) {
    if (!reader_count_weights(reader, count)) return false;
    // XNNPACK may read a little beyond the end.
    tensor->weights = calloc(1, count * sizeof *tensor->weights + XNN_EXTRA_BYTES);
    return tensor->weights || reader_refuse(reader, "there is not enough memory");
}

bool reader_count(reader *reader, double multiplications) {
    reader->multiplications += multiplications;
    return reader->multiplications <= reader->most_multiplications || reader_refuse(reader, "needs too much time");
}

static bool check_use(reader *reader) {
    size_t count = 0;
    for (size_t index = 0; index < reader->model->tensor_count; ++index) {
        const tensor *tensor = &reader->model->tensors[index];
        if (!tensor->is_computed) continue;
        if (!tensor->is_read) return reader_refuse(reader, "tensor %zu is computed but not used", index);
        count += tensor->count;
    }
    return count <= reader->most_values || reader_refuse(reader, "needs too much memory");
}

// Each operator belongs to the first phase of its kind that has all its inputs. What one phase computes and another one
// reads is kept.
static bool assign_phases(reader *reader) {
    model *model = reader->model;
    for (size_t index = 0; index < model->input_count; ++index) model->tensors[model->inputs[index]].is_kept = true;
    for (size_t index = 0; index < model->output_count; ++index) model->tensors[model->outputs[index]].is_kept = true;
    for (size_t index = 0; index < model->operation_count; ++index) {
        operation *operation = &model->operations[index];
        const bool is_crop = is_crop_operator(operation->kind);
        tensor *inputs[2] = {&model->tensors[operation->input]};
        if (has_second(operation->kind)) inputs[1] = &model->tensors[operation->second];
        uint32_t phase = 0;
        for (size_t input = 0; input < 2; ++input)
            if (inputs[input] && inputs[input]->is_computed && inputs[input]->phase > phase) phase = inputs[input]->phase;
        phase += is_crop != (phase % 2 == 1);
        if (phase >= MODEL_PHASES) return reader_refuse(reader, "crops too often");
        for (size_t input = 0; input < 2; ++input)
            if (inputs[input] && inputs[input]->is_computed && (is_crop || inputs[input]->phase != phase))
                inputs[input]->is_kept = true;
        tensor *output = &model->tensors[operation->output];
        output->phase = operation->phase = phase;
        output->is_kept = output->is_kept || is_crop;
    }
    return true;
}

static bool read_tflite(reader *reader, const size_t size[2]) {
    if (size) return reader_refuse(reader, "is a TensorFlow Lite file, whose input has a size of its own");
    reader->most_values = MODEL_VALUES;
    reader->most_multiplications = MODEL_MULTIPLICATIONS;
    return tflite_read(reader);
}

static bool read_onnx(reader *reader, const size_t size[2]) {
    if (!size) return reader_refuse(reader, "is an ONNX file, whose input needs a size");
    for (size_t axis = 0; axis < 2; ++axis)
        if (size[axis] < 1 || size[axis] > MODEL_SIDE || size[0] * size[1] > ONNX_PIXELS)
            return reader_refuse(reader, "an input of %zu × %zu pixels is not possible", size[1], size[0]);
    const size_t pixels = size[0] * size[1];
    reader->most_values = pixels * ONNX_VALUES_PER_PIXEL;
    reader->most_multiplications = (double)pixels * ONNX_MULTIPLICATIONS_PER_PIXEL;
    return onnx_read(reader, size);
}

bool model_read(model *model, const uint8_t *bytes, size_t size, const size_t input_size[2], char *message) {
    *model = (struct model){0};
    reader reader = {.file = {.bytes = bytes, .size = size}, .model = model, .message = message};
    bool is_read;
    if (size >= 8 && memcmp(bytes + 4, "TFL3", 4) == 0) is_read = read_tflite(&reader, input_size);
    else if (onnx_is_likely(bytes, size)) is_read = read_onnx(&reader, input_size);
    else return reader_refuse(&reader, "is neither a TensorFlow Lite file of version 3 nor an ONNX file");
    return is_read && check_use(&reader) && assign_phases(&reader);
}

void model_release(model *model) {
    for (size_t index = 0; index < model->tensor_count; ++index) free(model->tensors[index].weights);
    for (size_t index = 0; index < model->operation_count; ++index) free(model->operations[index].crop);
    free(model->tensors);
    free(model->operations);
}
