// A libbauta for scripts/test-obs: it makes each picture in I420 or RGBA all grey, or fails if FAKE_FAILS is set.
#include <bauta.h>
#include <stdlib.h>
#include <string.h>

const char *bauta_error_text(void) { return "pictures cannot be masked today"; }

bauta_result bauta_open(const char *data, bauta_engine **engine) {
    (void)data;
    static char nothing;
    *engine = (bauta_engine *)&nothing;
    return BAUTA_OK;
}

void bauta_close(bauta_engine *engine) { (void)engine; }

bauta_result bauta_set_mask(bauta_engine *engine, const char *mask) {
    (void)engine, (void)mask;
    return BAUTA_OK;
}

bauta_result bauta_set_option(bauta_engine *engine, const char *name, const char *value) {
    (void)engine, (void)name, (void)value;
    return BAUTA_OK;
}

bauta_result bauta_status(bauta_engine *engine) {
    (void)engine;
    return BAUTA_OK;
}

bauta_result bauta_process(bauta_engine *engine, bauta_picture *picture, double seconds) {
    (void)engine, (void)seconds;
    if (getenv("FAKE_FAILS")) return BAUTA_FAILED;
    const int planes = picture->format == BAUTA_I420 ? 3 : 1;
    for (int plane = 0; plane < planes; ++plane) {
        const uint32_t rows = plane == 0 ? picture->height : (picture->height + 1) / 2;
        memset(picture->planes[plane], 128, rows * (size_t)picture->strides[plane]);
    }
    return BAUTA_OK;
}

void bauta_reset(bauta_engine *engine) { (void)engine; }

const char *bauta_mask_name(bauta_engine *engine, size_t index) {
    (void)engine, (void)index;
    return 0;
}
