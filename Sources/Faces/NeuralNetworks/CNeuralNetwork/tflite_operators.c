#include "tflite.h"

#include <math.h>
#include <stdlib.h>

static bool is_shape(const tensor *tensor, size_t a, size_t b, size_t c, size_t d) {
    const size_t *dimensions = tensor->dimensions;
    return tensor->rank == 4 && dimensions[0] == a && dimensions[1] == b && dimensions[2] == c && dimensions[3] == d;
}

static bool is_vector(const tensor *tensor, size_t count) { return tensor->rank == 1 && tensor->count == count; }

static bool have_equal_shapes(const tensor *one, const tensor *other) {
    return one->rank == other->rank && memcmp(one->dimensions, other->dimensions, sizeof one->dimensions) == 0;
}

// MARK: Inputs

typedef struct operands {
    uint32_t inputs[4];
    size_t count;
    uint32_t output;
} operands;

static bool read_operands(reader *reader, size_t table, operands *operands) {
    flatbuffer *file = &reader->file;
    const flatbuffer_vector inputs = flatbuffer_elements(file, table, 1, 4);
    const flatbuffer_vector outputs = flatbuffer_elements(file, table, 2, 4);
    if (inputs.count < 1 || inputs.count > 4 || outputs.count != 1)
        return reader_refuse(
            reader, "has %zu inputs and %zu outputs, which Bauta does not support", inputs.count, outputs.count);
    for (size_t index = 0; index < inputs.count; ++index)
        operands->inputs[index] = flatbuffer_u32(file, inputs.start + 4 * index);
    operands->count = inputs.count;
    operands->output = flatbuffer_u32(file, outputs.start);
    for (size_t index = 0; index < inputs.count; ++index)
        if (operands->inputs[index] >= reader->model->tensor_count)
            return reader_refuse(reader, "its input %zu does not exist", index);
    if (operands->output >= reader->model->tensor_count) return reader_refuse(reader, "its output does not exist");
    const tensor *output = &reader->model->tensors[operands->output];
    if (output->is_computed || output->data || output->source)
        return reader_refuse(reader, "its output has a value already");
    return true;
}

static tensor *activation(reader *reader, uint32_t index) {
    tensor *tensor = &reader->model->tensors[index];
    if (!tensor->is_computed || tensor->type != ELEMENT_FLOAT32) {
        reader_refuse(reader, "its input is not computed by the operators before it");
        return NULL;
    }
    if (tensor->term_count) {
        reader_refuse(reader, "its input is a concatenation, which Bauta supports as an output of the network only");
        return NULL;
    }
    tensor->is_read = true;
    return tensor;
}

// A constant of 32-bit numbers.
static tensor *weights(reader *reader, uint32_t index) {
    tensor *tensor = &reader->model->tensors[index];
    if (tensor->is_computed || tensor->type != ELEMENT_FLOAT32) {
        reader_refuse(reader, "its weights are not constant 32-bit numbers");
        return NULL;
    }
    return tflite_unpack(reader, tensor) ? tensor : NULL;
}

// The elements of a constant of whole numbers; NULL unless there are `count` of them.
static bool whole_numbers(reader *reader, uint32_t index, size_t count, int32_t *numbers) {
    const tensor *tensor = &reader->model->tensors[index];
    if (!tensor->data || tensor->type != ELEMENT_INT32 || tensor->sparsity || tensor->count != count
        || tensor->size != 4 * count)
        return reader_refuse(reader, "its parameters are not %zu constant whole numbers", count);
    memcpy(numbers, tensor->data, 4 * count);
    return true;
}

// MARK: Options

// The limits of a fused activation function.
static bool read_limits(reader *reader, size_t options, unsigned field, operation *operation) {
    const uint8_t function = options ? flatbuffer_byte(&reader->file, options, field) : 0;
    operation->lowest = function == 0 ? -INFINITY : 0;
    operation->highest = function == 3 ? 6 : INFINITY;
    return function == 0 || function == 1 || function == 3
        || reader_refuse(reader, "its activation function %u is unknown", function);
}

static bool read_stride(reader *reader, size_t options, operation *operation) {
    flatbuffer *file = &reader->file;
    const uint8_t padding = flatbuffer_byte(file, options, 0);
    const int32_t across = flatbuffer_int(file, options, 1, 0), down = flatbuffer_int(file, options, 2, 0);
    if (padding > 1 || across < 1 || across > LARGEST_KERNEL || down < 1 || down > LARGEST_KERNEL)
        return reader_refuse(reader, "its padding or its stride is unknown");
    operation->is_same_padding = padding == 0;
    operation->stride[0] = (uint32_t)down;
    operation->stride[1] = (uint32_t)across;
    return true;
}

static bool has_dilation(reader *reader, size_t options, unsigned field) {
    return flatbuffer_int(&reader->file, options, field, 1) != 1
        || flatbuffer_int(&reader->file, options, field + 1, 1) != 1;
}

// The shape of the result of a window that is moved over the input.
static bool check_window(reader *reader, const tensor *input, const operation *operation, size_t channels) {
    const tensor *output = &reader->model->tensors[operation->output];
    size_t sides[2];
    for (size_t axis = 0; axis < 2; ++axis) {
        const size_t side = input->dimensions[1 + axis], kernel = operation->kernel[axis];
        const size_t stride = operation->stride[axis];
        if (kernel > LARGEST_KERNEL || (!operation->is_same_padding && kernel > side))
            return reader_refuse(reader, "its window is too large");
        sides[axis] = operation->is_same_padding ? (side + stride - 1) / stride : (side - kernel) / stride + 1;
    }
    return is_shape(output, 1, sides[0], sides[1], channels) || reader_refuse(reader, "its output has the wrong shape");
}

// MARK: Operators

static bool read_convolution(reader *reader, const operands *operands, size_t options, operation *operation) {
    const bool is_depthwise = operation->kind == OPERATOR_DEPTHWISE_CONVOLUTION;
    if (operands->count != 3 || !options) return reader_refuse(reader, "has no filter, no bias or no options");
    const tensor *input = activation(reader, operands->inputs[0]);
    if (!input) return false;
    const tensor *filter = weights(reader, operands->inputs[1]);
    if (!filter) return false;
    const tensor *bias = weights(reader, operands->inputs[2]);
    if (!bias) return false;
    if (!read_stride(reader, options, operation) || !read_limits(reader, options, is_depthwise ? 4 : 3, operation))
        return false;
    if (has_dilation(reader, options, is_depthwise ? 5 : 4)
        || (is_depthwise && flatbuffer_int(&reader->file, options, 3, 0) != 1))
        return reader_refuse(reader, "has a dilation or a depth multiplier, which Bauta does not support");
    const size_t *sides = filter->dimensions, channels = input->dimensions[3];
    const size_t results = is_depthwise ? channels : sides[0];
    const bool fits = input->rank == 4 && input->dimensions[0] == 1 && filter->rank == 4 && sides[3] == channels
        && (!is_depthwise || sides[0] == 1) && is_vector(bias, results);
    if (!fits) return reader_refuse(reader, "its filter does not fit its input");
    operation->second = operands->inputs[1];
    operation->bias = operands->inputs[2];
    operation->kernel[0] = (uint32_t)sides[1];
    operation->kernel[1] = (uint32_t)sides[2];
    if (!check_window(reader, input, operation, results)) return false;
    const tensor *output = &reader->model->tensors[operation->output];
    return reader_count(
        reader, (double)output->count * (double)(sides[1] * sides[2]) * (is_depthwise ? 1 : (double)channels));
}

static bool read_max_pool(reader *reader, const tensor *input, size_t options, operation *operation) {
    if (!options || !read_stride(reader, options, operation) || !read_limits(reader, options, 5, operation))
        return options != 0 || reader_refuse(reader, "has no options"), false;
    const int32_t across = flatbuffer_int(&reader->file, options, 3, 0);
    const int32_t down = flatbuffer_int(&reader->file, options, 4, 0);
    if (input->rank != 4 || input->dimensions[0] != 1 || across < 1 || down < 1)
        return reader_refuse(reader, "its window does not fit its input");
    operation->kernel[0] = (uint32_t)down;
    operation->kernel[1] = (uint32_t)across;
    return check_window(reader, input, operation, input->dimensions[3]);
}

// One window as large as the input, of which the mean is taken.
static bool set_whole_window(reader *reader, const tensor *input, operation *operation) {
    const size_t *sides = input->dimensions;
    if (input->rank != 4 || sides[0] != 1 || sides[1] > LARGEST_MEAN || sides[2] > LARGEST_MEAN
        || sides[1] * sides[2] < 2)
        return reader_refuse(reader, "is not the mean over rows and columns");
    for (size_t axis = 0; axis < 2; ++axis) operation->kernel[axis] = operation->stride[axis] = (uint32_t)sides[1 + axis];
    // XNNPACK keeps a pointer for each place in the window.
    return reader_count_weights(reader, 2 * sides[1] * sides[2]) && reader_count(reader, (double)input->count);
}

static bool read_average_pool(reader *reader, const tensor *input, size_t options, operation *operation) {
    if (!options) return reader_refuse(reader, "has no options");
    if (!read_limits(reader, options, 5, operation)) return false;
    const int32_t across = flatbuffer_int(&reader->file, options, 3, 0);
    const int32_t down = flatbuffer_int(&reader->file, options, 4, 0);
    // Of one window there is one mean, whatever padding and stride.
    if (input->rank != 4 || down < 1 || across < 1 || (size_t)down != input->dimensions[1]
        || (size_t)across != input->dimensions[2])
        return reader_refuse(reader, "is not the mean over rows and columns");
    if (!set_whole_window(reader, input, operation)) return false;
    return is_shape(&reader->model->tensors[operation->output], 1, 1, 1, input->dimensions[3])
        || reader_refuse(reader, "its output has the wrong shape");
}

// The mean over all rows and columns.
static bool read_mean(reader *reader, const operands *operands, const tensor *input, operation *operation) {
    int32_t axes[2];
    if (operands->count != 2 || !whole_numbers(reader, operands->inputs[1], 2, axes))
        return operands->count == 2 || reader_refuse(reader, "has no axes"), false;
    if (axes[0] != 1 || axes[1] != 2) return reader_refuse(reader, "is not the mean over rows and columns");
    if (!set_whole_window(reader, input, operation)) return false;
    tensor *output = &reader->model->tensors[operation->output];
    const size_t channels = input->dimensions[3];
    if (output->count != channels || output->dimensions[output->rank - 1] != channels)
        return reader_refuse(reader, "its output has the wrong shape");
    // XNNPACK keeps the dimensions that the file may leave out.
    output->rank = 4;
    for (size_t axis = 0; axis < 3; ++axis) output->dimensions[axis] = 1;
    output->dimensions[3] = channels;
    operation->lowest = -INFINITY;
    operation->highest = INFINITY;
    return true;
}

static bool read_fully_connected(
    reader *reader, const operands *operands, const tensor *input, size_t options, operation *operation) {
    if (operands->count != 3 || !options) return reader_refuse(reader, "has no filter, no bias or no options");
    const tensor *filter = weights(reader, operands->inputs[1]);
    if (!filter) return false;
    const tensor *bias = weights(reader, operands->inputs[2]);
    if (!bias) return false;
    if (flatbuffer_byte(&reader->file, options, 1))
        return reader_refuse(reader, "the order of its weights is one that Bauta does not support");
    const tensor *output = &reader->model->tensors[operation->output];
    const size_t *sides = filter->dimensions;
    const bool fits = filter->rank == 2 && sides[1] == input->count && input->dimensions[input->rank - 1] == sides[1]
        && is_vector(bias, sides[0]) && output->rank == 2 && output->dimensions[0] == 1
        && output->dimensions[1] == sides[0];
    if (!fits) return reader_refuse(reader, "its filter does not fit its input or its output");
    operation->second = operands->inputs[1];
    operation->bias = operands->inputs[2];
    return read_limits(reader, options, 0, operation) && reader_count(reader, (double)filter->count);
}

// Nothing is computed: the network has the terms as outputs instead.
static bool read_concatenation(reader *reader, const operands *operands, size_t options) {
    tensor *output = &reader->model->tensors[operands->output];
    const int32_t axis = options ? flatbuffer_int(&reader->file, options, 0, 0) : 0;
    if (output->type != ELEMENT_FLOAT32 || axis < 0 || (size_t)axis >= output->rank || operands->count > MODEL_TERMS
        || (options && flatbuffer_byte(&reader->file, options, 1)))
        return reader_refuse(reader, "concatenates in a way that Bauta does not support");
    size_t length = 0;
    for (size_t index = 0; index < operands->count; ++index) {
        const tensor *term = activation(reader, operands->inputs[index]);
        if (!term) return false;
        bool fits = term->rank == output->rank;
        for (size_t other = 0; fits && other < term->rank; ++other)
            fits = other == (size_t)axis || term->dimensions[other] == output->dimensions[other];
        if (!fits) return reader_refuse(reader, "its terms differ in shape");
        length += term->dimensions[axis];
        output->terms[index] = operands->inputs[index];
    }
    if (length != output->dimensions[axis]) return reader_refuse(reader, "its output has the wrong shape");
    output->term_count = operands->count;
    output->is_computed = true;
    return true;
}

static bool read_pad(reader *reader, const operands *operands, const tensor *input, operation *operation) {
    const tensor *output = &reader->model->tensors[operation->output];
    int32_t numbers[2 * CNEURALNETWORK_RANK];
    if (operands->count != 2 || !whole_numbers(reader, operands->inputs[1], 2 * input->rank, numbers))
        return operands->count == 2 || reader_refuse(reader, "has no paddings"), false;
    for (size_t index = 0; index < input->rank; ++index) {
        const int32_t before = numbers[2 * index], after = numbers[2 * index + 1];
        if (before < 0 || after < 0 || before > MODEL_SIDE || after > MODEL_SIDE || output->rank != input->rank
            || output->dimensions[index] != input->dimensions[index] + (size_t)before + (size_t)after)
            return reader_refuse(reader, "its paddings do not fit its output");
        operation->before[index] = (size_t)before;
        operation->after[index] = (size_t)after;
    }
    return true;
}

static bool read_resize(
    reader *reader, const operands *operands, const tensor *input, size_t options, operation *operation) {
    const tensor *output = &reader->model->tensors[operation->output];
    int32_t sides[2];
    if (operands->count != 2 || !options) return reader_refuse(reader, "has no size or no options");
    if (!whole_numbers(reader, operands->inputs[1], 2, sides)) return false;
    if (flatbuffer_byte(&reader->file, options, 2) || !flatbuffer_byte(&reader->file, options, 3))
        return reader_refuse(reader, "aligns pixels in a way that Bauta does not support");
    const bool fits = input->rank == 4 && input->dimensions[0] == 1 && sides[0] > 0 && sides[1] > 0
        && is_shape(output, 1, (size_t)sides[0], (size_t)sides[1], input->dimensions[3]);
    return fits || reader_refuse(reader, "its output has the wrong shape");
}

static bool read_depth_to_space(reader *reader, const tensor *input, size_t options, operation *operation) {
    const tensor *output = &reader->model->tensors[operation->output];
    const int32_t block = options ? flatbuffer_int(&reader->file, options, 0, 0) : 0;
    if (block < 2 || block > LARGEST_KERNEL) return reader_refuse(reader, "its block size is %d", block);
    operation->block = (uint32_t)block;
    const size_t side = (size_t)block, *sides = input->dimensions;
    const bool fits = input->rank == 4 && sides[3] % (side * side) == 0
        && is_shape(output, 1, sides[1] * side, sides[2] * side, sides[3] / (side * side)) && sides[0] == 1;
    return fits || reader_refuse(reader, "its output has the wrong shape");
}

static bool read_add(reader *reader, const operands *operands, const tensor *input, size_t options, operation *operation) {
    if (operands->count != 2) return reader_refuse(reader, "does not have two terms");
    const tensor *second = activation(reader, operands->inputs[1]);
    if (!second) return false;
    operation->second = operands->inputs[1];
    const bool fits = have_equal_shapes(input, second)
        && have_equal_shapes(input, &reader->model->tensors[operation->output]);
    return fits ? read_limits(reader, options, 0, operation) : reader_refuse(reader, "its terms differ in shape");
}

// Of two tensors of one shape, or of one with a factor, or a factor for each channel. The second may be constant.
static bool read_multiply(
    reader *reader, const operands *operands, const tensor *input, size_t options, operation *operation) {
    if (operands->count != 2) return reader_refuse(reader, "does not have two factors");
    const uint32_t index = operands->inputs[1];
    const bool is_constant = !reader->model->tensors[index].is_computed;
    const tensor *second = is_constant ? weights(reader, index) : activation(reader, index);
    if (!second) return false;
    operation->second = index;
    const bool is_of_channels = input->rank == 4 && is_shape(second, 1, 1, 1, input->dimensions[3]);
    const bool fits = (have_equal_shapes(input, second) || is_of_channels || (is_constant && is_vector(second, 1)))
        && have_equal_shapes(input, &reader->model->tensors[operation->output]);
    return fits ? read_limits(reader, options, 0, operation) : reader_refuse(reader, "its factors differ in shape");
}

// Only of a whole tensor, which is its copy.
static bool read_slice(reader *reader, const operands *operands, const tensor *input, size_t options, operation *operation) {
    enum { MASKS = 5 };
    int32_t begin[CNEURALNETWORK_RANK], end[CNEURALNETWORK_RANK], stride[CNEURALNETWORK_RANK];
    if (operands->count != 4) return reader_refuse(reader, "has no beginning, no end or no stride");
    if (!whole_numbers(reader, operands->inputs[1], input->rank, begin)
        || !whole_numbers(reader, operands->inputs[2], input->rank, end)
        || !whole_numbers(reader, operands->inputs[3], input->rank, stride))
        return false;
    bool is_whole = have_equal_shapes(input, &reader->model->tensors[operation->output]);
    for (size_t axis = 0; axis < input->rank; ++axis)
        is_whole = is_whole && begin[axis] == 0 && end[axis] == (int32_t)input->dimensions[axis] && stride[axis] == 1;
    for (unsigned mask = 0; options && mask < MASKS; ++mask)
        is_whole = is_whole && flatbuffer_int(&reader->file, options, mask, 0) == 0;
    if (options && flatbuffer_byte(&reader->file, options, MASKS)) is_whole = false;
    operation->kind = OPERATOR_RESHAPE;
    return is_whole || reader_refuse(reader, "does not slice the whole tensor");
}

// The operators that crop.h describes.
static bool read_crop(reader *reader, const operands *operands, size_t table, operation *operation) {
    if (operands->count != (operation->kind == OPERATOR_CROP_MATRIX ? 1 : 2))
        return reader_refuse(reader, "has the wrong number of inputs");
    const tensor *second = NULL;
    if (operands->count == 2) {
        second = activation(reader, operands->inputs[1]);
        if (!second) return false;
        operation->second = operands->inputs[1];
    }
    return tflite_crop_operation(reader, second, table, operation);
}

// MediaPipe's transposed convolution with a bias. Only one whose windows lie side by side is known.
static bool read_deconvolution(
    reader *reader, const operands *operands, const tensor *input, size_t table, operation *operation) {
    // Padding, and the stride across and down.
    enum { NUMBERS = 3 };
    const flatbuffer_vector options = flatbuffer_elements(&reader->file, table, 5, 1);
    const uint8_t *bytes = flatbuffer_at(&reader->file, options.start, options.count);
    if (operands->count != 3 || !bytes || options.count != NUMBERS * sizeof(int32_t))
        return reader_refuse(reader, "has no filter, no bias or no options");
    int32_t numbers[NUMBERS];
    memcpy(numbers, bytes, sizeof numbers);
    const tensor *filter = weights(reader, operands->inputs[1]);
    if (!filter) return false;
    const tensor *bias = weights(reader, operands->inputs[2]);
    if (!bias) return false;
    const tensor *output = &reader->model->tensors[operation->output];
    const size_t *shape = filter->dimensions, *sides = input->dimensions;
    const bool is_known = filter->rank == 4 && shape[1] <= LARGEST_KERNEL && shape[2] <= LARGEST_KERNEL
        && numbers[2] > 0 && (size_t)numbers[2] == shape[1] && numbers[1] > 0 && (size_t)numbers[1] == shape[2];
    if (!is_known) return reader_refuse(reader, "its windows do not lie side by side");
    const bool fits = input->rank == 4 && sides[0] == 1 && shape[3] == sides[3] && is_vector(bias, shape[0])
        && is_shape(output, 1, sides[1] * shape[1], sides[2] * shape[2], shape[0]);
    if (!fits) return reader_refuse(reader, "its filter does not fit its input or its output");
    operation->kind = OPERATOR_DECONVOLUTION;
    operation->second = operands->inputs[1];
    operation->bias = operands->inputs[2];
    for (size_t axis = 0; axis < 2; ++axis) operation->kernel[axis] = operation->stride[axis] = (uint32_t)shape[1 + axis];
    operation->lowest = -INFINITY;
    operation->highest = INFINITY;
    return reader_count(reader, (double)output->count * (double)sides[3]);
}

static bool read_prelu(reader *reader, const operands *operands, const tensor *input, operation *operation) {
    if (operands->count != 2) return reader_refuse(reader, "has no slopes");
    const tensor *slopes = weights(reader, operands->inputs[1]);
    if (!slopes) return false;
    operation->second = operands->inputs[1];
    const size_t channels = input->dimensions[input->rank - 1];
    const bool fits = input->rank == 4 && slopes->count == channels && slopes->dimensions[slopes->rank - 1] == channels
        && have_equal_shapes(input, &reader->model->tensors[operation->output]);
    return fits || reader_refuse(reader, "its slopes do not fit its input");
}

// Half precision to single precision, or sparse to dense: of constants, and done when they are needed.
static bool read_unpacking(reader *reader, const operands *operands, operator_kind kind) {
    const tensor *input = &reader->model->tensors[operands->inputs[0]];
    tensor *output = &reader->model->tensors[operands->output];
    const element_type type = kind == OPERATOR_DEQUANTIZE ? ELEMENT_FLOAT32 : input->type;
    const bool is_known = operands->count == 1 && !input->is_computed && (input->data || input->source)
        && input->type != ELEMENT_INT32 && output->type == type && have_equal_shapes(input, output)
        && (kind == OPERATOR_DEQUANTIZE ? input->type == ELEMENT_FLOAT16 : input->sparsity != 0);
    if (!is_known) return reader_refuse(reader, "does not unpack constants");
    output->source = input;
    return true;
}

bool tflite_operation(reader *reader, operator_kind kind, size_t table) {
    operands operands = {0};
    if (!read_operands(reader, table, &operands)) return false;
    if (kind == OPERATOR_DEQUANTIZE || kind == OPERATOR_DENSIFY) return read_unpacking(reader, &operands, kind);
    if (kind == OPERATOR_CONCATENATION)
        return read_concatenation(reader, &operands, flatbuffer_table(&reader->file, table, 4));
    operation *operation = &reader->model->operations[reader->model->operation_count];
    *operation = (struct operation){.kind = kind, .input = operands.inputs[0], .output = operands.output};
    tensor *output = &reader->model->tensors[operands.output];
    if (output->type != ELEMENT_FLOAT32) return reader_refuse(reader, "its output is not of 32-bit numbers");
    const size_t options = flatbuffer_table(&reader->file, table, 4);
    const tensor *input = activation(reader, operation->input);
    if (!input) return false;
    bool is_good;
    switch (kind) {
    case OPERATOR_CONVOLUTION:
    case OPERATOR_DEPTHWISE_CONVOLUTION: is_good = read_convolution(reader, &operands, options, operation); break;
    case OPERATOR_ADD: is_good = read_add(reader, &operands, input, options, operation); break;
    case OPERATOR_PRELU: is_good = read_prelu(reader, &operands, input, operation); break;
    case OPERATOR_MAX_POOL: is_good = read_max_pool(reader, input, options, operation); break;
    case OPERATOR_MULTIPLY: is_good = read_multiply(reader, &operands, input, options, operation); break;
    case OPERATOR_CUSTOM: is_good = read_deconvolution(reader, &operands, input, table, operation); break;
    case OPERATOR_CROP_MATRIX:
    case OPERATOR_CROP:
    case OPERATOR_LEAVE_CROP: is_good = read_crop(reader, &operands, table, operation); break;
    case OPERATOR_STRIDED_SLICE: is_good = read_slice(reader, &operands, input, options, operation); break;
    case OPERATOR_AVERAGE_POOL: is_good = read_average_pool(reader, input, options, operation); break;
    case OPERATOR_MEAN: is_good = read_mean(reader, &operands, input, operation); break;
    case OPERATOR_FULLY_CONNECTED: is_good = read_fully_connected(reader, &operands, input, options, operation); break;
    case OPERATOR_SIGMOID:
    case OPERATOR_RELU:
    case OPERATOR_HARD_SWISH:
        is_good = have_equal_shapes(input, output) || reader_refuse(reader, "its output has the wrong shape");
        break;
    case OPERATOR_PAD: is_good = read_pad(reader, &operands, input, operation); break;
    case OPERATOR_RESIZE_BILINEAR: is_good = read_resize(reader, &operands, input, options, operation); break;
    case OPERATOR_DEPTH_TO_SPACE: is_good = read_depth_to_space(reader, input, options, operation); break;
    case OPERATOR_RESHAPE:
        is_good = input->count == output->count || reader_refuse(reader, "changes the number of elements");
        break;
    default: return reader_refuse(reader, "is of kind %d, which Bauta does not support", (int)kind);
    }
    if (!is_good) {
        // It does not count yet, so that nothing else releases it.
        free(operation->crop);
        return false;
    }
    output->is_computed = true;
    reader->model->operation_count += 1;
    return true;
}
