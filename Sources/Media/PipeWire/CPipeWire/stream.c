#include "connection.h"

#include <CDynamicLibrary.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/videodev2.h>
#include <pthread.h>
#include <spa/param/video/format-utils.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FUNCTIONS(F) \
    F(pw_context_destroy) F(pw_context_new) F(pw_core_disconnect) F(pw_properties_new) F(pw_proxy_destroy) \
    F(pw_stream_add_listener) F(pw_stream_connect) F(pw_stream_dequeue_buffer) F(pw_stream_destroy) F(pw_stream_new) \
    F(pw_stream_queue_buffer) F(pw_stream_update_params) F(pw_thread_loop_destroy) F(pw_thread_loop_get_loop) \
    F(pw_thread_loop_new) F(pw_thread_loop_start) F(pw_thread_loop_stop)

CDYNAMICLIBRARY(FUNCTIONS, "libpipewire-0.3.so.0")

// Memory that grows.
typedef struct {
    uint8_t *bytes;
    size_t capacity;
} memory;

static bool grow(memory *memory, size_t size) {
    if (size <= memory->capacity) return true;
    uint8_t *bytes = realloc(memory->bytes, size);
    if (!bytes) return false;
    memory->bytes = bytes;
    memory->capacity = size;
    return true;
}

struct cpipewire_stream {
    uint64_t serial;
    cpipewire_mode mode;

    // These belong to the loop's thread.
    struct pw_thread_loop *thread;
    struct pw_context *context;
    struct pw_core *core;
    struct pw_registry *registry;
    struct pw_stream *stream;
    struct spa_hook core_listener, registry_listener, stream_listener;
    int awaited;
    bool is_answered;
    uint32_t node;  // SPA_ID_INVALID: it has not been seen
    bool is_portal;
    // Its format is 0 until one has been agreed on.
    cpipewire_frame format;
    memory copied;

    // This protects the following.
    pthread_mutex_t lock;
    pthread_cond_t has_changed;
    cpipewire_frame newest;
    memory waiting;
    bool is_waiting;
    int error;

    // This belongs to the thread that takes pictures.
    memory taken;
};

static void lose(cpipewire_stream *stream, int error) {
    pthread_mutex_lock(&stream->lock);
    if (!stream->error) stream->error = error;
    pthread_cond_signal(&stream->has_changed);
    pthread_mutex_unlock(&stream->lock);
}

// MARK: Pictures

static void swap(memory *first, memory *second) {
    const memory kept = *first;
    *first = *second;
    *second = kept;
}

// Copies a picture to `copied`. Its memory is that of another program, which may write to it at any time.
static bool copy_picture(cpipewire_stream *stream, const struct spa_buffer *buffer, cpipewire_frame *frame) {
    if (frame->format != V4L2_PIX_FMT_MJPEG) {
        frame->size = cpipewire_frame_size(frame);
        return grow(&stream->copied, frame->size) && cpipewire_copy_frame(frame, buffer, stream->copied.bytes);
    }
    return cpipewire_copy_block(buffer, &frame->size, NULL) && grow(&stream->copied, frame->size)
        && cpipewire_copy_block(buffer, &frame->size, stream->copied.bytes);
}

static void on_process(void *data) {
    cpipewire_stream *stream = data;
    struct pw_buffer *buffer = NULL, *next;
    while ((next = library.pw_stream_dequeue_buffer(stream->stream))) {
        if (buffer) library.pw_stream_queue_buffer(stream->stream, buffer);
        buffer = next;
    }
    if (!buffer) return;
    if (stream->format.format) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        cpipewire_frame frame = stream->format;
        frame.seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
        const bool is_whole = copy_picture(stream, buffer->buffer, &frame);
        pthread_mutex_lock(&stream->lock);
        swap(&stream->copied, &stream->waiting);
        frame.data = is_whole ? stream->waiting.bytes : NULL;
        stream->newest = frame;
        stream->is_waiting = true;
        pthread_cond_signal(&stream->has_changed);
        pthread_mutex_unlock(&stream->lock);
    }
    library.pw_stream_queue_buffer(stream->stream, buffer);
}

int cpipewire_stream_next(cpipewire_stream *stream, int timeout_milliseconds, cpipewire_frame *frame) {
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_nsec += timeout_milliseconds % 1000 * 1000000L;
    end.tv_sec += timeout_milliseconds / 1000 + end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    pthread_mutex_lock(&stream->lock);
    int waited = 0;
    while (!stream->is_waiting && !stream->error && waited == 0)
        waited = pthread_cond_timedwait(&stream->has_changed, &stream->lock, &end);
    int result = 0;
    if (stream->is_waiting) {
        swap(&stream->waiting, &stream->taken);
        *frame = stream->newest;
        stream->is_waiting = false;
        result = 1;
    } else if (stream->error) {
        result = -stream->error;
    }
    pthread_mutex_unlock(&stream->lock);
    return result;
}

// MARK: The stream

static void on_state(void *data, enum pw_stream_state old, enum pw_stream_state state, const char *message) {
    (void)old, (void)message;
    if (state == PW_STREAM_STATE_ERROR || state == PW_STREAM_STATE_UNCONNECTED) lose(data, EPIPE);
}

static void on_parameter(void *data, uint32_t id, const struct spa_pod *parameter) {
    cpipewire_stream *stream = data;
    if (id != SPA_PARAM_Format) return;
    stream->format = (cpipewire_frame){0};
    uint32_t type = 0, subtype = 0;
    if (!parameter || spa_format_parse(parameter, &type, &subtype) < 0 || type != SPA_MEDIA_TYPE_video) return;
    cpipewire_frame format = {0};
    struct spa_rectangle size = {0};
    if (subtype == SPA_MEDIA_SUBTYPE_mjpg) {
        struct spa_video_info_mjpg chosen = {0};
        if (spa_format_video_mjpg_parse(parameter, &chosen) < 0) return;
        format.format = V4L2_PIX_FMT_MJPEG;
        size = chosen.size;
    } else if (subtype == SPA_MEDIA_SUBTYPE_raw) {
        struct spa_video_info_raw chosen = {0};
        if (spa_format_video_raw_parse(parameter, &chosen) < 0) return;
        format.format = cpipewire_code(chosen.format);
        format.is_bt709 = chosen.color_matrix == SPA_VIDEO_COLOR_MATRIX_BT709;
        format.is_full = chosen.color_range == SPA_VIDEO_COLOR_RANGE_0_255;
        size = chosen.size;
    }
    if (size.width < 2 || size.height < 2 || size.width > CPIPEWIRE_LARGEST_SIDE || size.height > CPIPEWIRE_LARGEST_SIDE)
        return;
    format.width = size.width;
    format.height = size.height;
    stream->format = format;
    // Some programs take it for the size of their memory. No JPEG is so large.
    const size_t largest = 2 * (size_t)size.width * size.height + 65536;
    const int32_t bytes = (int32_t)(subtype == SPA_MEDIA_SUBTYPE_mjpg ? largest : cpipewire_frame_size(&format));
    uint8_t space[512];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(space, sizeof space);
    const struct spa_pod *parameters[] = {spa_pod_builder_add_object(
        &builder, SPA_TYPE_OBJECT_ParamBuffers, SPA_PARAM_Buffers, SPA_PARAM_BUFFERS_buffers,
        SPA_POD_CHOICE_RANGE_Int(4, 2, 16), SPA_PARAM_BUFFERS_size, SPA_POD_CHOICE_RANGE_Int(bytes, 0, INT32_MAX),
        SPA_PARAM_BUFFERS_dataType,
        SPA_POD_CHOICE_FLAGS_Int(1 << SPA_DATA_MemFd | 1 << SPA_DATA_MemPtr))};
    library.pw_stream_update_params(stream->stream, parameters, 1);
}

static const struct pw_stream_events stream_events = {
    PW_VERSION_STREAM_EVENTS, .state_changed = on_state, .param_changed = on_parameter, .process = on_process};

// A format with the wanted size, or with any.
static const struct spa_pod *ask_for(
    const cpipewire_stream *stream, struct spa_pod_builder *builder, const cpipewire_format_names *names, bool is_exact) {
    const bool is_jpeg = names->code == V4L2_PIX_FMT_MJPEG;
    const struct spa_rectangle size = {stream->mode.width, stream->mode.height}, least = {2, 2};
    const struct spa_rectangle largest = {CPIPEWIRE_LARGEST_SIDE, CPIPEWIRE_LARGEST_SIDE};
    const struct spa_fraction slowest = {0, 1}, fastest = {1000, 1};
    const struct spa_fraction rate = {(uint32_t)(stream->mode.rate * 1000 + 0.5), 1000};
    struct spa_pod_frame frame;
    spa_pod_builder_push_object(builder, &frame, SPA_TYPE_OBJECT_Format, SPA_PARAM_EnumFormat);
    spa_pod_builder_add(
        builder, SPA_FORMAT_mediaType, SPA_POD_Id(SPA_MEDIA_TYPE_video), SPA_FORMAT_mediaSubtype,
        SPA_POD_Id(is_jpeg ? SPA_MEDIA_SUBTYPE_mjpg : SPA_MEDIA_SUBTYPE_raw), 0);
    if (!is_jpeg) spa_pod_builder_add(builder, SPA_FORMAT_VIDEO_format, SPA_POD_Id(names->name), 0);
    if (is_exact) spa_pod_builder_add(builder, SPA_FORMAT_VIDEO_size, SPA_POD_Rectangle(&size), 0);
    else
        spa_pod_builder_add(
            builder, SPA_FORMAT_VIDEO_size, SPA_POD_CHOICE_RANGE_Rectangle(&size, &least, &largest), 0);
    spa_pod_builder_add(
        builder, SPA_FORMAT_VIDEO_framerate, SPA_POD_CHOICE_RANGE_Fraction(&rate, &slowest, &fastest), 0);
    return spa_pod_builder_pop(builder, &frame);
}

static bool open_stream(cpipewire_stream *stream) {
    char target[24];
    snprintf(target, sizeof target, "%" PRIu64, stream->serial);
    stream->stream = library.pw_stream_new(
        stream->core, "Bauta",
        library.pw_properties_new(
            PW_KEY_MEDIA_TYPE, "Video", PW_KEY_MEDIA_CATEGORY, "Capture", PW_KEY_MEDIA_ROLE, "Camera", PW_KEY_TARGET_OBJECT,
            target, "node.dont-fallback", "true", NULL));
    if (!stream->stream) return false;
    library.pw_stream_add_listener(stream->stream, &stream->stream_listener, &stream_events, stream);
    uint8_t space[8192];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(space, sizeof space);
    // The wanted mode first; then what a camera may have instead.
    const struct spa_pod *parameters[1 + CPIPEWIRE_FORMATS];
    uint32_t count = 0;
    for (int index = 0; index < CPIPEWIRE_FORMATS; ++index)
        if (cpipewire_formats[index].code == stream->mode.format)
            parameters[count++] = ask_for(stream, &builder, &cpipewire_formats[index], true);
    for (int index = 0; index < CPIPEWIRE_FORMATS; ++index)
        parameters[count++] = ask_for(stream, &builder, &cpipewire_formats[index], false);
    const int result = library.pw_stream_connect(
        stream->stream, PW_DIRECTION_INPUT, PW_ID_ANY,
        PW_STREAM_FLAG_AUTOCONNECT | PW_STREAM_FLAG_DONT_RECONNECT, parameters, count);
    return result >= 0;
}

// MARK: The camera's presence

static void on_global(
    void *data, uint32_t id, uint32_t permissions, const char *type, uint32_t version, const struct spa_dict *properties) {
    (void)permissions, (void)version;
    cpipewire_stream *stream = data;
    uint64_t serial = 0;
    if (!cpipewire_is_camera(type, properties, &serial) || serial != stream->serial) return;
    stream->node = id;
    // After the answer: see there.
    if (stream->is_answered && !stream->stream && !open_stream(stream)) lose(stream, EPIPE);
}

static void on_global_end(void *data, uint32_t id) {
    cpipewire_stream *stream = data;
    if (id == stream->node) lose(stream, ENODEV);
}

static const struct pw_registry_events registry_events = {
    PW_VERSION_REGISTRY_EVENTS, .global = on_global, .global_remove = on_global_end};

// All that is there has been told: the stream connects only to a camera that is, because another one would take its place.
// Through the portal, cameras are shown a little later, once WirePlumber has looked up the permission.
static void on_done(void *data, uint32_t id, int sequence) {
    cpipewire_stream *stream = data;
    if (id != PW_ID_CORE || sequence != stream->awaited || stream->is_answered) return;
    stream->is_answered = true;
    if (stream->node != SPA_ID_INVALID) {
        if (!open_stream(stream)) lose(stream, EPIPE);
    } else if (!stream->is_portal) {
        lose(stream, ENODEV);
    }
}

static void on_error(void *data, uint32_t id, int sequence, int result, const char *message) {
    (void)sequence, (void)result, (void)message;
    if (id == PW_ID_CORE) lose(data, EPIPE);
}

static const struct pw_core_events core_events = {PW_VERSION_CORE_EVENTS, .done = on_done, .error = on_error};

// MARK: Life

void cpipewire_stream_free(cpipewire_stream *stream) {
    if (!stream) return;
    if (stream->thread) library.pw_thread_loop_stop(stream->thread);
    if (stream->stream) {
        spa_hook_remove(&stream->stream_listener);
        library.pw_stream_destroy(stream->stream);
    }
    if (stream->registry) {
        spa_hook_remove(&stream->registry_listener);
        library.pw_proxy_destroy((struct pw_proxy *)stream->registry);
    }
    if (stream->core) {
        spa_hook_remove(&stream->core_listener);
        library.pw_core_disconnect(stream->core);
    }
    if (stream->context) library.pw_context_destroy(stream->context);
    if (stream->thread) library.pw_thread_loop_destroy(stream->thread);
    pthread_cond_destroy(&stream->has_changed);
    pthread_mutex_destroy(&stream->lock);
    free(stream->copied.bytes);
    free(stream->waiting.bytes);
    free(stream->taken.bytes);
    free(stream);
}

static bool start(cpipewire_stream *stream, const char *socket) {
    stream->thread = library.pw_thread_loop_new("pipewire", NULL);
    if (!stream->thread) return false;
    stream->context = library.pw_context_new(library.pw_thread_loop_get_loop(stream->thread), NULL, 0);
    if (!stream->context) return false;
    stream->core = cpipewire_connect(stream->context, socket);
    if (!stream->core) return false;
    pw_core_add_listener(stream->core, &stream->core_listener, &core_events, stream);
    stream->registry = pw_core_get_registry(stream->core, PW_VERSION_REGISTRY, 0);
    if (!stream->registry) return false;
    pw_registry_add_listener(stream->registry, &stream->registry_listener, &registry_events, stream);
    stream->awaited = pw_core_sync(stream->core, PW_ID_CORE, 0);
    const int result = library.pw_thread_loop_start(stream->thread);
    if (result < 0) errno = -result;
    return result >= 0;
}

cpipewire_stream *cpipewire_stream_new(uint64_t serial, cpipewire_mode mode, const char *socket, int *error) {
    *error = ENOENT;
    if (!cpipewire_is_available() || !is_available()) return NULL;
    cpipewire_initialise();
    *error = ENOMEM;
    cpipewire_stream *stream = calloc(1, sizeof *stream);
    if (!stream) return NULL;
    stream->serial = serial;
    stream->mode = mode;
    stream->node = SPA_ID_INVALID;
    stream->is_portal = socket && strcmp(socket, CPIPEWIRE_PORTAL) == 0;
    pthread_mutex_init(&stream->lock, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&stream->has_changed, &attributes);
    pthread_condattr_destroy(&attributes);
    *error = 0;
    if (start(stream, socket)) return stream;
    *error = errno ? errno : EPIPE;
    cpipewire_stream_free(stream);
    return NULL;
}
