// A libbauta for scripts/test-obs: it makes each picture in I420 or RGBA all grey, or fails if FAKE_FAILS is set. If FAKE_SHOWS is
// set, pictures stay as they are without "anonymise". If FAKE_REFUSES is set, they stay, too, and that option is refused.
#include <bauta.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct bauta_engine {
    bool is_covering;
};

const char *bauta_error_text(void) { return "pictures cannot be masked today"; }

bauta_result bauta_open(const char *data, bauta_engine **engine) {
    (void)data;
    *engine = calloc(1, sizeof **engine);
    return *engine ? BAUTA_OK : BAUTA_NO_MEMORY;
}

void bauta_close(bauta_engine *engine) { free(engine); }

bauta_result bauta_set_mask(bauta_engine *engine, const char *mask) {
    (void)engine, (void)mask;
    return BAUTA_OK;
}

bauta_result bauta_set_option(bauta_engine *engine, const char *name, const char *value) {
    if (strcmp(name, "anonymise") != 0) return BAUTA_OK;
    if (value && getenv("FAKE_REFUSES")) return BAUTA_INVALID;
    engine->is_covering = value;
    return BAUTA_OK;
}

bauta_result bauta_status(bauta_engine *engine) {
    (void)engine;
    return BAUTA_OK;
}

bauta_result bauta_process(bauta_engine *engine, bauta_picture *picture, double seconds) {
    (void)seconds;
    if (getenv("FAKE_FAILS")) return BAUTA_FAILED;
    if (!engine->is_covering && (getenv("FAKE_SHOWS") || getenv("FAKE_REFUSES"))) return BAUTA_OK;
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
