#include "crop.h"
#include "flexbuffer.h"
#include "tflite.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_CROPPED_LANDMARKS = 4096 };

static bool has_shape(const tensor *tensor, size_t rank, size_t axis, size_t last) {
    return tensor->rank == rank && tensor->dimensions[0] == 1 && tensor->dimensions[rank - 1] == last
        && (axis == 0 || tensor->dimensions[1] == axis);
}

static bool is_matrix(const tensor *tensor) { return has_shape(tensor, 3, 4, 4); }

static bool open_options(reader *reader, size_t table, flexbuffer *options) {
    const flatbuffer_vector vector = flatbuffer_elements(&reader->file, table, 5, 1);
    const uint8_t *bytes = flatbuffer_at(&reader->file, vector.start, vector.count);
    return (bytes && flexbuffer_open(options, bytes, vector.count)) || reader_refuse(reader, "has no options");
}

// A whole number of 0 to `most`.
static bool read_index(flexbuffer *options, const char *key, size_t most, uint32_t *index) {
    float number;
    if (!flexbuffer_number(options, key, &number) || !(number >= 0 && number <= (float)most) || truncf(number) != number)
        return false;
    *index = (uint32_t)number;
    return true;
}

static bool read_size(flexbuffer *options, uint32_t size[2]) {
    return read_index(options, "output_width", MODEL_SIDE, &size[0]) && size[0] > 0
        && read_index(options, "output_height", MODEL_SIDE, &size[1]) && size[1] > 0;
}

static bool read_matrix(reader *reader, const tensor *input, size_t table, operation *operation) {
    flexbuffer options;
    if (!open_options(reader, table, &options)) return false;
    if (!has_shape(input, 3, 0, 3) || !is_matrix(&reader->model->tensors[operation->output]))
        return reader_refuse(reader, "is not a matrix of landmarks");
    const size_t last = input->dimensions[1] - 1;
    const flexbuffer_value vector = flexbuffer_find(&options, "subset_idxs");
    const bool is_vector = vector.type == FLEXBUFFER_INTS || vector.type == FLEXBUFFER_UINTS;
    const size_t count = is_vector ? flexbuffer_count(&options.file, vector.position, vector.width) : 0;
    if (count < 1 || count > MOST_CROPPED_LANDMARKS) return reader_refuse(reader, "crops no landmarks, or too many");
    crop_options *crop = operation->crop = calloc(1, sizeof *crop + count * sizeof *crop->landmarks);
    if (!crop) return reader_refuse(reader, "there is not enough memory");
    crop->count = count;
    for (size_t index = 0; index < count; ++index) {
        const uint64_t landmark =
            flexbuffer_whole(&options.file, vector.position + index * vector.width, vector.width, vector.type);
        if (landmark > last) return reader_refuse(reader, "crops a landmark that does not exist");
        crop->landmarks[index] = (uint32_t)landmark;
    }
    const bool is_good = read_index(&options, "left_rotation_idx", last, &crop->left)
        && read_index(&options, "right_rotation_idx", last, &crop->right)
        && flexbuffer_number(&options, "target_rotation_radians", &crop->rotation)
        && flexbuffer_number(&options, "scale_x", &crop->scale[0])
        && flexbuffer_number(&options, "scale_y", &crop->scale[1]) && read_size(&options, crop->size)
        && isfinite(crop->rotation) && isfinite(crop->scale[0]) && isfinite(crop->scale[1]);
    return (is_good && !options.file.is_damaged && reader_count(reader, (double)count))
        || reader_refuse(reader, "its options are unknown");
}

bool tflite_crop_operation(reader *reader, const tensor *second, size_t table, operation *operation) {
    const tensor *input = &reader->model->tensors[operation->input];
    const tensor *output = &reader->model->tensors[operation->output];
    if (operation->kind == OPERATOR_CROP_MATRIX) return read_matrix(reader, input, table, operation);
    if (!is_matrix(second)) return reader_refuse(reader, "its second input is not a matrix");
    if (operation->kind == OPERATOR_LEAVE_CROP)
        return (has_shape(input, 3, 0, 2) && has_shape(output, 3, input->dimensions[1], 2))
            || reader_refuse(reader, "its landmarks have the wrong shape");
    flexbuffer options;
    uint32_t size[2];
    if (!open_options(reader, table, &options)) return false;
    const bool fits = read_size(&options, size) && input->rank == 4 && input->dimensions[0] == 1
        && has_shape(output, 4, size[1], input->dimensions[3]) && output->dimensions[2] == size[0];
    if (!fits) return reader_refuse(reader, "its output has the wrong shape");
    return reader_count(reader, 4 * (double)output->count);
}
