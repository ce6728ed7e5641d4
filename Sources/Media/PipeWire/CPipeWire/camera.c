#include "connection.h"

#include <CDynamicLibrary.h>
#include <errno.h>
#include <pthread.h>
#include <spa/param/video/format-utils.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FUNCTIONS(F) \
    F(pw_context_connect) F(pw_context_connect_fd) F(pw_context_destroy) F(pw_context_new) F(pw_core_disconnect) F(pw_init) F(pw_log_set_level) \
    F(pw_properties_new) F(pw_stream_add_listener) F(pw_stream_connect) F(pw_stream_dequeue_buffer) \
    F(pw_stream_destroy) F(pw_stream_new) F(pw_stream_queue_buffer) F(pw_stream_trigger_process) \
    F(pw_stream_update_params) F(pw_thread_loop_destroy) F(pw_thread_loop_get_loop) F(pw_thread_loop_new) \
    F(pw_thread_loop_start) F(pw_thread_loop_stop)

CDYNAMICLIBRARY(FUNCTIONS, "libpipewire-0.3.so.0")

enum {
    // Programs take a camera that gives nothing for broken.
    REPETITION_MILLISECONDS = 250,
    FIRST_WAIT_MILLISECONDS = 250,
    LONGEST_WAIT_MILLISECONDS = 4000,
    MOST_BUFFERS = 16,
};

static const struct {
    cpipewire_format format;
    enum spa_video_format name;
    // Of a row of the first plane, per pixel.
    uint32_t bytes;
} formats[] = {
    {CPIPEWIRE_I420, SPA_VIDEO_FORMAT_I420, 1},
    {CPIPEWIRE_NV12, SPA_VIDEO_FORMAT_NV12, 1},
    {CPIPEWIRE_YUY2, SPA_VIDEO_FORMAT_YUY2, 2},
    {CPIPEWIRE_RGBA, SPA_VIDEO_FORMAT_RGBA, 4},
};
enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

struct cpipewire_camera {
    char *name;
    // NULL: that of the session.
    char *socket;
    uint32_t width, height;
    struct spa_fraction rate;

    // These belong to the loop's thread.
    struct pw_thread_loop *thread;
    struct pw_loop *loop;
    struct spa_source *offered, *repetition, *connection;
    struct pw_context *context;
    struct pw_core *core;
    struct pw_stream *stream;
    struct spa_hook core_listener, stream_listener;
    uint32_t wait_milliseconds;
    // An index of `formats`; -1: none has been agreed on.
    int format;
    bool is_streaming;
    // Those that PipeWire has given.
    struct pw_buffer *buffers[MOST_BUFFERS];
    // Whether `picture` or the picture that waits is to be sent.
    bool is_due;
    uint64_t sequence;

    // Three pictures change places: one is copied into, one waits, one is converted.
    // Whoever offers a picture has this lock.
    pthread_mutex_t offering;
    uint8_t *copied;
    // These belong to the loop's thread.
    uint8_t *picture;
    bool has_picture;
    // This protects the following.
    pthread_mutex_t lock;
    uint8_t *waiting;
    bool is_waiting;
    // Grows when the first program comes and when the last one leaves: what was offered before is not shown to the next one.
    uint64_t audience;

    atomic_int error;
    atomic_bool is_watched, awaits_picture;
    atomic_ullong sent;
};

static void initialise(void) {
    library.pw_init(NULL, NULL);
    // It reports to standard error otherwise, also what is no fault.
    if (!getenv("PIPEWIRE_DEBUG")) library.pw_log_set_level(SPA_LOG_LEVEL_NONE);
}

void cpipewire_initialise(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, initialise);
}

bool cpipewire_is_available(void) { return is_available(); }

struct pw_core *cpipewire_connect(struct pw_context *context, const char *socket) {
    if (socket && strcmp(socket, CPIPEWIRE_PORTAL) == 0) {
        const int descriptor = cpipewire_portal_open();
        return descriptor < 0 ? NULL : library.pw_context_connect_fd(context, descriptor, NULL, 0);
    }
    struct pw_properties *properties = socket ? library.pw_properties_new(PW_KEY_REMOTE_NAME, socket, NULL) : NULL;
    return library.pw_context_connect(context, properties, 0);
}

int cpipewire_check(const char *socket) {
    cpipewire_initialise();
    struct pw_thread_loop *thread = library.pw_thread_loop_new("pipewire", NULL);
    if (!thread) return errno;
    int error = 0;
    struct pw_context *context = library.pw_context_new(library.pw_thread_loop_get_loop(thread), NULL, 0);
    if (!context) error = errno;
    struct pw_core *core = context ? cpipewire_connect(context, socket) : NULL;
    if (context && !core) error = errno;
    if (core) library.pw_core_disconnect(core);
    if (context) library.pw_context_destroy(context);
    library.pw_thread_loop_destroy(thread);
    return error;
}

// MARK: Pictures

static void set_timer(cpipewire_camera *camera, struct spa_source *timer, uint32_t milliseconds) {
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    if (!milliseconds) time.tv_nsec = 1;
    pw_loop_update_timer(camera->loop, timer, &time, NULL, false);
}

static void send_picture(cpipewire_camera *camera) {
    camera->is_due = true;
    // Calls `on_process`.
    if (camera->is_streaming) library.pw_stream_trigger_process(camera->stream);
}

static void on_offered(void *data, uint64_t count) {
    (void)count;
    send_picture(data);
}

static void on_repetition(void *data, uint64_t count) {
    (void)count;
    cpipewire_camera *camera = data;
    if (!camera->is_streaming) return;
    send_picture(camera);
    set_timer(camera, camera->repetition, REPETITION_MILLISECONDS);
}

static bool take_waiting(cpipewire_camera *camera) {
    pthread_mutex_lock(&camera->lock);
    if (camera->is_waiting) {
        uint8_t *taken = camera->waiting;
        camera->waiting = camera->picture;
        camera->picture = taken;
        camera->is_waiting = false;
        camera->has_picture = true;
    }
    pthread_mutex_unlock(&camera->lock);
    return camera->has_picture;
}

static struct spa_meta_busy *use_of(const struct pw_buffer *buffer) {
    return spa_buffer_find_meta_data(buffer->buffer, SPA_META_Busy, sizeof(struct spa_meta_busy));
}

// The library looks at one buffer at a time, and puts it back if a program uses it.
static struct pw_buffer *unused_buffer(cpipewire_camera *camera) {
    struct pw_buffer *buffer = NULL;
    errno = EBUSY;
    for (int attempt = 0; attempt < MOST_BUFFERS && !buffer && errno == EBUSY; ++attempt)
        buffer = library.pw_stream_dequeue_buffer(camera->stream);
    return buffer;
}

// A program that stands still, or has ended without giving its buffers back, would keep all others waiting. Their oldest
// buffer is written to, and at worst such a program sees parts of two pictures.
static struct pw_buffer *take_buffer(cpipewire_camera *camera) {
    struct pw_buffer *buffer = unused_buffer(camera), *oldest = NULL;
    if (buffer || errno != EBUSY) return buffer;
    for (int index = 0; index < MOST_BUFFERS; ++index) {
        buffer = camera->buffers[index];
        if (buffer && use_of(buffer) && (!oldest || (uintptr_t)buffer->user_data < (uintptr_t)oldest->user_data))
            oldest = buffer;
    }
    if (oldest) __atomic_store_n(&use_of(oldest)->count, 0, __ATOMIC_SEQ_CST);
    return unused_buffer(camera);
}

static void on_process(void *data) {
    cpipewire_camera *camera = data;
    if (!camera->is_due || camera->format < 0 || !take_waiting(camera)) return;
    struct pw_buffer *taken = take_buffer(camera);
    // The picture is sent with the next one, or again.
    if (!taken) return;
    struct spa_buffer *buffer = taken->buffer;
    struct spa_data *plane = &buffer->datas[0];
    size_t size = cpipewire_size(formats[camera->format].format, camera->width, camera->height);
    bool fits = plane->data && plane->maxsize >= size;
    if (fits)
        cpipewire_convert(
            formats[camera->format].format, camera->width, camera->height, camera->picture, 4 * (size_t)camera->width,
            plane->data);
    plane->chunk->offset = 0;
    plane->chunk->size = fits ? size : 0;
    plane->chunk->stride = (int32_t)(formats[camera->format].bytes * camera->width);
    plane->chunk->flags = fits ? 0 : SPA_CHUNK_FLAG_CORRUPTED;
    struct spa_meta_header *header = spa_buffer_find_meta_data(buffer, SPA_META_Header, sizeof *header);
    if (header) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        *header = (struct spa_meta_header){
            .flags = fits ? 0 : SPA_META_HEADER_FLAG_CORRUPTED, .pts = SPA_TIMESPEC_TO_NSEC(&now), .seq = camera->sequence};
    }
    camera->sequence += 1;
    taken->user_data = (void *)(uintptr_t)camera->sequence;
    library.pw_stream_queue_buffer(camera->stream, taken);
    camera->is_due = false;
    atomic_fetch_add(&camera->sent, 1);
    set_timer(camera, camera->repetition, REPETITION_MILLISECONDS);
}

void cpipewire_camera_offer(cpipewire_camera *camera, const uint8_t *rgba, size_t stride) {
    if (!atomic_load(&camera->is_watched)) return;
    size_t row = 4 * (size_t)camera->width;
    pthread_mutex_lock(&camera->offering);
    pthread_mutex_lock(&camera->lock);
    // Of the audience that is there before the picture is copied.
    uint64_t audience = camera->audience;
    pthread_mutex_unlock(&camera->lock);
    for (uint32_t y = 0; y < camera->height; ++y) memcpy(camera->copied + y * row, rgba + y * stride, row);
    pthread_mutex_lock(&camera->lock);
    if (audience == camera->audience && atomic_load(&camera->is_watched)) {
        uint8_t *replaced = camera->waiting;
        camera->waiting = camera->copied;
        camera->copied = replaced;
        camera->is_waiting = true;
        atomic_store(&camera->awaits_picture, false);
    }
    pthread_mutex_unlock(&camera->lock);
    pthread_mutex_unlock(&camera->offering);
    pw_loop_signal_event(camera->loop, camera->offered);
}

// MARK: The stream

static void set_streaming(cpipewire_camera *camera, bool is_streaming) {
    if (is_streaming == camera->is_streaming) return;
    camera->is_streaming = is_streaming;
    // What is covered later must not be seen then. All of it changes at once for whoever offers a picture.
    pthread_mutex_lock(&camera->lock);
    camera->is_waiting = false;
    camera->audience += 1;
    atomic_store(&camera->awaits_picture, is_streaming);
    atomic_store(&camera->is_watched, is_streaming);
    pthread_mutex_unlock(&camera->lock);
    camera->has_picture = false;
    if (is_streaming) set_timer(camera, camera->repetition, REPETITION_MILLISECONDS);
}

// The connection ends on the timer: not while it calls.
static void lose(cpipewire_camera *camera, int error) {
    set_streaming(camera, false);
    atomic_store(&camera->error, error ? error : EPIPE);
    set_timer(camera, camera->connection, camera->wait_milliseconds);
    camera->wait_milliseconds = SPA_MIN(2 * camera->wait_milliseconds, (uint32_t)LONGEST_WAIT_MILLISECONDS);
}

static void on_buffer(void *data, struct pw_buffer *buffer) {
    cpipewire_camera *camera = data;
    buffer->user_data = NULL;
    for (int index = 0; index < MOST_BUFFERS; ++index) {
        if (camera->buffers[index]) continue;
        camera->buffers[index] = buffer;
        break;
    }
}

static void on_buffer_end(void *data, struct pw_buffer *buffer) {
    cpipewire_camera *camera = data;
    for (int index = 0; index < MOST_BUFFERS; ++index)
        if (camera->buffers[index] == buffer) camera->buffers[index] = NULL;
}

static void on_core_error(void *data, uint32_t id, int sequence, int result, const char *message) {
    (void)sequence, (void)message;
    if (id == PW_ID_CORE) lose(data, -result);
}

static void on_state(void *data, enum pw_stream_state old, enum pw_stream_state state, const char *message) {
    (void)old, (void)message;
    cpipewire_camera *camera = data;
    switch (state) {
    case PW_STREAM_STATE_ERROR:
    case PW_STREAM_STATE_UNCONNECTED: lose(camera, EPIPE); break;
    case PW_STREAM_STATE_CONNECTING: break;
    case PW_STREAM_STATE_PAUSED:
    case PW_STREAM_STATE_STREAMING:
        atomic_store(&camera->error, 0);
        camera->wait_milliseconds = FIRST_WAIT_MILLISECONDS;
        set_streaming(camera, state == PW_STREAM_STATE_STREAMING);
        break;
    }
}

static void on_parameter(void *data, uint32_t id, const struct spa_pod *parameter) {
    cpipewire_camera *camera = data;
    if (id != SPA_PARAM_Format) return;
    camera->format = -1;
    struct spa_video_info_raw chosen = {0};
    if (!parameter || spa_format_video_raw_parse(parameter, &chosen) < 0) return;
    for (int index = 0; index < FORMAT_COUNT; ++index)
        if (formats[index].name == chosen.format) camera->format = index;
    if (camera->format < 0 || chosen.size.width != camera->width || chosen.size.height != camera->height) return;
    uint8_t memory[512];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(memory, sizeof memory);
    int32_t size = (int32_t)cpipewire_size(formats[camera->format].format, camera->width, camera->height);
    const struct spa_pod *parameters[] = {
        spa_pod_builder_add_object(
            &builder, SPA_TYPE_OBJECT_ParamBuffers, SPA_PARAM_Buffers, SPA_PARAM_BUFFERS_buffers,
            SPA_POD_CHOICE_RANGE_Int(8, 2, MOST_BUFFERS), SPA_PARAM_BUFFERS_blocks, SPA_POD_Int(1), SPA_PARAM_BUFFERS_size,
            SPA_POD_Int(size), SPA_PARAM_BUFFERS_stride,
            SPA_POD_Int((int32_t)(formats[camera->format].bytes * camera->width)), SPA_PARAM_BUFFERS_dataType,
            SPA_POD_CHOICE_FLAGS_Int(1 << SPA_DATA_MemFd | 1 << SPA_DATA_MemPtr)),
        spa_pod_builder_add_object(
            &builder, SPA_TYPE_OBJECT_ParamMeta, SPA_PARAM_Meta, SPA_PARAM_META_type, SPA_POD_Id(SPA_META_Header),
            SPA_PARAM_META_size, SPA_POD_Int(sizeof(struct spa_meta_header))),
    };
    library.pw_stream_update_params(camera->stream, parameters, 2);
    camera->is_due = true;
}

static const struct pw_core_events core_events = {PW_VERSION_CORE_EVENTS, .error = on_core_error};

static const struct pw_stream_events stream_events = {
    PW_VERSION_STREAM_EVENTS,
    .state_changed = on_state,
    .param_changed = on_parameter,
    .add_buffer = on_buffer,
    .remove_buffer = on_buffer_end,
    .process = on_process,
};

static const struct spa_pod *offer_format(cpipewire_camera *camera, struct spa_pod_builder *builder, int index) {
    bool is_rgb = formats[index].format == CPIPEWIRE_RGBA;
    struct spa_video_info_raw info = {
        .format = formats[index].name,
        .size = SPA_RECTANGLE(camera->width, camera->height),
        .framerate = camera->rate,
        .color_range = is_rgb ? SPA_VIDEO_COLOR_RANGE_0_255 : SPA_VIDEO_COLOR_RANGE_16_235,
        .color_matrix = is_rgb ? SPA_VIDEO_COLOR_MATRIX_RGB : SPA_VIDEO_COLOR_MATRIX_BT601,
        .chroma_site = is_rgb ? SPA_VIDEO_CHROMA_SITE_UNKNOWN : SPA_VIDEO_CHROMA_SITE_JPEG,
        .transfer_function = is_rgb ? SPA_VIDEO_TRANSFER_SRGB : SPA_VIDEO_TRANSFER_BT709,
        .color_primaries = SPA_VIDEO_COLOR_PRIMARIES_BT709,
    };
    return spa_format_video_raw_build(builder, SPA_PARAM_EnumFormat, &info);
}

static void disconnect(cpipewire_camera *camera) {
    camera->format = -1;
    memset(camera->buffers, 0, sizeof camera->buffers);
    if (camera->stream) {
        spa_hook_remove(&camera->stream_listener);
        library.pw_stream_destroy(camera->stream);
    }
    if (camera->core) {
        spa_hook_remove(&camera->core_listener);
        library.pw_core_disconnect(camera->core);
    }
    camera->stream = NULL;
    camera->core = NULL;
}

static bool try_to_connect(cpipewire_camera *camera) {
    if (!camera->context) camera->context = library.pw_context_new(camera->loop, NULL, 0);
    if (!camera->context) return false;
    camera->core = cpipewire_connect(camera->context, camera->socket);
    if (!camera->core) return false;
    pw_core_add_listener(camera->core, &camera->core_listener, &core_events, camera);
    camera->stream = library.pw_stream_new(
        camera->core, camera->name,
        library.pw_properties_new(
            PW_KEY_MEDIA_CLASS, "Video/Source", PW_KEY_MEDIA_ROLE, "Camera", PW_KEY_NODE_NAME, camera->name,
            PW_KEY_NODE_DESCRIPTION, camera->name, NULL));
    if (!camera->stream) return false;
    library.pw_stream_add_listener(camera->stream, &camera->stream_listener, &stream_events, camera);
    uint8_t memory[4096];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(memory, sizeof memory);
    const struct spa_pod *parameters[FORMAT_COUNT];
    for (int index = 0; index < FORMAT_COUNT; ++index) parameters[index] = offer_format(camera, &builder, index);
    int result = library.pw_stream_connect(
        camera->stream, PW_DIRECTION_OUTPUT, PW_ID_ANY, PW_STREAM_FLAG_DRIVER | PW_STREAM_FLAG_MAP_BUFFERS, parameters,
        FORMAT_COUNT);
    errno = -result;
    return result >= 0;
}

static void on_connection(void *data, uint64_t count) {
    (void)count;
    cpipewire_camera *camera = data;
    disconnect(camera);
    if (!try_to_connect(camera)) lose(camera, errno);
}

// MARK: Life

void cpipewire_camera_free(cpipewire_camera *camera) {
    if (!camera) return;
    if (camera->thread) library.pw_thread_loop_stop(camera->thread);
    disconnect(camera);
    if (camera->context) library.pw_context_destroy(camera->context);
    struct spa_source *sources[] = {camera->offered, camera->repetition, camera->connection};
    for (size_t index = 0; index < sizeof sources / sizeof *sources; ++index)
        if (sources[index]) pw_loop_destroy_source(camera->loop, sources[index]);
    if (camera->thread) library.pw_thread_loop_destroy(camera->thread);
    pthread_mutex_destroy(&camera->lock);
    pthread_mutex_destroy(&camera->offering);
    free(camera->copied);
    free(camera->picture);
    free(camera->waiting);
    free(camera->name);
    free(camera->socket);
    free(camera);
}

cpipewire_camera *cpipewire_camera_new(
    const char *name, uint32_t width, uint32_t height, uint32_t rate, uint32_t rate_seconds, const char *socket) {
    cpipewire_initialise();
    cpipewire_camera *camera = calloc(1, sizeof *camera);
    if (!camera) return NULL;
    pthread_mutex_init(&camera->lock, NULL);
    pthread_mutex_init(&camera->offering, NULL);
    camera->width = width;
    camera->height = height;
    camera->rate = SPA_FRACTION(rate, rate_seconds);
    camera->format = -1;
    camera->wait_milliseconds = FIRST_WAIT_MILLISECONDS;
    atomic_store(&camera->error, -1);
    size_t size = 4 * (size_t)width * height;
    camera->name = strdup(name);
    camera->socket = socket ? strdup(socket) : NULL;
    // The system gives the memory only when it is written to.
    camera->copied = malloc(size);
    camera->picture = malloc(size);
    camera->waiting = malloc(size);
    camera->thread = library.pw_thread_loop_new("pipewire", NULL);
    if (!camera->name || (socket && !camera->socket) || !camera->copied || !camera->picture || !camera->waiting || !camera->thread) goto failed;
    camera->loop = library.pw_thread_loop_get_loop(camera->thread);
    camera->offered = pw_loop_add_event(camera->loop, on_offered, camera);
    camera->repetition = pw_loop_add_timer(camera->loop, on_repetition, camera);
    camera->connection = pw_loop_add_timer(camera->loop, on_connection, camera);
    if (!camera->offered || !camera->repetition || !camera->connection) goto failed;
    set_timer(camera, camera->connection, 0);
    if (library.pw_thread_loop_start(camera->thread) == 0) return camera;
failed:
    cpipewire_camera_free(camera);
    return NULL;
}

cpipewire_status cpipewire_camera_status(cpipewire_camera *camera) {
    return (cpipewire_status){
        .error = atomic_load(&camera->error),
        .is_watched = atomic_load(&camera->is_watched),
        .awaits_picture = atomic_load(&camera->awaits_picture),
        .sent = atomic_load(&camera->sent),
    };
}
