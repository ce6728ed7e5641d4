#include "connection.h"

#include <CDynamicLibrary.h>
#include <errno.h>
#include <linux/videodev2.h>
#include <spa/param/format-utils.h>
#include <spa/param/video/format-utils.h>
#include <spa/utils/string.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FUNCTIONS(F) \
    F(pw_context_destroy) F(pw_context_new) F(pw_core_disconnect) F(pw_loop_destroy) F(pw_loop_new) F(pw_proxy_destroy)

CDYNAMICLIBRARY(FUNCTIONS, "libpipewire-0.3.so.0")

enum {
    MOST_NODES = 32,
    MOST_MODES = 256,
    MOST_CHOICES = 64,
    LONGEST_TEXT = 256,
    // PipeWire answers at once, or does not work.
    PATIENCE_MILLISECONDS = 1000,
};

typedef struct {
    cpipewire_nodes *list;
    uint32_t id;
    uint64_t serial;
    char *name, *title, *device;
    struct pw_proxy *proxy;
    struct spa_hook listener;
    bool is_asked;
    cpipewire_mode modes[MOST_MODES];
    int mode_count;
} node;

struct cpipewire_nodes {
    node *nodes[MOST_NODES];
    int count;

    // Only until they have been listed.
    struct pw_core *core;
    struct pw_registry *registry;
    struct spa_hook core_listener, registry_listener;
    int awaited;
    bool is_answered;
    int error;
};

static char *copy_of(const struct spa_dict *properties, const char *key) {
    const char *text = spa_dict_lookup(properties, key);
    return text && *text ? strndup(text, LONGEST_TEXT) : NULL;
}

// MARK: Modes

// The values of a property, the preferred one first.
//
// Returns how many there are; 0 for those of another type.
static uint32_t values_of(
    const struct spa_pod_prop *property, uint32_t type, size_t size, const uint8_t **values, bool *is_range) {
    const struct spa_pod *pod = &property->value;
    *is_range = false;
    if (pod->type == type) {
        if (pod->size < size) return 0;
        *values = SPA_POD_BODY_CONST(pod);
        return 1;
    }
    if (pod->type != SPA_TYPE_Choice || pod->size < sizeof(struct spa_pod_choice_body)) return 0;
    const struct spa_pod_choice *choice = (const struct spa_pod_choice *)pod;
    if (choice->body.child.type != type || choice->body.child.size != size) return 0;
    const uint32_t count = (uint32_t)((pod->size - sizeof(struct spa_pod_choice_body)) / size);
    *values = (const uint8_t *)pod + sizeof(struct spa_pod_choice);
    switch (choice->body.type) {
    case SPA_CHOICE_Range:
    case SPA_CHOICE_Step: *is_range = count >= 3; return *is_range ? 3 : count ? 1 : 0;
    case SPA_CHOICE_Enum: return SPA_MIN(count, (uint32_t)MOST_CHOICES);
    default: return count ? 1 : 0;
    }
}

static void add_mode(node *node, uint32_t code, struct spa_rectangle size, double rate) {
    const cpipewire_mode mode = {
        .format = code, .width = size.width, .height = size.height, .rate = rate >= 0 && rate <= 1000 ? rate : 0};
    const uint32_t largest = CPIPEWIRE_LARGEST_SIDE;
    if (!code || size.width < 2 || size.height < 2 || size.width > largest || size.height > largest) return;
    for (int index = 0; index < node->mode_count; ++index) {
        const cpipewire_mode *other = &node->modes[index];
        if (other->format == code && other->width == mode.width && other->height == mode.height && other->rate == mode.rate)
            return;
    }
    if (node->mode_count < MOST_MODES) node->modes[node->mode_count++] = mode;
}

static void add_rates(node *node, uint32_t code, struct spa_rectangle size, const struct spa_pod_prop *rates) {
    const uint8_t *values = NULL;
    bool is_range = false;
    const uint32_t count =
        rates ? values_of(rates, SPA_TYPE_Fraction, sizeof(struct spa_fraction), &values, &is_range) : 0;
    if (!count) add_mode(node, code, size, 0);
    for (uint32_t index = 0; index < count; ++index) {
        // Of a range, the highest counts.
        struct spa_fraction rate;
        memcpy(&rate, values + (is_range ? 2 : index) * sizeof rate, sizeof rate);
        add_mode(node, code, size, rate.denom ? (double)rate.num / rate.denom : 0);
        if (is_range) break;
    }
}

static void add_sizes(
    node *node, uint32_t code, const struct spa_pod_prop *sizes, const struct spa_pod_prop *rates) {
    const uint8_t *values = NULL;
    bool is_range = false;
    const uint32_t count =
        sizes ? values_of(sizes, SPA_TYPE_Rectangle, sizeof(struct spa_rectangle), &values, &is_range) : 0;
    struct spa_rectangle size[MOST_CHOICES];
    if (count) memcpy(size, values, count * sizeof *size);
    if (!is_range) {
        // The first of an enumeration is the preferred one, which comes again.
        for (uint32_t index = 0; index < count; ++index) add_rates(node, code, size[index], rates);
        return;
    }
    // Of a range of sizes: the usual ones, the preferred and the largest one.
    static const struct spa_rectangle usual[] = {{640, 480}, {1280, 720}, {1920, 1080}};
    for (size_t index = 0; index < sizeof usual / sizeof *usual; ++index)
        if (usual[index].width >= size[1].width && usual[index].width <= size[2].width
            && usual[index].height >= size[1].height && usual[index].height <= size[2].height)
            add_rates(node, code, usual[index], rates);
    add_rates(node, code, size[0], rates);
    add_rates(node, code, size[2], rates);
}

static void on_parameter(
    void *data, int sequence, uint32_t id, uint32_t index, uint32_t next, const struct spa_pod *parameter) {
    (void)sequence, (void)index, (void)next;
    node *node = data;
    uint32_t type = 0, subtype = 0;
    if (id != SPA_PARAM_EnumFormat || !parameter || spa_format_parse(parameter, &type, &subtype) < 0) return;
    if (type != SPA_MEDIA_TYPE_video) return;
    const struct spa_pod_prop *sizes = spa_pod_find_prop(parameter, NULL, SPA_FORMAT_VIDEO_size);
    const struct spa_pod_prop *rates = spa_pod_find_prop(parameter, NULL, SPA_FORMAT_VIDEO_framerate);
    if (subtype == SPA_MEDIA_SUBTYPE_mjpg) return add_sizes(node, V4L2_PIX_FMT_MJPEG, sizes, rates);
    const struct spa_pod_prop *names = spa_pod_find_prop(parameter, NULL, SPA_FORMAT_VIDEO_format);
    if (subtype != SPA_MEDIA_SUBTYPE_raw || !names) return;
    const uint8_t *values = NULL;
    bool is_range = false;
    const uint32_t count = values_of(names, SPA_TYPE_Id, sizeof(uint32_t), &values, &is_range);
    for (uint32_t place = 0; place < count; ++place) {
        uint32_t name;
        memcpy(&name, values + place * sizeof name, sizeof name);
        add_sizes(node, cpipewire_code(name), sizes, rates);
    }
}

// MARK: Nodes

bool cpipewire_is_camera(const char *type, const struct spa_dict *properties, uint64_t *serial) {
    if (!properties || strcmp(type, PW_TYPE_INTERFACE_Node) != 0) return false;
    const char *class = spa_dict_lookup(properties, PW_KEY_MEDIA_CLASS);
    // Without it, screens that are shown to others would be cameras, too.
    const char *role = spa_dict_lookup(properties, PW_KEY_MEDIA_ROLE);
    return spa_streq(class, "Video/Source") && spa_streq(role, "Camera")
        && spa_atou64(spa_dict_lookup(properties, PW_KEY_OBJECT_SERIAL), serial, 10);
}

static void await_answer(cpipewire_nodes *list) {
    list->is_answered = false;
    list->awaited = pw_core_sync(list->core, PW_ID_CORE, list->awaited);
}

static void on_info(void *data, const struct pw_node_info *info) {
    node *node = data;
    if (info->change_mask & PW_NODE_CHANGE_MASK_PROPS && info->props && !node->name) {
        node->name = copy_of(info->props, PW_KEY_NODE_NAME);
        node->title = copy_of(info->props, PW_KEY_NODE_DESCRIPTION);
        if (!node->title) node->title = copy_of(info->props, PW_KEY_NODE_NICK);
        node->device = copy_of(info->props, "api.v4l2.path");
    }
    if (node->is_asked || !(info->change_mask & PW_NODE_CHANGE_MASK_PARAMS)) return;
    for (uint32_t index = 0; index < info->n_params; ++index) {
        if (info->params[index].id != SPA_PARAM_EnumFormat || !(info->params[index].flags & SPA_PARAM_INFO_READ)) continue;
        node->is_asked = true;
        pw_node_enum_params((struct pw_node *)node->proxy, 0, SPA_PARAM_EnumFormat, 0, UINT32_MAX, NULL);
        await_answer(node->list);
        break;
    }
}

static const struct pw_node_events node_events = {PW_VERSION_NODE_EVENTS, .info = on_info, .param = on_parameter};

static void on_global(
    void *data, uint32_t id, uint32_t permissions, const char *type, uint32_t version, const struct spa_dict *properties) {
    (void)permissions, (void)version;
    cpipewire_nodes *list = data;
    uint64_t serial = 0;
    if (list->count == MOST_NODES || !cpipewire_is_camera(type, properties, &serial)) return;
    node *added = calloc(1, sizeof *added);
    if (!added) return;
    added->list = list;
    added->id = id;
    added->serial = serial;
    added->proxy = pw_registry_bind(list->registry, id, type, PW_VERSION_NODE, 0);
    if (!added->proxy) return free(added);
    list->nodes[list->count++] = added;
    pw_node_add_listener((struct pw_node *)added->proxy, &added->listener, &node_events, added);
    await_answer(list);
}

static void on_global_end(void *data, uint32_t id) {
    cpipewire_nodes *list = data;
    for (int index = 0; index < list->count; ++index)
        if (list->nodes[index]->id == id) list->nodes[index]->serial = 0;
}

static const struct pw_registry_events registry_events = {
    PW_VERSION_REGISTRY_EVENTS, .global = on_global, .global_remove = on_global_end};

static void on_done(void *data, uint32_t id, int sequence) {
    cpipewire_nodes *list = data;
    if (id == PW_ID_CORE && sequence == list->awaited) list->is_answered = true;
}

static void on_error(void *data, uint32_t id, int sequence, int result, const char *message) {
    (void)sequence, (void)message;
    cpipewire_nodes *list = data;
    if (id == PW_ID_CORE) list->error = result < 0 ? -result : EPIPE;
}

static const struct pw_core_events core_events = {PW_VERSION_CORE_EVENTS, .done = on_done, .error = on_error};

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void listen_to(cpipewire_nodes *list, struct pw_loop *loop, bool is_portal) {
    pw_core_add_listener(list->core, &list->core_listener, &core_events, list);
    list->registry = pw_core_get_registry(list->core, PW_VERSION_REGISTRY, 0);
    if (!list->registry) {
        list->error = errno;
        spa_hook_remove(&list->core_listener);
        return;
    }
    pw_registry_add_listener(list->registry, &list->registry_listener, &registry_events, list);
    await_answer(list);
    const int64_t end = milliseconds() + PATIENCE_MILLISECONDS;
    pw_loop_enter(loop);
    // Through the portal, cameras are shown a little later, once WirePlumber has looked up the permission.
    while ((!list->is_answered || (is_portal && !list->count)) && !list->error) {
        const int64_t rest = end - milliseconds();
        if (rest <= 0 && list->is_answered) break;
        if (rest <= 0) list->error = ETIMEDOUT;
        else if (pw_loop_iterate(loop, (int)rest) < 0 && errno != EINTR) list->error = errno;
    }
    pw_loop_leave(loop);
    for (int index = 0; index < list->count; ++index) {
        spa_hook_remove(&list->nodes[index]->listener);
        library.pw_proxy_destroy(list->nodes[index]->proxy);
        list->nodes[index]->proxy = NULL;
    }
    spa_hook_remove(&list->registry_listener);
    library.pw_proxy_destroy((struct pw_proxy *)list->registry);
    spa_hook_remove(&list->core_listener);
}

cpipewire_nodes *cpipewire_nodes_new(const char *socket, int *error) {
    *error = ENOMEM;
    if (!cpipewire_is_available() || !is_available()) {
        *error = ENOENT;
        return NULL;
    }
    cpipewire_initialise();
    cpipewire_nodes *list = calloc(1, sizeof *list);
    if (!list) return NULL;
    struct pw_loop *loop = library.pw_loop_new(NULL);
    struct pw_context *context = loop ? library.pw_context_new(loop, NULL, 0) : NULL;
    if (!context) list->error = errno;
    list->core = context ? cpipewire_connect(context, socket) : NULL;
    if (context && !list->core) list->error = errno;
    if (list->core) {
        listen_to(list, loop, socket && strcmp(socket, CPIPEWIRE_PORTAL) == 0);
        library.pw_core_disconnect(list->core);
    }
    if (context) library.pw_context_destroy(context);
    if (loop) library.pw_loop_destroy(loop);
    *error = list->error;
    if (!list->error) return list;
    cpipewire_nodes_free(list);
    return NULL;
}

void cpipewire_nodes_free(cpipewire_nodes *list) {
    if (!list) return;
    for (int index = 0; index < list->count; ++index) {
        free(list->nodes[index]->name);
        free(list->nodes[index]->title);
        free(list->nodes[index]->device);
        free(list->nodes[index]);
    }
    free(list);
}

int cpipewire_nodes_count(const cpipewire_nodes *list) { return list->count; }

cpipewire_node cpipewire_node_at(const cpipewire_nodes *list, int index) {
    const node *node = list->nodes[index];
    return (cpipewire_node){
        .serial = node->serial, .name = node->name, .title = node->title, .device = node->device, .modes = node->modes,
        .mode_count = node->mode_count};
}
