#include "onnx.h"

#include <math.h>

// MARK: Attributes

typedef struct attributes {
    size_t kernel[2];  // vertical, horizontal; 0: that of the filter
    size_t stride[2];
    size_t before[2], after[2];  // padding
    size_t group;
    float epsilon;
} attributes;

// An attribute as it is in the file.
typedef struct attribute {
    protobuf name;
    float number;
    uint64_t whole[4];  // one or several numbers
    size_t count;
} attribute;

static bool add_whole(attribute *attribute, uint64_t value) {
    if (attribute->count == 4) return false;
    attribute->whole[attribute->count++] = value;
    return true;
}

static bool read_attribute(onnx *onnx, protobuf message, attribute *attribute) {
    bool is_good = true;
    protobuf_field field;
    while (is_good && protobuf_next(&message, &field)) {
        if (field.number == 1 && field.form == PROTOBUF_BYTES) attribute->name = field.bytes;
        if (field.number == 2 && field.form == PROTOBUF_32_BITS) memcpy(&attribute->number, &field.value, 4);
        if (field.number != 3 && field.number != 8) continue;
        if (field.form == PROTOBUF_NUMBER) is_good = add_whole(attribute, field.value);
        while (is_good && field.form == PROTOBUF_BYTES && protobuf_size(&field.bytes) > 0)
            is_good = add_whole(attribute, protobuf_number(&field.bytes));
        is_good = is_good && !field.bytes.is_damaged;
    }
    if (!is_good) return reader_refuse(onnx->reader, "has an attribute that is damaged or too long");
    return onnx_is_whole(onnx, &message);
}

// Whether there are `count` numbers from `least` to LARGEST_KERNEL.
static bool has_numbers(const attribute *attribute, size_t count, uint64_t least) {
    for (size_t index = 0; index < attribute->count; ++index)
        if (attribute->whole[index] < least || attribute->whole[index] > LARGEST_KERNEL) return false;
    return attribute->count == count;
}

static void copy(size_t to[2], const uint64_t from[2]) {
    for (size_t axis = 0; axis < 2; ++axis) to[axis] = (size_t)from[axis];
}

static bool set_attribute(const attribute *attribute, attributes *attributes) {
    const protobuf *name = &attribute->name;
    if (protobuf_is(name, "kernel_shape")) {
        copy(attributes->kernel, attribute->whole);
        return has_numbers(attribute, 2, 1);
    }
    if (protobuf_is(name, "strides")) {
        copy(attributes->stride, attribute->whole);
        return has_numbers(attribute, 2, 1);
    }
    if (protobuf_is(name, "pads")) {
        copy(attributes->before, attribute->whole);
        copy(attributes->after, attribute->whole + 2);
        return has_numbers(attribute, 4, 0);
    }
    if (protobuf_is(name, "dilations"))
        return has_numbers(attribute, 2, 1) && attribute->whole[0] == 1 && attribute->whole[1] == 1;
    if (protobuf_is(name, "group")) {
        attributes->group = (size_t)attribute->whole[0];
        return attribute->count == 1;
    }
    if (protobuf_is(name, "epsilon")) {
        attributes->epsilon = attribute->number;
        return true;
    }
    // Counts only in training.
    return protobuf_is(name, "momentum");
}

// MARK: Nodes

typedef struct node {
    protobuf kind, domain, inputs[ONNX_OPERANDS], output;
    size_t input_count, output_count;
    attributes attributes;
} node;

static bool read_node(onnx *onnx, protobuf message, node *node) {
    reader *reader = onnx->reader;
    node->attributes = (attributes){.stride = {1, 1}, .group = 1, .epsilon = 1e-5f};
    protobuf_field field;
    while (protobuf_next(&message, &field)) {
        if (field.form != PROTOBUF_BYTES) continue;
        switch (field.number) {
        case 1:
            if (node->input_count == ONNX_OPERANDS)
                return reader_refuse(reader, "has more than %d inputs, which Bauta does not support", ONNX_OPERANDS);
            node->inputs[node->input_count++] = field.bytes;
            break;
        case 2:
            node->output = field.bytes;
            node->output_count += 1;
            break;
        case 4: node->kind = field.bytes; break;
        case 5: {
            attribute attribute = {0};
            if (!read_attribute(onnx, field.bytes, &attribute)) return false;
            if (!set_attribute(&attribute, &node->attributes))
                return reader_refuse(reader, "has an attribute that Bauta does not support");
            break;
        }
        case 7: node->domain = field.bytes; break;
        default: break;
        }
    }
    if (!onnx_is_whole(onnx, &message)) return false;
    if (node->output_count != 1) return reader_refuse(reader, "has %zu outputs instead of 1", node->output_count);
    return true;
}

// A computed tensor that the operator reads.
static tensor *activation(onnx *onnx, const protobuf *name, uint32_t *index) {
    const onnx_value *value = onnx_find_value(onnx, name);
    if (!value) {
        reader_refuse(onnx->reader, "its input is not computed by the operators before it");
        return NULL;
    }
    *index = value->tensor;
    tensor *tensor = &onnx->reader->model->tensors[value->tensor];
    tensor->is_read = true;
    return tensor;
}

// A constant of `count` numbers in one dimension.
static const onnx_constant *vector(onnx *onnx, const protobuf *name, size_t count) {
    const onnx_constant *constant = onnx_find_constant(onnx, name);
    if (constant && constant->rank == 1 && constant->count == count) return constant;
    reader_refuse(onnx->reader, "its weights are not %zu constant 32-bit numbers", count);
    return NULL;
}

static float value_at(const onnx_constant *constant, size_t index) {
    float value;
    memcpy(&value, constant->values + 4 * index, sizeof value);
    return value;
}

// The next operation of the model, which counts when its result is added.
static operation *new_operation(onnx *onnx, operator_kind kind) {
    operation *operation = &onnx->reader->model->operations[onnx->reader->model->operation_count];
    *operation = (struct operation){.kind = kind, .lowest = -INFINITY, .highest = INFINITY};
    return operation;
}

static bool add_result(onnx *onnx, const node *node, operation *operation, const size_t sides[2], size_t channels) {
    if (!onnx_add_value(onnx, node->output, sides, channels, &operation->output)) return false;
    // There is one for each computed tensor but the input, so there is room.
    onnx->reader->model->operation_count += 1;
    return true;
}

// MARK: Convolutions

// How the filter of a convolution becomes XNNPACK's: element (i, j, k, l) of the shape `sizes` is where `steps` lead.
typedef struct rearrangement {
    size_t sizes[4], steps[4];
} rearrangement;

static bool rearrange(onnx *onnx, const onnx_constant *constant, const rearrangement *form, uint32_t *index) {
    tensor *filter = onnx_add_tensor(onnx, index);
    if (!filter || !reader_make_weights(onnx->reader, filter, constant->count)) return false;
    filter->rank = 4;
    filter->count = constant->count;
    memcpy(filter->dimensions, form->sizes, sizeof filter->dimensions);
    const size_t *sizes = form->sizes, *steps = form->steps;
    float *to = filter->weights;
    for (size_t i = 0; i < sizes[0]; ++i)
        for (size_t j = 0; j < sizes[1]; ++j)
            for (size_t k = 0; k < sizes[2]; ++k)
                for (size_t l = 0; l < sizes[3]; ++l)
                    *to++ = value_at(constant, i * steps[0] + j * steps[1] + k * steps[2] + l * steps[3]);
    return true;
}

// Of 0 unless the operator has one.
static bool add_bias(onnx *onnx, const node *node, size_t channels, uint32_t *index) {
    const bool has_bias = node->input_count == 3 && protobuf_size(&node->inputs[2]) > 0;
    const onnx_constant *constant = has_bias ? vector(onnx, &node->inputs[2], channels) : NULL;
    if (has_bias && !constant) return false;
    tensor *bias = onnx_add_tensor(onnx, index);
    if (!bias || !reader_make_weights(onnx->reader, bias, channels)) return false;
    bias->rank = 1;
    bias->count = bias->dimensions[0] = channels;
    for (size_t channel = 0; constant && channel < channels; ++channel)
        bias->weights[channel] = value_at(constant, channel);
    return true;
}

// The size of the result along an axis; 0: there is none.
static size_t result_side(const operation *operation, size_t axis, size_t side) {
    const size_t kernel = operation->kernel[axis], stride = operation->stride[axis];
    const size_t padding = operation->before[1 + axis] + operation->after[1 + axis];
    if (operation->kind != OPERATOR_DECONVOLUTION)
        return side + padding < kernel ? 0 : (side + padding - kernel) / stride + 1;
    const size_t whole = (side - 1) * stride + kernel;
    return kernel < stride || whole < padding ? 0 : whole - padding;
}

static bool set_window(onnx *onnx, const attributes *attributes, const size_t sides[2], operation *operation) {
    for (size_t axis = 0; axis < 2; ++axis) {
        const size_t kernel = sides[axis], before = attributes->before[axis], after = attributes->after[axis];
        if (kernel > LARGEST_KERNEL || (attributes->kernel[axis] != 0 && attributes->kernel[axis] != kernel)
            || before >= kernel || after >= kernel)
            return reader_refuse(onnx->reader, "its window does not fit its filter");
        operation->kernel[axis] = (uint32_t)kernel;
        operation->stride[axis] = (uint32_t)attributes->stride[axis];
        operation->before[1 + axis] = before;
        operation->after[1 + axis] = after;
    }
    return true;
}

static bool read_convolution(onnx *onnx, const node *node, bool is_transposed) {
    reader *reader = onnx->reader;
    if (node->input_count != 2 && node->input_count != 3)
        return reader_refuse(reader, "has %zu inputs instead of 2 or 3", node->input_count);
    operation *operation = new_operation(onnx, is_transposed ? OPERATOR_DECONVOLUTION : OPERATOR_CONVOLUTION);
    const tensor *input = activation(onnx, &node->inputs[0], &operation->input);
    if (!input) return false;
    const onnx_constant *filter = onnx_find_constant(onnx, &node->inputs[1]);
    if (!filter || filter->rank != 4) return reader_refuse(reader, "its filter is not of constant 32-bit numbers");
    const size_t *shape = filter->dimensions, channels = input->dimensions[3], group = node->attributes.group;
    const size_t rows = shape[2], columns = shape[3], area = rows * columns;
    const bool is_depthwise = !is_transposed && group == channels && group > 1;
    const size_t results = is_transposed ? shape[1] : shape[0];
    const bool fits = is_depthwise ? shape[0] == channels && shape[1] == 1
                                   : group == 1 && shape[is_transposed ? 0 : 1] == channels;
    if (!fits) return reader_refuse(reader, "its filter does not fit its input");
    if (!set_window(onnx, &node->attributes, shape + 2, operation)) return false;
    rearrangement form = {{results, rows, columns, channels}, {channels * area, columns, 1, area}};
    if (is_depthwise) {
        operation->kind = OPERATOR_DEPTHWISE_CONVOLUTION;
        form.sizes[0] = 1;
    } else if (is_transposed) {
        form.steps[0] = area;
        form.steps[3] = results * area;
    }
    size_t sides[2];
    for (size_t axis = 0; axis < 2; ++axis) {
        sides[axis] = result_side(operation, axis, input->dimensions[1 + axis]);
        if (sides[axis] == 0) return reader_refuse(reader, "its window does not fit its input");
    }
    // A transposed convolution multiplies its filter with each number of its input.
    const size_t *places = is_transposed ? input->dimensions + 1 : sides;
    return reader_count(reader, (double)places[0] * (double)places[1] * (double)filter->count)
        && rearrange(onnx, filter, &form, &operation->second) && add_bias(onnx, node, results, &operation->bias)
        && add_result(onnx, node, operation, sides, results);
}

// MARK: What is joined with the operator before

// The operation whose result an operator changes in place. After this the result has the operator's name, and no other
// operator finds it under the old one.
static operation *joined_operation(onnx *onnx, const node *node) {
    model *model = onnx->reader->model;
    onnx_value *value = onnx_find_value(onnx, &node->inputs[0]);
    operation *last = NULL;
    for (size_t index = 0; value && index < model->operation_count; ++index)
        if (model->operations[index].output == value->tensor) last = &model->operations[index];
    // What is limited already can be neither scaled nor limited again.
    if (!last || last->kind == OPERATOR_SIGMOID || last->lowest != -INFINITY || model->tensors[last->output].is_read) {
        reader_refuse(onnx->reader, "cannot be joined with the operator before it");
        return NULL;
    }
    if (protobuf_size(&node->output) < 1 || protobuf_size(&node->output) > ONNX_NAME
        || onnx_find_value(onnx, &node->output) || onnx_find_constant(onnx, &node->output)) {
        reader_refuse(onnx->reader, "its output has a wrong name");
        return NULL;
    }
    value->name = node->output;
    return last;
}

static bool read_relu(onnx *onnx, const node *node) {
    if (node->input_count != 1) return reader_refuse(onnx->reader, "has %zu inputs instead of 1", node->input_count);
    operation *operation = joined_operation(onnx, node);
    if (!operation) return false;
    operation->lowest = 0;
    return true;
}

// Scales and shifts each channel: (x - mean) / √(variance + ε) · scale + shift.
static bool read_normalization(onnx *onnx, const node *node) {
    if (node->input_count != 5) return reader_refuse(onnx->reader, "has %zu inputs instead of 5", node->input_count);
    const operation *operation = joined_operation(onnx, node);
    if (!operation) return false;
    if (operation->kind == OPERATOR_ADD) return reader_refuse(onnx->reader, "does not follow a convolution");
    const model *model = onnx->reader->model;
    const tensor *filter = &model->tensors[operation->second], *bias = &model->tensors[operation->bias];
    const size_t channels = bias->count;
    // A file may have many of these, for the same filter.
    if (!reader_count(onnx->reader, (double)filter->count)) return false;
    const onnx_constant *parameters[4];
    for (size_t index = 0; index < 4; ++index) {
        parameters[index] = vector(onnx, &node->inputs[1 + index], channels);
        if (!parameters[index]) return false;
    }
    for (size_t channel = 0; channel < channels; ++channel) {
        const float mean = value_at(parameters[2], channel), variance = value_at(parameters[3], channel);
        const float scale = value_at(parameters[0], channel) / sqrtf(variance + node->attributes.epsilon);
        bias->weights[channel] = (bias->weights[channel] - mean) * scale + value_at(parameters[1], channel);
        // Channels are the last dimension of a depthwise filter, and the first one of all others.
        const bool is_depthwise = operation->kind == OPERATOR_DEPTHWISE_CONVOLUTION;
        const size_t count = filter->count / channels, step = is_depthwise ? channels : 1;
        float *weights = filter->weights + channel * (is_depthwise ? 1 : count);
        for (size_t index = 0; index < count; ++index) weights[index * step] *= scale;
    }
    return true;
}

// MARK: Other operators

static bool read_add(onnx *onnx, const node *node) {
    reader *reader = onnx->reader;
    if (node->input_count != 2) return reader_refuse(reader, "has %zu inputs instead of 2", node->input_count);
    operation *operation = new_operation(onnx, OPERATOR_ADD);
    const tensor *one = activation(onnx, &node->inputs[0], &operation->input);
    if (!one) return false;
    const tensor *other = activation(onnx, &node->inputs[1], &operation->second);
    if (!other) return false;
    if (memcmp(one->dimensions, other->dimensions, sizeof one->dimensions) != 0)
        return reader_refuse(reader, "its terms differ in shape");
    return add_result(onnx, node, operation, one->dimensions + 1, one->dimensions[3]);
}

static bool read_sigmoid(onnx *onnx, const node *node) {
    if (node->input_count != 1) return reader_refuse(onnx->reader, "has %zu inputs instead of 1", node->input_count);
    operation *operation = new_operation(onnx, OPERATOR_SIGMOID);
    const tensor *input = activation(onnx, &node->inputs[0], &operation->input);
    return input && add_result(onnx, node, operation, input->dimensions + 1, input->dimensions[3]);
}

bool onnx_operation(onnx *onnx, protobuf message) {
    node node = {0};
    if (!read_node(onnx, message, &node)) return false;
    const protobuf *kind = &node.kind;
    const bool is_standard = protobuf_size(&node.domain) == 0 || protobuf_is(&node.domain, "ai.onnx");
    if (is_standard && protobuf_is(kind, "Conv")) return read_convolution(onnx, &node, false);
    if (is_standard && protobuf_is(kind, "ConvTranspose")) return read_convolution(onnx, &node, true);
    if (is_standard && protobuf_is(kind, "Relu")) return read_relu(onnx, &node);
    if (is_standard && protobuf_is(kind, "BatchNormalization")) return read_normalization(onnx, &node);
    if (is_standard && protobuf_is(kind, "Add")) return read_add(onnx, &node);
    if (is_standard && protobuf_is(kind, "Sigmoid")) return read_sigmoid(onnx, &node);
    return reader_refuse(onnx->reader, "is of a kind that Bauta does not support");
}
