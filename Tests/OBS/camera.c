// A camera for scripts/test-obs, which has none: a plugin of OBS whose source shows a file of raw frames, 640x480 in I420.
#include <obs-module.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <util/platform.h>

OBS_DECLARE_MODULE()

enum { WIDTH = 640, HEIGHT = 480, BYTES = WIDTH * HEIGHT * 3 / 2 };

struct camera {
    obs_source_t *source;
    FILE *file;
    pthread_t thread;
    atomic_bool is_ending;
};

static void *show(void *data) {
    struct camera *camera = data;
    uint8_t *pixels = bmalloc(BYTES);
    struct obs_source_frame frame = {
        .data = {pixels, pixels + WIDTH * HEIGHT, pixels + WIDTH * HEIGHT * 5 / 4},
        .linesize = {WIDTH, WIDTH / 2, WIDTH / 2},
        .width = WIDTH,
        .height = HEIGHT,
        .format = VIDEO_FORMAT_I420,
    };
    video_format_get_parameters(
        VIDEO_CS_709, VIDEO_RANGE_PARTIAL, frame.color_matrix, frame.color_range_min, frame.color_range_max);
    while (!atomic_load(&camera->is_ending)) {
        if (fread(pixels, BYTES, 1, camera->file) == 1) {
            frame.timestamp = os_gettime_ns();
            obs_source_output_video(camera->source, &frame);
            os_sleep_ms(33);
        } else if (fseek(camera->file, 0, SEEK_SET) != 0) {
            break;
        }
    }
    bfree(pixels);
    return NULL;
}

static const char *get_name(void *type) {
    (void)type;
    return "Camera";
}

static void *create(obs_data_t *settings, obs_source_t *source) {
    FILE *file = fopen(obs_data_get_string(settings, "file"), "rb");
    if (!file) return NULL;
    struct camera *camera = bzalloc(sizeof *camera);
    camera->source = source;
    camera->file = file;
    obs_source_set_async_unbuffered(source, true);
    pthread_create(&camera->thread, NULL, show, camera);
    return camera;
}

static void destroy(void *data) {
    struct camera *camera = data;
    atomic_store(&camera->is_ending, true);
    pthread_join(camera->thread, NULL);
    fclose(camera->file);
    bfree(camera);
}

static struct obs_source_info info = {
    .id = "test_camera",
    .type = OBS_SOURCE_TYPE_INPUT,
    .output_flags = OBS_SOURCE_ASYNC_VIDEO,
    .get_name = get_name,
    .create = create,
    .destroy = destroy,
};

bool obs_module_load(void) {
    obs_register_source(&info);
    return true;
}
