#include "tflite.h"

// IEEE 754 half precision.
static float float_of_half(uint16_t half) {
    const uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = (half >> 10) & 31, fraction = half & 1023;
    uint32_t bits;
    if (exponent == 31) {
        bits = sign | 0x7f800000 | fraction << 13;
    } else if (exponent > 0) {
        bits = sign | (exponent + 112) << 23 | fraction << 13;
    } else {
        // Below the smallest normal number: a multiple of 2⁻²⁴.
        const float value = (float)fraction * 0x1p-24f;
        return sign ? -value : value;
    }
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float value_at(const tensor *constant, size_t index) {
    if (constant->type == ELEMENT_FLOAT16) {
        uint16_t half;
        memcpy(&half, constant->data + 2 * index, sizeof half);
        return float_of_half(half);
    }
    float value;
    memcpy(&value, constant->data + 4 * index, sizeof value);
    return value;
}

// A vector of numbers of 8, 16 or 32 bits.
typedef struct number_vector {
    flatbuffer_vector elements;
    unsigned width;
} number_vector;

static number_vector read_numbers(flatbuffer *file, size_t table, unsigned type_field) {
    static const unsigned widths[] = {0, 4, 2, 1};
    const uint8_t type = flatbuffer_byte(file, table, type_field);
    const size_t holder = flatbuffer_table(file, table, type_field + 1);
    number_vector vector = {{0, 0}, type < 4 ? widths[type] : 0};
    if (vector.width && holder) vector.elements = flatbuffer_elements(file, holder, 0, vector.width);
    return vector;
}

static size_t number(flatbuffer *file, const number_vector *vector, size_t index) {
    const size_t position = vector->elements.start + index * vector->width;
    return vector->width == 1 ? flatbuffer_u8(file, position)
        : vector->width == 2  ? flatbuffer_u16(file, position)
                              : flatbuffer_u32(file, position);
}

// Only compressed rows along the last dimension are known: all dimensions but the last are dense and in order. Entry i
// of `segments` is where row i starts in `indices` and in the constant's values; `indices` are columns.
static bool unpack_sparse(reader *reader, const tensor *constant, float *weights) {
    flatbuffer *file = &reader->file;
    const size_t sparsity = constant->sparsity, rank = constant->rank, columns = constant->dimensions[rank - 1];
    const flatbuffer_vector order = flatbuffer_elements(file, sparsity, 0, 4);
    const flatbuffer_vector blocks = flatbuffer_elements(file, sparsity, 1, 4);
    const flatbuffer_vector levels = flatbuffer_elements(file, sparsity, 2, 4);
    if (order.count != rank || levels.count != rank || blocks.count != 0)
        return reader_refuse(reader, "its sparse form is unknown");
    size_t last = 0;
    for (size_t index = 0; index < rank; ++index) {
        last = flatbuffer_follow(file, levels.start + 4 * index);
        const uint8_t format = flatbuffer_byte(file, last, 0);
        const bool is_known = index + 1 == rank
            ? format == 1
            : format == 0 && flatbuffer_int(file, last, 1, 0) == (int32_t)constant->dimensions[index];
        if (!is_known || flatbuffer_i32(file, order.start + 4 * index) != (int32_t)index)
            return reader_refuse(reader, "its sparse form is unknown");
    }
    const number_vector segments = read_numbers(file, last, 2), indices = read_numbers(file, last, 4);
    const size_t rows = constant->count / columns;
    const size_t value_count = constant->size / (constant->type == ELEMENT_FLOAT16 ? 2 : 4);
    if (segments.elements.count != rows + 1 || indices.elements.count != value_count
        || number(file, &segments, 0) != 0 || number(file, &segments, rows) != value_count)
        return reader_refuse(reader, "its sparse rows do not fit its values");
    for (size_t row = 0; row < rows; ++row) {
        const size_t start = number(file, &segments, row), end = number(file, &segments, row + 1);
        if (start > end || end > value_count) return reader_refuse(reader, "its sparse rows are out of order");
        for (size_t entry = start; entry < end; ++entry) {
            const size_t column = number(file, &indices, entry);
            if (column >= columns) return reader_refuse(reader, "a sparse value is outside its row");
            weights[row * columns + column] = value_at(constant, entry);
        }
    }
    return !file->is_damaged || reader_refuse(reader, "its sparse form reaches beyond the end of the file");
}

bool tflite_unpack(reader *reader, tensor *tensor) {
    if (tensor->weights) return true;
    const struct tensor *constant = tensor;
    while (constant->source) constant = constant->source;
    if (!constant->data || constant->type == ELEMENT_INT32)
        return reader_refuse(reader, "weights are computed by the network, which Bauta does not support");
    const size_t dense_size = constant->count * (constant->type == ELEMENT_FLOAT16 ? 2 : 4);
    if (!constant->sparsity && constant->size != dense_size)
        return reader_refuse(reader, "has %zu bytes of weights instead of %zu", constant->size, dense_size);
    if (!reader_make_weights(reader, tensor, constant->count)) return false;
    if (constant->sparsity) return unpack_sparse(reader, constant, tensor->weights);
    for (size_t index = 0; index < constant->count; ++index) tensor->weights[index] = value_at(constant, index);
    return true;
}
