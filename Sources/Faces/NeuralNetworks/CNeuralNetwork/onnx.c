#include "onnx.h"

#include <stdlib.h>

// The numbers of the fields are those of onnx.proto.

enum { FLOAT = 1, EXTERNAL = 1, FIRST_VERSION = 7 };

bool onnx_is_whole(onnx *onnx, const protobuf *message) {
    return !message->is_damaged || reader_refuse(onnx->reader, "a field is damaged or cut off");
}

// MARK: Names

const onnx_constant *onnx_find_constant(const onnx *onnx, const protobuf *name) {
    for (size_t index = 0; index < onnx->constant_count; ++index)
        if (protobuf_equal(&onnx->constants[index].name, name)) return &onnx->constants[index];
    return NULL;
}

onnx_value *onnx_find_value(const onnx *onnx, const protobuf *name) {
    for (size_t index = 0; index < onnx->value_count; ++index)
        if (protobuf_equal(&onnx->values[index].name, name)) return &onnx->values[index];
    return NULL;
}

// Whether a constant or a computed tensor may have a name.
static bool check_new_name(onnx *onnx, const protobuf *name) {
    const size_t size = protobuf_size(name);
    if (size < 1 || size > ONNX_NAME) return reader_refuse(onnx->reader, "a name has %zu bytes", size);
    return (!onnx_find_constant(onnx, name) && !onnx_find_value(onnx, name))
        || reader_refuse(onnx->reader, "a name is used twice");
}

// MARK: Tensors

tensor *onnx_add_tensor(onnx *onnx, uint32_t *index) {
    model *model = onnx->reader->model;
    // A filter, a bias and a result for each operator, and the input.
    if (model->tensor_count == 3 * ONNX_ITEMS + 1) {
        reader_refuse(onnx->reader, "there are too many tensors");
        return NULL;
    }
    *index = (uint32_t)model->tensor_count++;
    return &model->tensors[*index];
}

bool onnx_add_value(onnx *onnx, protobuf name, const size_t sides[2], size_t channels, uint32_t *index) {
    if (!check_new_name(onnx, &name)) return false;
    if (onnx->value_count == ONNX_ITEMS) return reader_refuse(onnx->reader, "there are too many tensors");
    tensor *tensor = onnx_add_tensor(onnx, index);
    if (!tensor) return false;
    // No product of these overflows: a side is at most 2²², and the number of channels 2¹⁶.
    tensor->count = sides[0] * sides[1];
    if (sides[0] > ONNX_PIXELS || sides[1] > ONNX_PIXELS || tensor->count > ONNX_PIXELS
        || (tensor->count *= channels) > onnx->reader->most_values)
        return reader_refuse(onnx->reader, "has too many elements");
    tensor->rank = 4;
    tensor->dimensions[0] = 1;
    tensor->dimensions[1] = sides[0];
    tensor->dimensions[2] = sides[1];
    tensor->dimensions[3] = channels;
    tensor->type = ELEMENT_FLOAT32;
    tensor->is_computed = true;
    onnx->values[onnx->value_count++] = (onnx_value){name, *index};
    return true;
}

// Adds the dimensions in a field of a constant: one number, or packed numbers.
static void add_dimensions(onnx_constant *constant, protobuf_field *field, bool *is_useful) {
    if (field->form != PROTOBUF_BYTES && field->form != PROTOBUF_NUMBER) *is_useful = false;
    while (*is_useful && (field->form == PROTOBUF_NUMBER || protobuf_size(&field->bytes) > 0)) {
        const uint64_t length = field->form == PROTOBUF_NUMBER ? field->value : protobuf_number(&field->bytes);
        *is_useful = !field->bytes.is_damaged && constant->rank < CNEURALNETWORK_RANK && length >= 1
            && length <= MODEL_SIDE && constant->count * length <= MODEL_VALUES;
        if (!*is_useful) return;
        constant->dimensions[constant->rank++] = (size_t)length;
        constant->count *= (size_t)length;
        if (field->form == PROTOBUF_NUMBER) return;
    }
}

static bool read_constant(onnx *onnx, protobuf message) {
    onnx_constant constant = {.count = 1};
    protobuf values = {0};
    size_t parts = 0;
    bool is_useful = true, is_float = false;
    protobuf_field field;
    while (protobuf_next(&message, &field)) {
        switch (field.number) {
        case 1: add_dimensions(&constant, &field, &is_useful); break;
        case 2: is_float = field.form == PROTOBUF_NUMBER && field.value == FLOAT; break;
        case 8: constant.name = field.bytes; break;
        case 4:  // 32-bit numbers
        case 9:  // their bytes
            values = field.bytes;
            parts += 1;
            is_useful = is_useful && field.form == PROTOBUF_BYTES;
            break;
        case 14: is_useful = is_useful && field.value != EXTERNAL; break;
        default: break;
        }
    }
    if (!onnx_is_whole(onnx, &message) || !check_new_name(onnx, &constant.name)) return false;
    if (onnx->constant_count == ONNX_ITEMS) return reader_refuse(onnx->reader, "there are too many constants");
    if (!is_useful || !is_float || parts != 1) {
        constant.rank = 0;
    } else if (protobuf_size(&values) != 4 * constant.count) {
        return reader_refuse(
            onnx->reader, "has %zu bytes of weights instead of %zu", protobuf_size(&values), 4 * constant.count);
    }
    constant.values = values.next;
    onnx->constants[onnx->constant_count++] = constant;
    return true;
}

// MARK: Inputs and outputs

// The declaration of an input or output.
typedef struct declaration {
    protobuf name;
    uint64_t type;
    size_t rank;
    uint64_t channels;  // the second dimension
} declaration;

// A message in a field of another message; empty: there is none.
static protobuf inside(onnx *onnx, protobuf message, uint64_t number) {
    protobuf found = {message.end, message.end, false};
    protobuf_field field;
    while (protobuf_next(&message, &field))
        if (field.number == number && field.form == PROTOBUF_BYTES) found = field.bytes;
    onnx->reader->file.is_damaged |= message.is_damaged;
    return found;
}

static uint64_t number_inside(onnx *onnx, protobuf message, uint64_t number) {
    uint64_t found = 0;
    protobuf_field field;
    while (protobuf_next(&message, &field))
        if (field.number == number && field.form == PROTOBUF_NUMBER) found = field.value;
    onnx->reader->file.is_damaged |= message.is_damaged;
    return found;
}

static declaration read_declaration(onnx *onnx, protobuf message) {
    const protobuf type = inside(onnx, inside(onnx, message, 2), 1);
    declaration declaration = {.name = inside(onnx, message, 1), .type = number_inside(onnx, type, 1)};
    protobuf shape = inside(onnx, type, 2);
    protobuf_field field;
    while (protobuf_next(&shape, &field)) {
        if (field.number != 1 || field.form != PROTOBUF_BYTES) continue;
        if (declaration.rank == 1) declaration.channels = number_inside(onnx, field.bytes, 1);
        declaration.rank += 1;
    }
    onnx->reader->file.is_damaged |= shape.is_damaged;
    return declaration;
}

// Old files declare constants as inputs, too.
static bool read_input(onnx *onnx, protobuf message, const size_t size[2]) {
    reader *reader = onnx->reader;
    const declaration declaration = read_declaration(onnx, message);
    if (reader->file.is_damaged) return reader_refuse(reader, "an input is damaged or cut off");
    if (onnx_find_constant(onnx, &declaration.name)) return true;
    if (reader->model->input_count > 0)
        return reader_refuse(reader, "has several inputs, which Bauta does not support");
    if (declaration.type != FLOAT || declaration.rank != 4 || declaration.channels < 1
        || declaration.channels > MODEL_SIDE)
        return reader_refuse(reader, "its input is not a picture of 32-bit numbers");
    reader->model->input_count = 1;
    return onnx_add_value(onnx, declaration.name, size, (size_t)declaration.channels, &reader->model->inputs[0]);
}

static bool read_output(onnx *onnx, protobuf message) {
    reader *reader = onnx->reader;
    model *model = reader->model;
    const protobuf name = inside(onnx, message, 1);
    if (reader->file.is_damaged) return reader_refuse(reader, "an output is damaged or cut off");
    const onnx_value *value = onnx_find_value(onnx, &name);
    if (!value || value->tensor == model->inputs[0])
        return reader_refuse(reader, "its output %zu is not computed", model->output_count);
    if (model->output_count == MODEL_INPUTS) return reader_refuse(reader, "has more than %d outputs", MODEL_INPUTS);
    for (size_t index = 0; index < model->output_count; ++index)
        if (model->outputs[index] == value->tensor) return reader_refuse(reader, "an output is there twice");
    model->tensors[value->tensor].is_read = true;
    model->outputs[model->output_count++] = value->tensor;
    return true;
}

// MARK: Graph

// The kinds of fields in a graph, in the order in which they are read, whatever their order in the file.
typedef enum graph_part { NODE = 1, CONSTANT = 5, INPUT = 11, OUTPUT = 12, SPARSE_CONSTANT = 15 } graph_part;

static bool read_part(onnx *onnx, protobuf graph, graph_part part, const size_t size[2]) {
    static const char *const places[] = {[NODE] = "operator", [CONSTANT] = "constant"};
    reader *reader = onnx->reader;
    size_t index = 0;
    protobuf_field field;
    while (protobuf_next(&graph, &field)) {
        if (field.number != part || field.form != PROTOBUF_BYTES) continue;
        // Some need no item of their own, but time.
        if (index == 4 * ONNX_ITEMS) return reader_refuse(reader, "there are too many inputs, outputs, constants or operators");
        reader->place = part == NODE || part == CONSTANT ? places[part] : NULL;
        reader->place_index = index++;
        bool is_good = false;
        switch (part) {
        case NODE: is_good = onnx_operation(onnx, field.bytes); break;
        case CONSTANT: is_good = read_constant(onnx, field.bytes); break;
        case INPUT: is_good = read_input(onnx, field.bytes, size); break;
        case OUTPUT: is_good = read_output(onnx, field.bytes); break;
        case SPARSE_CONSTANT: return reader_refuse(reader, "has sparse constants, which Bauta does not support");
        }
        if (!is_good) return false;
    }
    reader->place = NULL;
    return onnx_is_whole(onnx, &graph);
}

static bool read_graph(onnx *onnx, protobuf graph, const size_t size[2]) {
    reader *reader = onnx->reader;
    model *model = reader->model;
    onnx->constants = calloc(ONNX_ITEMS, sizeof *onnx->constants);
    onnx->values = calloc(ONNX_ITEMS, sizeof *onnx->values);
    model->tensors = calloc(3 * ONNX_ITEMS + 1, sizeof *model->tensors);
    model->operations = calloc(ONNX_ITEMS, sizeof *model->operations);
    if (!onnx->constants || !onnx->values || !model->tensors || !model->operations)
        return reader_refuse(reader, "there is not enough memory");
    return read_part(onnx, graph, SPARSE_CONSTANT, size) && read_part(onnx, graph, CONSTANT, size)
        && read_part(onnx, graph, INPUT, size)
        && (model->input_count == 1 || reader_refuse(reader, "has no input"))
        && read_part(onnx, graph, NODE, size) && read_part(onnx, graph, OUTPUT, size)
        && (model->output_count > 0 || reader_refuse(reader, "has no output"));
}

// The version of the standard operators.
static bool check_operators(onnx *onnx, protobuf message) {
    const protobuf domain = inside(onnx, message, 1);
    return protobuf_size(&domain) > 0 || number_inside(onnx, message, 2) >= FIRST_VERSION
        || reader_refuse(onnx->reader, "its operators are older than version %d", FIRST_VERSION);
}

bool onnx_is_likely(const uint8_t *bytes, size_t size) {
    // All writers begin with the version of the format: field 1, a number.
    return size >= 8 && bytes[0] == (1 << 3 | PROTOBUF_NUMBER);
}

bool onnx_read(reader *reader, const size_t size[2]) {
    protobuf file = {reader->file.bytes, reader->file.bytes + reader->file.size, false}, graph = {0};
    onnx onnx = {.reader = reader};
    protobuf_field field;
    while (protobuf_next(&file, &field)) {
        if (field.form != PROTOBUF_BYTES) continue;
        if (field.number == 7) graph = field.bytes;
        if (field.number == 8 && !check_operators(&onnx, field.bytes)) return false;
    }
    if (!onnx_is_whole(&onnx, &file)) return false;
    if (!graph.next) return reader_refuse(reader, "has no graph");
    const bool is_read = read_graph(&onnx, graph, size);
    free(onnx.constants);
    free(onnx.values);
    return is_read;
}
