// What the frames of the fake camera show. Included by fake_camera.c, whose state it uses.

static void read_jpeg(void) {
    if (jpeg || !getenv("FAKE_CAMERA_JPEG")) return;
    FILE *file = fopen(getenv("FAKE_CAMERA_JPEG"), "rb");
    if (!file) return;
    jpeg = malloc(LENGTH);
    jpeg_size = fread(jpeg, 1, LENGTH, file);
    fclose(file);
}

static uint32_t fill_nv12(uint8_t *target) {
    const size_t count = (size_t)format.width * format.height;
    memset(target, 100, count);
    for (size_t index = 0; index < count / 2; index += 1) target[count + index] = index % 2 == 0 ? 90 : 180;
    return (uint32_t)(count + count / 2);
}

static uint32_t fill_bayer(uint8_t *target) {
    static const uint8_t pattern[2][2] = {{200, 100}, {100, 50}};
    for (size_t y = 0; y < format.height; y += 1)
        for (size_t x = 0; x < format.width; x += 1) target[y * format.width + x] = pattern[y % 2][x % 2];
    return format.width * format.height;
}

static uint32_t fill(uint8_t *target) {
    const int garbage = setting("FAKE_CAMERA_GARBAGE", 0);
    const int is_damaged = garbage && number % garbage == garbage - 1;
    if (format.pixelformat == V4L2_PIX_FMT_MJPEG) {
        read_jpeg();
        memcpy(target, jpeg, jpeg_size);
        if (!is_damaged) return (uint32_t)jpeg_size;
        memset(target + 700, 0x5A, jpeg_size / 2);
        return (uint32_t)(jpeg_size / 2);
    }
    if (format.pixelformat == V4L2_PIX_FMT_NV12) return is_damaged ? 100 : fill_nv12(target);
    if (format.pixelformat == V4L2_PIX_FMT_SRGGB8) return is_damaged ? 100 : fill_bayer(target);
    for (size_t index = 0; index < (size_t)format.width * format.height; index += 1) {
        target[2 * index] = (uint8_t)(16 + number % 200);
        target[2 * index + 1] = 128;
    }
    return is_damaged ? 100 : format.width * format.height * 2;
}
