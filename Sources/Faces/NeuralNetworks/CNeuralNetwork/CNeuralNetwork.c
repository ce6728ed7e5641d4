#include "CNeuralNetwork.h"

#include "crop.h"
#include "model.h"
#include "sampling.h"

#include <CDynamicLibrary.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <xnnpack.h>

#define FUNCTIONS(F) \
    F(xnn_initialize) F(xnn_create_subgraph) F(xnn_delete_subgraph) F(xnn_define_tensor_value) \
    F(xnn_define_convolution_2d) F(xnn_define_depthwise_convolution_2d) F(xnn_define_deconvolution_2d) \
    F(xnn_define_depth_to_space) F(xnn_define_sigmoid) F(xnn_define_fully_connected) F(xnn_define_average_pooling_2d) \
    F(xnn_define_max_pooling_2d) F(xnn_define_add2) F(xnn_define_static_constant_pad) F(xnn_define_static_reshape) \
    F(xnn_define_static_resize_bilinear_2d) F(xnn_define_prelu) F(xnn_define_multiply2) F(xnn_define_clamp) \
    F(xnn_define_hardswish) F(xnn_create_runtime_v2) F(xnn_setup_runtime) \
    F(xnn_invoke_runtime) F(xnn_delete_runtime)

CDYNAMICLIBRARY(FUNCTIONS, "libXNNPACK.so.0", "libXNNPACK.so.0.20241108")

// A crop operator of a network; `phase` as in model.h.
typedef struct crop_step {
    operator_kind kind;
    uint32_t phase;
    crop_options *options;
    size_t input, second, output;  // kept tensors
} crop_step;

struct cneuralnetwork {
    xnn_runtime_t runtimes[MODEL_PHASES];  // NULL in phases in which XNNPACK has nothing to do
    crop_step *crops;
    size_t crop_count;
    cneuralnetwork_tensor *kept;  // inputs, outputs, and what more than one phase uses
    size_t kept_count;
    size_t input_count, output_count;
    // All constants that XNNPACK was given. It must find them as long as the runtime exists: newer versions read slopes
    // where they lie.
    float **constants;
    size_t constant_count;
    sampling_scratch scratch;
};

bool cneuralnetwork_is_installed(void) { return is_available(); }

bool cneuralnetwork_is_available(void) {
    return is_available() && library.xnn_initialize(NULL) == xnn_status_success;
}

// MARK: Building

typedef struct builder {
    const model *model;
    uint32_t *kept;    // the place of each tensor among the kept ones, which is also its ID in XNNPACK's graphs
    size_t kept_count;
    xnn_subgraph_t graph;
    uint32_t phase;    // of the graph
    uint32_t *values;  // XNNPACK's ID of each tensor
} builder;

static bool define_value(builder *builder, uint32_t index, bool is_flat) {
    uint32_t *value = &builder->values[index];
    if (*value != XNN_INVALID_VALUE_ID) return true;
    const tensor *tensor = &builder->model->tensors[index];
    if (tensor->is_kept) {
        const bool is_result = tensor->phase == builder->phase && builder->kept[index] >= builder->model->input_count;
        return library.xnn_define_tensor_value(
                   builder->graph, xnn_datatype_fp32, tensor->rank, tensor->dimensions, NULL, builder->kept[index],
                   is_result ? XNN_VALUE_FLAG_EXTERNAL_OUTPUT : XNN_VALUE_FLAG_EXTERNAL_INPUT, value)
            == xnn_status_success;
    }
    // Slopes have leading dimensions of 1 in the file, and none in XNNPACK.
    const size_t *dimensions = is_flat ? &tensor->count : tensor->dimensions;
    return library.xnn_define_tensor_value(
               builder->graph, xnn_datatype_fp32, is_flat ? 1 : tensor->rank, dimensions, tensor->weights,
               XNN_INVALID_VALUE_ID, 0, value)
        == xnn_status_success;
}

static enum xnn_status define_convolution(const builder *builder, const operation *operation) {
    const tensor *tensors = builder->model->tensors;
    const uint32_t *values = builder->values, *kernel = operation->kernel, *stride = operation->stride;
    const uint32_t input = values[operation->input], filter = values[operation->second];
    const uint32_t bias = values[operation->bias], output = values[operation->output];
    const uint32_t flags = operation->is_same_padding ? XNN_FLAG_TENSORFLOW_SAME_PADDING : 0;
    const size_t channels = tensors[operation->input].dimensions[3];
    const size_t results = tensors[operation->output].dimensions[3];
    const uint32_t top = (uint32_t)operation->before[1], left = (uint32_t)operation->before[2];
    const uint32_t bottom = (uint32_t)operation->after[1], right = (uint32_t)operation->after[2];
    if (operation->kind == OPERATOR_DEPTHWISE_CONVOLUTION)
        return library.xnn_define_depthwise_convolution_2d(
            builder->graph, top, right, bottom, left, kernel[0], kernel[1], stride[0], stride[1], 1, 1, 1, channels,
            operation->lowest, operation->highest, input, filter, bias, output, flags);
    if (operation->kind == OPERATOR_DECONVOLUTION)
        return library.xnn_define_deconvolution_2d(
            builder->graph, top, right, bottom, left, 0, 0, kernel[0], kernel[1], stride[0], stride[1], 1, 1, 1,
            channels, results, operation->lowest, operation->highest, input, filter, bias, output, 0);
    return library.xnn_define_convolution_2d(
        builder->graph, top, right, bottom, left, kernel[0], kernel[1], stride[0], stride[1], 1, 1, 1, channels,
        results, operation->lowest, operation->highest, input, filter, bias, output, flags);
}

static enum xnn_status define_operation(const builder *builder, const operation *operation) {
    const xnn_subgraph_t graph = builder->graph;
    const uint32_t *values = builder->values, input = values[operation->input], output = values[operation->output];
    const tensor *result = &builder->model->tensors[operation->output];
    switch (operation->kind) {
    case OPERATOR_CONVOLUTION:
    case OPERATOR_DEPTHWISE_CONVOLUTION:
    case OPERATOR_DECONVOLUTION: return define_convolution(builder, operation);
    case OPERATOR_ADD:
        return library.xnn_define_add2(
            graph, operation->lowest, operation->highest, input, values[operation->second], output, 0);
    case OPERATOR_MULTIPLY:
        return library.xnn_define_multiply2(
            graph, operation->lowest, operation->highest, input, values[operation->second], output, 0);
    case OPERATOR_RELU: return library.xnn_define_clamp(graph, 0, INFINITY, input, output, 0);
    case OPERATOR_HARD_SWISH: return library.xnn_define_hardswish(graph, input, output, 0);
    case OPERATOR_SIGMOID: return library.xnn_define_sigmoid(graph, input, output, 0);
    case OPERATOR_PRELU: return library.xnn_define_prelu(graph, input, values[operation->second], output, 0);
    case OPERATOR_MAX_POOL:
        return library.xnn_define_max_pooling_2d(
            graph, 0, 0, 0, 0, operation->kernel[0], operation->kernel[1], operation->stride[0], operation->stride[1],
            1, 1, operation->lowest, operation->highest, input, output,
            operation->is_same_padding ? XNN_FLAG_TENSORFLOW_SAME_PADDING : 0);
    case OPERATOR_AVERAGE_POOL:
    case OPERATOR_MEAN:
        return library.xnn_define_average_pooling_2d(
            graph, 0, 0, 0, 0, operation->kernel[0], operation->kernel[1], operation->stride[0], operation->stride[1],
            operation->lowest, operation->highest, input, output, 0);
    case OPERATOR_FULLY_CONNECTED:
        return library.xnn_define_fully_connected(
            graph, operation->lowest, operation->highest, input, values[operation->second], values[operation->bias],
            output, XNN_FLAG_TENSORFLOW_RESHAPE_2D);
    case OPERATOR_PAD:
        return library.xnn_define_static_constant_pad(
            graph, operation->before, operation->after, 0, input, output, 0);
    case OPERATOR_RESIZE_BILINEAR:
        return library.xnn_define_static_resize_bilinear_2d(
            graph, result->dimensions[1], result->dimensions[2], input, output, 0);
    case OPERATOR_DEPTH_TO_SPACE: return library.xnn_define_depth_to_space(graph, input, output, operation->block, 0);
    case OPERATOR_RESHAPE:
        return library.xnn_define_static_reshape(graph, result->rank, result->dimensions, input, output, 0);
    default: return xnn_status_unsupported_parameter;
    }
}

// Defines the operators of the phase.
static bool define(builder *builder, char *message) {
    for (size_t index = 0; index < builder->model->operation_count; ++index) {
        const operation *operation = &builder->model->operations[index];
        if (operation->phase != builder->phase) continue;
        const bool is_defined = define_value(builder, operation->input, false)
            && (!has_second(operation->kind)
                || define_value(builder, operation->second, operation->kind == OPERATOR_PRELU))
            && (!has_filter(operation->kind) || define_value(builder, operation->bias, false))
            && define_value(builder, operation->output, false);
        if (is_defined && define_operation(builder, operation) == xnn_status_success) continue;
        snprintf(message, CNEURALNETWORK_MESSAGE, "XNNPACK refuses an operator of kind %d", (int)operation->kind);
        return false;
    }
    return true;
}

// MARK: Loading

// Gives a place among the kept tensors, and memory, to a tensor that has none yet.
static bool keep(cneuralnetwork *network, builder *builder, uint32_t index) {
    if (builder->kept[index] != XNN_INVALID_VALUE_ID) return true;
    const tensor *tensor = &builder->model->tensors[index];
    builder->kept[index] = (uint32_t)network->kept_count;
    cneuralnetwork_tensor *kept = &network->kept[network->kept_count++];
    kept->count = tensor->count;
    kept->rank = tensor->rank;
    for (size_t axis = 0; axis < tensor->rank; ++axis) kept->dimensions[axis] = tensor->dimensions[axis];
    // XNNPACK may read a little beyond the end.
    kept->values = calloc(1, tensor->count * sizeof *kept->values + XNN_EXTRA_BYTES);
    return kept->values;
}

static bool keep_all(cneuralnetwork *network, builder *builder) {
    const model *model = builder->model;
    network->input_count = model->input_count;
    network->output_count = model->output_count;
    network->kept = calloc(model->tensor_count, sizeof *network->kept);
    if (!network->kept) return false;
    for (size_t index = 0; index < model->input_count; ++index)
        if (!keep(network, builder, model->inputs[index])) return false;
    for (size_t index = 0; index < model->output_count; ++index)
        if (!keep(network, builder, model->outputs[index])) return false;
    for (size_t index = 0; index < model->tensor_count; ++index)
        if (model->tensors[index].is_kept && !keep(network, builder, (uint32_t)index)) return false;
    return true;
}

// The crop operators, whose options the network takes over.
static bool take_crops(cneuralnetwork *network, const builder *builder, model *model) {
    network->crops = calloc(model->operation_count, sizeof *network->crops);
    if (!network->crops) return false;
    for (size_t index = 0; index < model->operation_count; ++index) {
        operation *operation = &model->operations[index];
        if (!is_crop_operator(operation->kind)) continue;
        crop_step *step = &network->crops[network->crop_count++];
        *step = (crop_step){
            .kind = operation->kind, .phase = operation->phase, .options = operation->crop,
            .input = builder->kept[operation->input], .output = builder->kept[operation->output]};
        if (has_second(operation->kind)) step->second = builder->kept[operation->second];
        operation->crop = NULL;
    }
    return true;
}

static bool has_work(const model *model, uint32_t phase) {
    for (size_t index = 0; index < model->operation_count; ++index)
        if (model->operations[index].phase == phase) return true;
    return false;
}

static bool create_runtime(cneuralnetwork *network, builder *builder, char *message) {
    xnn_runtime_t *runtime = &network->runtimes[builder->phase];
    const size_t count = network->kept_count;
    for (size_t index = 0; index < builder->model->tensor_count; ++index) builder->values[index] = XNN_INVALID_VALUE_ID;
    if (library.xnn_create_subgraph((uint32_t)count, 0, &builder->graph) != xnn_status_success) return false;
    if (!define(builder, message)) return false;
    if (library.xnn_create_runtime_v2(builder->graph, NULL, 0, runtime) != xnn_status_success) return false;
    struct xnn_external_value *ends = calloc(count, sizeof *ends);
    if (!ends) return false;
    size_t end_count = 0;
    for (size_t index = 0; index < builder->model->tensor_count; ++index) {
        const uint32_t kept = builder->kept[index];
        if (kept == XNN_INVALID_VALUE_ID || builder->values[index] == XNN_INVALID_VALUE_ID) continue;
        ends[end_count++] = (struct xnn_external_value){kept, network->kept[kept].values};
    }
    const bool is_set_up = library.xnn_setup_runtime(*runtime, end_count, ends) == xnn_status_success;
    free(ends);
    return is_set_up;
}

static bool create_runtimes(cneuralnetwork *network, builder *builder, char *message) {
    for (builder->phase = 0; builder->phase < MODEL_PHASES; builder->phase += 2) {
        if (!has_work(builder->model, builder->phase)) continue;
        const bool is_created = create_runtime(network, builder, message);
        if (builder->graph) library.xnn_delete_subgraph(builder->graph);
        builder->graph = NULL;
        if (!is_created) return false;
    }
    return true;
}

// The network takes over the constants of the model, which XNNPACK has been given.
static void take_constants(cneuralnetwork *network, model *model) {
    for (size_t index = 0; index < model->tensor_count; ++index) {
        tensor *tensor = &model->tensors[index];
        if (!tensor->weights) continue;
        network->constants[network->constant_count++] = tensor->weights;
        tensor->weights = NULL;
    }
}

static bool build(cneuralnetwork *network, model *model, char *message) {
    snprintf(message, CNEURALNETWORK_MESSAGE, "XNNPACK refuses the network, or there is not enough memory");
    network->constants = calloc(model->tensor_count, sizeof *network->constants);
    builder builder = {.model = model};
    builder.values = malloc(model->tensor_count * sizeof *builder.values);
    builder.kept = malloc(model->tensor_count * sizeof *builder.kept);
    bool is_built = network->constants && builder.values && builder.kept;
    if (is_built) {
        for (size_t index = 0; index < model->tensor_count; ++index) builder.kept[index] = XNN_INVALID_VALUE_ID;
        is_built = keep_all(network, &builder) && take_crops(network, &builder, model)
            && create_runtimes(network, &builder, message);
        // Also after a failure: a runtime may exist.
        take_constants(network, model);
    }
    free(builder.values);
    free(builder.kept);
    return is_built;
}

cneuralnetwork *cneuralnetwork_load(const void *bytes, size_t size, const size_t input_size[2], char *message) {
    if (!cneuralnetwork_is_available()) {
        snprintf(message, CNEURALNETWORK_MESSAGE, "XNNPACK (see 'bauta doctor') is missing");
        return NULL;
    }
    model model;
    cneuralnetwork *network = NULL;
    if (model_read(&model, bytes, size, input_size, message)) {
        network = calloc(1, sizeof *network);
        if (!network) snprintf(message, CNEURALNETWORK_MESSAGE, "there is not enough memory");
        if (network && !build(network, &model, message)) {
            cneuralnetwork_destroy(network);
            network = NULL;
        }
    }
    model_release(&model);
    return network;
}

void cneuralnetwork_destroy(cneuralnetwork *network) {
    for (size_t phase = 0; phase < MODEL_PHASES; ++phase)
        if (network->runtimes[phase]) library.xnn_delete_runtime(network->runtimes[phase]);
    for (size_t index = 0; index < network->kept_count; ++index) free(network->kept[index].values);
    free(network->kept);
    for (size_t index = 0; index < network->crop_count; ++index) free(network->crops[index].options);
    free(network->crops);
    for (size_t index = 0; index < network->constant_count; ++index) free(network->constants[index]);
    free(network->constants);
    sampling_release(&network->scratch);
    free(network);
}

// MARK: Running

size_t cneuralnetwork_input_count(const cneuralnetwork *network) { return network->input_count; }
size_t cneuralnetwork_output_count(const cneuralnetwork *network) { return network->output_count; }

cneuralnetwork_tensor cneuralnetwork_input(const cneuralnetwork *network, size_t index) { return network->kept[index]; }

cneuralnetwork_tensor cneuralnetwork_output(const cneuralnetwork *network, size_t index) {
    return network->kept[network->input_count + index];
}

bool cneuralnetwork_fill(
    cneuralnetwork *network, size_t index, const cneuralnetwork_picture *picture, const cneuralnetwork_square *square,
    float black, float white, bool repeats_edge) {
    const cneuralnetwork_tensor *input = &network->kept[index];
    if (input->rank != 4 || input->dimensions[3] != 3) return false;
    const sampling_range range = {black, white, repeats_edge};
    return sampling_fill(
        &network->scratch, picture, square, input->dimensions[1], input->dimensions[2], range, input->values);
}

bool cneuralnetwork_sample(
    const cneuralnetwork_picture *picture, const cneuralnetwork_square *square, size_t side, float black, float white,
    float *values) {
    sampling_scratch scratch = {0};
    const sampling_range range = {black, white, false};
    const bool is_done = sampling_fill(&scratch, picture, square, side, side, range, values);
    sampling_release(&scratch);
    return is_done;
}

static void run_crop(const cneuralnetwork *network, const crop_step *step) {
    const cneuralnetwork_tensor *kept = network->kept, *input = &kept[step->input], *output = &kept[step->output];
    switch (step->kind) {
    case OPERATOR_CROP_MATRIX: crop_matrix(step->options, input, output->values); break;
    case OPERATOR_CROP: crop_apply(input, kept[step->second].values, output); break;
    default: crop_leave(input, kept[step->second].values, output);
    }
}

bool cneuralnetwork_run(cneuralnetwork *network) {
    for (uint32_t phase = 0; phase < MODEL_PHASES; ++phase) {
        const xnn_runtime_t runtime = network->runtimes[phase];
        if (runtime && library.xnn_invoke_runtime(runtime) != xnn_status_success) return false;
        for (size_t index = 0; index < network->crop_count; ++index)
            if (network->crops[index].phase == phase) run_crop(network, &network->crops[index]);
    }
    return true;
}
