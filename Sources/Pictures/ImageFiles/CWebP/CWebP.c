#include "CWebP.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>
#include <webp/encode.h>

static bool fail(char *message, const char *text) {
    snprintf(message, CWEBP_MESSAGE, "%s", text);
    return false;
}

static const char *reason(VP8StatusCode status) {
    switch (status) {
        case VP8_STATUS_OUT_OF_MEMORY: return "not enough memory";
        case VP8_STATUS_UNSUPPORTED_FEATURE: return "it needs a newer libwebp";
        case VP8_STATUS_SUSPENDED:
        case VP8_STATUS_NOT_ENOUGH_DATA: return "the file ends too early";
        default: return "its compressed data are invalid";
    }
}

bool cwebp_read_info(const uint8_t *data, size_t size, cwebp_info *info, char *message) {
    WebPBitstreamFeatures features;
    const VP8StatusCode status = WebPGetFeaturesInternal(data, size, &features, WEBP_DECODER_ABI_VERSION);
    if (status != VP8_STATUS_OK) return fail(message, reason(status));
    info->width = features.width;
    info->height = features.height;
    info->has_alpha = features.has_alpha != 0;
    info->is_animated = features.has_animation != 0;
    info->is_lossless = features.format == 2;
    return true;
}

bool cwebp_read(
    const uint8_t *data, size_t size, uint8_t *rgba, int32_t height, size_t bytes_per_row, char *message) {
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfigInternal(&config, WEBP_DECODER_ABI_VERSION))
        return fail(message, "this libwebp is of another version");
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = rgba;
    config.output.u.RGBA.stride = (int)bytes_per_row;
    config.output.u.RGBA.size = bytes_per_row * (size_t)height;
    const VP8StatusCode status = WebPDecode(data, size, &config);
    return status == VP8_STATUS_OK || fail(message, reason(status));
}

typedef struct {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
} growing_buffer;

static int append(const uint8_t *data, size_t size, const WebPPicture *picture) {
    growing_buffer *buffer = picture->custom_ptr;
    if (size > buffer->capacity - buffer->size) {
        const size_t capacity = buffer->capacity + buffer->capacity / 2 + size + 65536;
        uint8_t *bytes = realloc(buffer->bytes, capacity);
        if (!bytes) return 0;
        buffer->bytes = bytes;
        buffer->capacity = capacity;
    }
    memcpy(buffer->bytes + buffer->size, data, size);
    buffer->size += size;
    return 1;
}

static const char *encoder_reason(WebPEncodingError code) {
    switch (code) {
        case VP8_ENC_ERROR_OUT_OF_MEMORY:
        case VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY:
        case VP8_ENC_ERROR_BAD_WRITE: return "not enough memory";
        case VP8_ENC_ERROR_BAD_DIMENSION: return "it is too large for a WebP";
        case VP8_ENC_ERROR_PARTITION0_OVERFLOW:
        case VP8_ENC_ERROR_PARTITION_OVERFLOW: return "it has too many details for a WebP of its size";
        default: return "libwebp failed";
    }
}

bool cwebp_write(
    const uint8_t *rgba, int32_t width, int32_t height, size_t bytes_per_row, const cwebp_settings *settings,
    uint8_t **buffer, size_t *size, char *message) {
    WebPConfig config;
    WebPPicture picture;
    if (!WebPConfigInitInternal(&config, WEBP_PRESET_DEFAULT, settings->quality, WEBP_ENCODER_ABI_VERSION)
        || !WebPPictureInitInternal(&picture, WEBP_ENCODER_ABI_VERSION))
        return fail(message, "this libwebp is of another version");
    if (settings->is_lossless) {
        // Of a lossless picture, the quality is the effort.
        config.lossless = 1;
        config.exact = 1;
        config.method = 2;
        config.quality = 50;
    }
    picture.use_argb = settings->is_lossless;
    picture.width = width;
    picture.height = height;
    growing_buffer output = {NULL, 0, 0};
    picture.writer = append;
    picture.custom_ptr = &output;
    const bool is_imported = settings->has_alpha
        ? WebPPictureImportRGBA(&picture, rgba, (int)bytes_per_row)
        : WebPPictureImportRGBX(&picture, rgba, (int)bytes_per_row);
    const bool is_written = is_imported && WebPEncode(&config, &picture);
    if (!is_written) {
        fail(message, encoder_reason(picture.error_code));
        free(output.bytes);
    } else {
        *buffer = output.bytes;
        *size = output.size;
    }
    WebPPictureFree(&picture);
    return is_written;
}
