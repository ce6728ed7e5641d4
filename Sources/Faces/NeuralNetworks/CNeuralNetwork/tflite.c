#include "tflite.h"

#include <stdlib.h>

// The numbers of the fields are those of TensorFlow Lite's schema, version 3.

static bool is_whole(reader *reader) {
    return !reader->file.is_damaged || reader_refuse(reader, "an offset leads beyond the end of the file");
}

static bool read_data(reader *reader, flatbuffer_vector buffers, size_t table, tensor *tensor) {
    flatbuffer *file = &reader->file;
    const size_t position = flatbuffer_field(file, table, 2);
    const uint32_t index = position ? flatbuffer_u32(file, position) : 0;
    if (index >= buffers.count) return reader_refuse(reader, "its buffer %u does not exist", index);
    const size_t buffer = flatbuffer_follow(file, buffers.start + 4 * index);
    const flatbuffer_vector data = flatbuffer_elements(file, buffer, 0, 1);
    if (data.count == 0) return true;
    tensor->data = flatbuffer_at(file, data.start, data.count);
    tensor->size = data.count;
    return true;
}

static bool read_tensor(reader *reader, flatbuffer_vector buffers, size_t table, tensor *tensor) {
    flatbuffer *file = &reader->file;
    const uint8_t type = flatbuffer_byte(file, table, 1);
    if (type > ELEMENT_INT32)
        return reader_refuse(reader, "its elements are of type %u, which Bauta does not support", type);
    tensor->type = (element_type)type;
    const flatbuffer_vector shape = flatbuffer_elements(file, table, 0, 4);
    if (shape.count < 1 || shape.count > CNEURALNETWORK_RANK)
        return reader_refuse(reader, "has %zu dimensions instead of 1 to %d", shape.count, CNEURALNETWORK_RANK);
    tensor->rank = shape.count;
    tensor->count = 1;
    for (size_t index = 0; index < shape.count; ++index) {
        const int32_t length = flatbuffer_i32(file, shape.start + 4 * index);
        if (length < 1 || length > MODEL_SIDE)
            return reader_refuse(reader, "a dimension is %d instead of 1 to %d", length, MODEL_SIDE);
        tensor->dimensions[index] = (size_t)length;
        tensor->count *= (size_t)length;
        if (tensor->count > MODEL_VALUES) return reader_refuse(reader, "has too many elements");
    }
    if (flatbuffer_byte(file, table, 5)) return reader_refuse(reader, "is a variable, which Bauta does not support");
    tensor->sparsity = flatbuffer_table(file, table, 6);
    return read_data(reader, buffers, table, tensor) && is_whole(reader);
}

static bool read_tensors(reader *reader, size_t graph, flatbuffer_vector buffers) {
    flatbuffer *file = &reader->file;
    const flatbuffer_vector tables = flatbuffer_elements(file, graph, 0, 4);
    if (!is_whole(reader)) return false;
    if (tables.count < 1 || tables.count > MODEL_TENSORS)
        return reader_refuse(reader, "has %zu tensors instead of 1 to %d", tables.count, MODEL_TENSORS);
    reader->model->tensors = calloc(tables.count, sizeof *reader->model->tensors);
    if (!reader->model->tensors) return reader_refuse(reader, "there is not enough memory");
    reader->model->tensor_count = tables.count;
    reader->place = "tensor";
    for (size_t index = 0; index < tables.count; ++index) {
        reader->place_index = index;
        const size_t table = flatbuffer_follow(file, tables.start + 4 * index);
        if (!read_tensor(reader, buffers, table, &reader->model->tensors[index])) return false;
    }
    reader->place = NULL;
    return true;
}

static bool add_end(reader *reader, uint32_t end, bool is_input, uint32_t ends[MODEL_INPUTS], size_t *count) {
    tensor *tensor = end < reader->model->tensor_count ? &reader->model->tensors[end] : NULL;
    bool is_good = tensor && tensor->type == ELEMENT_FLOAT32 && !tensor->data && tensor->is_computed != is_input
        && !tensor->term_count && *count < MODEL_INPUTS;
    for (size_t other = 0; is_good && other < *count; ++other) is_good = ends[other] != end;
    for (size_t other = 0; is_good && !is_input && other < reader->model->input_count; ++other)
        is_good = reader->model->inputs[other] != end;
    if (!is_good)
        return reader_refuse(reader, "its %s %zu cannot be tensor %u", is_input ? "input" : "output", *count, end);
    if (is_input) tensor->is_computed = true;
    else tensor->is_read = true;
    ends[(*count)++] = end;
    return true;
}

// The inputs or outputs of the network. In place of a concatenation, its terms are outputs.
static bool read_ends(reader *reader, size_t graph, unsigned field, uint32_t ends[MODEL_INPUTS], size_t *count) {
    const bool is_input = field == 1;
    const flatbuffer_vector indices = flatbuffer_elements(&reader->file, graph, field, 4);
    if (!is_whole(reader)) return false;
    if (indices.count < 1 || indices.count > MODEL_INPUTS)
        return reader_refuse(
            reader, "has %zu %s instead of 1 to %d", indices.count, is_input ? "inputs" : "outputs", MODEL_INPUTS);
    for (size_t index = 0; index < indices.count; ++index) {
        const uint32_t end = flatbuffer_u32(&reader->file, indices.start + 4 * index);
        tensor *tensor = end < reader->model->tensor_count ? &reader->model->tensors[end] : NULL;
        if (!tensor || tensor->term_count == 0) {
            if (!add_end(reader, end, is_input, ends, count)) return false;
            continue;
        }
        tensor->is_read = true;
        for (size_t term = 0; term < tensor->term_count; ++term)
            if (!add_end(reader, tensor->terms[term], is_input, ends, count)) return false;
    }
    return true;
}

// MediaPipe's operators, which TensorFlow Lite does not define. Version 1 of those that crop computes something else.
static bool read_custom_kind(reader *reader, size_t code, operator_kind *kind) {
    static const struct {
        const char *name;
        operator_kind kind;
        int32_t version;
    } known[] = {
        {"Convolution2DTransposeBias", OPERATOR_CUSTOM, 1},
        {"Landmarks2TransformMatrix", OPERATOR_CROP_MATRIX, 2},
        {"TransformTensorBilinear", OPERATOR_CROP, 2},
        {"TransformLandmarks", OPERATOR_LEAVE_CROP, 2},
    };
    const flatbuffer_vector found = flatbuffer_elements(&reader->file, code, 1, 1);
    const uint8_t *bytes = flatbuffer_at(&reader->file, found.start, found.count);
    const int32_t version = flatbuffer_int(&reader->file, code, 2, 1);
    for (size_t index = 0; bytes && index < sizeof known / sizeof *known; ++index) {
        if (found.count != strlen(known[index].name) || memcmp(bytes, known[index].name, found.count) != 0
            || version != known[index].version)
            continue;
        *kind = known[index].kind;
        return true;
    }
    return reader_refuse(reader, "is of a kind that TensorFlow Lite does not define");
}

static bool read_kind(reader *reader, flatbuffer_vector codes, size_t table, operator_kind *kind) {
    flatbuffer *file = &reader->file;
    const size_t position = flatbuffer_field(file, table, 0);
    const uint32_t index = position ? flatbuffer_u32(file, position) : 0;
    if (index >= codes.count) return reader_refuse(reader, "its kind %u does not exist", index);
    // Codes above 127 are in the second field only; of both, the larger counts.
    const size_t code = flatbuffer_follow(file, codes.start + 4 * index);
    const int32_t early = (int8_t)flatbuffer_byte(file, code, 0), late = flatbuffer_int(file, code, 3, 0);
    *kind = (operator_kind)(early > late ? early : late);
    if (*kind == OPERATOR_CUSTOM) return read_custom_kind(reader, code, kind);
    return *kind < OPERATOR_CROP_MATRIX || reader_refuse(reader, "its kind does not exist");
}

static bool read_operations(reader *reader, size_t graph, flatbuffer_vector codes) {
    flatbuffer *file = &reader->file;
    const flatbuffer_vector tables = flatbuffer_elements(file, graph, 3, 4);
    if (!is_whole(reader)) return false;
    if (tables.count < 1 || tables.count > MODEL_TENSORS)
        return reader_refuse(reader, "has %zu operators instead of 1 to %d", tables.count, MODEL_TENSORS);
    reader->model->operations = calloc(tables.count, sizeof *reader->model->operations);
    if (!reader->model->operations) return reader_refuse(reader, "there is not enough memory");
    reader->place = "operator";
    for (size_t index = 0; index < tables.count; ++index) {
        reader->place_index = index;
        const size_t table = flatbuffer_follow(file, tables.start + 4 * index);
        operator_kind kind;
        if (!read_kind(reader, codes, table, &kind) || !tflite_operation(reader, kind, table) || !is_whole(reader))
            return false;
    }
    reader->place = NULL;
    return true;
}

bool tflite_read(reader *reader) {
    flatbuffer *file = &reader->file;
    const size_t root = flatbuffer_follow(file, 0);
    const flatbuffer_vector codes = flatbuffer_elements(file, root, 1, 4);
    const flatbuffer_vector graphs = flatbuffer_elements(file, root, 2, 4);
    const flatbuffer_vector buffers = flatbuffer_elements(file, root, 4, 4);
    if (!is_whole(reader)) return false;
    if (flatbuffer_int(file, root, 0, 0) != 3 || graphs.count != 1)
        return reader_refuse(reader, "is not of version 3 with one graph");
    const size_t graph = flatbuffer_follow(file, graphs.start);
    model *model = reader->model;
    return read_tensors(reader, graph, buffers) && read_ends(reader, graph, 1, model->inputs, &model->input_count)
        && read_operations(reader, graph, codes) && read_ends(reader, graph, 2, model->outputs, &model->output_count);
}
