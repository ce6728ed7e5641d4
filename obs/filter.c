// "Bauta", a filter of OBS for everything that shows a picture: settings, properties, hotkeys, and OBS's calls.
//
// It is one filter for two kinds of sources. OBS offers filters with OBS_SOURCE_ASYNC for cameras and media files only, but
// calls `filter_video` of any filter: so what comes as frames in memory is masked as it comes, in YUV, and the rest as a
// texture.
#include "filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <util/platform.h>

OBS_DECLARE_MODULE()
OBS_MODULE_USE_DEFAULT_LOCALE("obs-bauta", "en-US")

#define MASK "mask"
#define MASK_FILE "mask_file"
#define IS_WORN "is_worn"
#define STRENGTH "strength"
#define FACES "faces"
#define WHEN_LOST "when_lost"
#define OCCLUDERS "occluders"
#define COVER "anonymise"
#define IS_COVERED "is_covered"
// The value of MASK that stands for MASK_FILE. No mask's name has a slash.
#define FROM_FILE "/"

// Pictures further apart have nothing to do with each other.
static const uint64_t longest_step_nanoseconds = 1000000000;

// How long the next frame of a source is waited for. A source may have but one, such as a picture that a media source shows.
static const uint64_t patience_nanoseconds = 250000000;

static const char *const words_of_faces[] = {"all", "largest", "2", "3", "4", NULL};
static const char *const words_of_lost[] = {"keep", "hide", "blur", NULL};
static const char *const words_of_occluders[] = {"mask", "hands", "none", NULL};
static const char *const words_of_cover[] = {"", "solid", "face", "mosaic", "blur", NULL};

double picture_seconds(struct picture_clock *clock, uint64_t nanoseconds, bool *is_first) {
    const uint64_t last = clock->last_nanoseconds;
    *is_first = last == 0 || nanoseconds < last || nanoseconds - last > longest_step_nanoseconds;
    if (*is_first) {
        blog(LOG_DEBUG, "obs-bauta: begins anew: the time is %llu ns after %llu ns", (unsigned long long)nanoseconds,
            (unsigned long long)last);
    }
    // A jump counts as an ordinary step.
    clock->seconds += *is_first ? 1.0 / 30 : (double)(nanoseconds - last) / 1e9;
    clock->last_nanoseconds = nanoseconds;
    return clock->seconds;
}

void draw_under(struct under under) {
    const uint32_t flags = obs_source_get_output_flags(under.parent);
    if (under.target == under.parent && !(flags & (OBS_SOURCE_CUSTOM_DRAW | OBS_SOURCE_ASYNC))) {
        obs_source_default_render(under.target);
    } else {
        obs_source_video_render(under.target);
    }
}

void draw_cover(struct under under) {
    const uint32_t width = obs_source_get_base_width(under.target), height = obs_source_get_base_height(under.target);
    if (!width || !height) return;
    gs_effect_t *effect = obs_get_base_effect(OBS_EFFECT_SOLID);
    struct vec4 colour;
    vec4_set(&colour, 40 / 255.0f, 40 / 255.0f, 44 / 255.0f, 1);
    gs_effect_set_vec4(gs_effect_get_param_by_name(effect, "color"), &colour);
    const bool was_srgb = gs_framebuffer_srgb_enabled();
    gs_enable_framebuffer_srgb(false);
    while (gs_effect_loop(effect, "Solid")) gs_draw_sprite(NULL, 0, width, height);
    gs_enable_framebuffer_srgb(was_srgb);
}

// Settings

static void copy_text(char *text, size_t size, obs_data_t *settings, const char *name) {
    snprintf(text, size, "%s", obs_data_get_string(settings, name));
}

void forget_frame(struct filter *filter) {
    atomic_store(&filter->returned_nanoseconds, 0);
    atomic_store(&filter->has_frame, false);
}

// Whether pictures that were masked with one may show faces that the other hides.
static bool protects_otherwise(const struct masker_settings *one, const struct masker_settings *other) {
    return strcmp(one->cover, other->cover) != 0 || strcmp(one->when_lost, other->when_lost) != 0
        || !one->mask[0] != !other->mask[0];
}

static void update(void *data, obs_data_t *settings) {
    struct filter *filter = data;
    struct masker_settings wanted = {.opacity = (double)obs_data_get_int(settings, STRENGTH) / 100};
    if (obs_data_get_bool(settings, IS_WORN)) {
        const bool is_file = strcmp(obs_data_get_string(settings, MASK), FROM_FILE) == 0;
        copy_text(wanted.mask, sizeof wanted.mask, settings, is_file ? MASK_FILE : MASK);
        // OBS chooses either files or folders. A mask's folder is named by its manifest.
        char *manifest = is_file ? strrchr(wanted.mask, '/') : NULL;
        if (manifest && strcmp(manifest, "/mask.json") == 0) *manifest = 0;
        // No mask would mean that faces are to be seen. This one cannot be loaded, which is shown as a problem.
        if (!wanted.mask[0]) snprintf(wanted.mask, sizeof wanted.mask, "%s", FROM_FILE);
    }
    copy_text(wanted.faces, sizeof wanted.faces, settings, FACES);
    copy_text(wanted.when_lost, sizeof wanted.when_lost, settings, WHEN_LOST);
    copy_text(wanted.occluders, sizeof wanted.occluders, settings, OCCLUDERS);
    copy_text(wanted.cover, sizeof wanted.cover, settings, COVER);
    atomic_store(&filter->is_covered, obs_data_get_bool(settings, IS_COVERED));
    const uint64_t number = filter->masker ? masker_set(filter->masker, &wanted) : 0;
    const bool is_protecting = wanted.cover[0] || (strcmp(wanted.when_lost, "") != 0
        && strcmp(wanted.when_lost, "keep") != 0 && strcmp(wanted.when_lost, "hide") != 0);
    if (is_protecting && protects_otherwise(&wanted, &filter->settings)) {
        atomic_store(&filter->safe_from, number);
        forget_frame(filter);
    }
    atomic_store(&filter->is_protecting, is_protecting);
    filter->settings = wanted;
}

static void set_defaults(obs_data_t *settings) {
    obs_data_set_default_string(settings, MASK, "bauta");
    obs_data_set_default_bool(settings, IS_WORN, true);
    obs_data_set_default_int(settings, STRENGTH, 100);
    obs_data_set_default_string(settings, FACES, words_of_faces[0]);
    obs_data_set_default_string(settings, WHEN_LOST, words_of_lost[0]);
    obs_data_set_default_string(settings, OCCLUDERS, words_of_occluders[0]);
    obs_data_set_default_string(settings, COVER, words_of_cover[0]);
}

// Properties

static void add_list(obs_properties_t *properties, const char *name, const char *title, const char *const words[]) {
    obs_property_t *list = obs_properties_add_list(
        properties, name, obs_module_text(title), OBS_COMBO_TYPE_LIST, OBS_COMBO_FORMAT_STRING);
    for (; *words; ++words) {
        char key[64];
        snprintf(key, sizeof key, "%s.%s", title, *words);
        obs_property_list_add_string(list, obs_module_text(key), *words);
    }
}

// What cannot be chosen together is greyed.
static bool show_possible(obs_properties_t *properties, obs_property_t *property, obs_data_t *settings) {
    (void)property;
    const bool is_masking = !obs_data_get_string(settings, COVER)[0];
    const char *const names[] = {MASK, MASK_FILE, IS_WORN, STRENGTH, FACES, WHEN_LOST, OCCLUDERS};
    for (size_t index = 0; index < sizeof names / sizeof *names; ++index) {
        obs_property_set_enabled(obs_properties_get(properties, names[index]), is_masking);
    }
    obs_property_set_visible(
        obs_properties_get(properties, MASK_FILE), strcmp(obs_data_get_string(settings, MASK), FROM_FILE) == 0);
    return true;
}

static void add_masks(obs_properties_t *properties, struct filter *filter) {
    obs_property_t *list = obs_properties_add_list(
        properties, MASK, obs_module_text("Mask"), OBS_COMBO_TYPE_LIST, OBS_COMBO_FORMAT_STRING);
    obs_property_set_modified_callback(list, show_possible);
    obs_data_t *settings = filter ? obs_source_get_settings(filter->source) : NULL;
    const char *chosen = settings ? obs_data_get_string(settings, MASK) : "";
    bool is_listed = !chosen[0] || strcmp(chosen, FROM_FILE) == 0;
    char name[MASKER_TEXT];
    for (size_t index = 0; filter && filter->masker && masker_mask_name(filter->masker, index, name); ++index) {
        obs_property_list_add_string(list, name, name);
        is_listed = is_listed || strcmp(name, chosen) == 0;
    }
    // A choice is not lost where its mask is missing.
    if (!is_listed) obs_property_list_add_string(list, chosen, chosen);
    obs_property_list_add_string(list, obs_module_text("Mask.File"), FROM_FILE);
    obs_data_release(settings);
}

static void add_problem(obs_properties_t *properties, struct filter *filter) {
    char problem[MASKER_TEXT] = "";
    if (!filter || !filter->masker) {
        const char *missing = masker_library_problem();
        snprintf(problem, sizeof problem, "%s", missing ? missing : "");
    } else {
        masker_problem(filter->masker, problem);
    }
    if (!problem[0]) return;
    obs_property_t *text = obs_properties_add_text(properties, "problem", problem, OBS_TEXT_INFO);
    obs_property_text_set_info_type(text, OBS_TEXT_INFO_ERROR);
    obs_property_text_set_info_word_wrap(text, true);
}

static obs_properties_t *get_properties(void *data) {
    struct filter *filter = data;
    obs_properties_t *properties = obs_properties_create();
    add_problem(properties, filter);
    add_masks(properties, filter);
    obs_properties_add_path(
        properties, MASK_FILE, obs_module_text("MaskFile"), OBS_PATH_FILE, "Bauta (*.bauta mask.json)", NULL);
    obs_properties_add_bool(properties, IS_WORN, obs_module_text("Worn"));
    obs_property_t *strength =
        obs_properties_add_int_slider(properties, STRENGTH, obs_module_text("Strength"), 0, 100, 1);
    obs_property_int_set_suffix(strength, " %");
    add_list(properties, FACES, "Faces", words_of_faces);
    add_list(properties, WHEN_LOST, "WhenLost", words_of_lost);
    add_list(properties, OCCLUDERS, "Occluders", words_of_occluders);
    add_list(properties, COVER, "Anonymise", words_of_cover);
    obs_property_set_modified_callback(obs_properties_get(properties, COVER), show_possible);
    obs_properties_add_bool(properties, IS_COVERED, obs_module_text("Covered"));
    return properties;
}

// Called by the masker's thread.
static void show_change(void *context, const char *problem) {
    struct filter *filter = context;
    if (problem[0]) {
        blog(LOG_WARNING, "obs-bauta: '%s': %s", obs_source_get_name(filter->source), problem);
    }
    obs_source_update_properties(filter->source);
}

// Hotkeys. They belong to the source under the filter, because OBS does not register those of filters that a scene has loaded.

// Changes a setting as the properties would. OBS calls `update` with its next frame.
static void save_change(struct filter *filter, void (*change)(struct filter *filter, obs_data_t *settings)) {
    obs_data_t *settings = obs_source_get_settings(filter->source);
    change(filter, settings);
    obs_data_release(settings);
    obs_source_update(filter->source, NULL);
    obs_source_update_properties(filter->source);
}

static void choose_next(struct filter *filter, obs_data_t *settings) {
    const char *chosen = obs_data_get_string(settings, MASK);
    char first[MASKER_TEXT] = "", name[MASKER_TEXT], next[MASKER_TEXT] = "";
    for (size_t index = 0; masker_mask_name(filter->masker, index, name); ++index) {
        if (!first[0]) memcpy(first, name, sizeof first);
        if (next[0] || strcmp(name, chosen) <= 0) continue;
        memcpy(next, name, sizeof next);
    }
    if (!first[0]) return;
    obs_data_set_string(settings, MASK, next[0] ? next : first);
    obs_data_set_bool(settings, IS_WORN, true);
}

static void toggle_cover(struct filter *filter, obs_data_t *settings) {
    const bool is_covered = !obs_data_get_bool(settings, IS_COVERED);
    obs_data_set_bool(settings, IS_COVERED, is_covered);
    // At once.
    atomic_store(&filter->is_covered, is_covered);
}

static void toggle_mask(struct filter *filter, obs_data_t *settings) {
    (void)filter;
    obs_data_set_bool(settings, IS_WORN, !obs_data_get_bool(settings, IS_WORN));
}

static void press_next(void *data, obs_hotkey_id id, obs_hotkey_t *hotkey, bool is_pressed) {
    (void)id, (void)hotkey;
    struct filter *filter = data;
    if (is_pressed && filter->masker) save_change(filter, choose_next);
}

static void press_cover(void *data, obs_hotkey_id id, obs_hotkey_t *hotkey, bool is_pressed) {
    (void)id, (void)hotkey;
    if (is_pressed) save_change(data, toggle_cover);
}

static void press_off(void *data, obs_hotkey_id id, obs_hotkey_t *hotkey, bool is_pressed) {
    (void)id, (void)hotkey;
    if (is_pressed) save_change(data, toggle_mask);
}

// In OBS's main thread: it handles what OBS signals then, and waits for other threads that register hotkeys, which wait for it.
// Takes the reference to the filter.
static void register_hotkeys(void *data) {
    struct filter *filter = data;
    static const struct {
        const char *name, *title;
        obs_hotkey_func press;
    } kinds[HOTKEY_COUNT] = {
        {"next", "Hotkey.Next", press_next},
        {"cover", "Hotkey.Cover", press_cover},
        {"off", "Hotkey.Off", press_off},
    };
    obs_source_t *parent = obs_source_get_ref(obs_filter_get_parent(filter->source));
    pthread_mutex_lock(&filter->hotkey_lock);
    if (parent && parent != filter->removed_from && !filter->has_hotkeys) {
        const char *filter_name = obs_source_get_name(filter->source);
        for (int index = 0; index < HOTKEY_COUNT; ++index) {
            // A source may have two of these filters.
            char name[512], title[512];
            snprintf(name, sizeof name, "obs-bauta.%s.%s", kinds[index].name, filter_name);
            snprintf(title, sizeof title, "%s: %s", filter_name, obs_module_text(kinds[index].title));
            filter->hotkeys[index] = obs_hotkey_register_source(parent, name, title, kinds[index].press, filter);
        }
        filter->has_hotkeys = true;
    }
    pthread_mutex_unlock(&filter->hotkey_lock);
    obs_source_release(parent);
    atomic_store(&filter->is_registering, false);
    obs_source_release(filter->source);
}

// In OBS's graphics thread.
static void ask_for_hotkeys(struct filter *filter) {
    if (atomic_load(&filter->has_hotkeys) || atomic_load(&filter->is_registering)) return;
    obs_source_t *parent = obs_filter_get_parent(filter->source);
    pthread_mutex_lock(&filter->hotkey_lock);
    if (!parent) filter->removed_from = NULL;
    const bool is_wanted = parent && parent != filter->removed_from;
    pthread_mutex_unlock(&filter->hotkey_lock);
    if (!is_wanted || !obs_source_get_ref(filter->source)) return;
    atomic_store(&filter->is_registering, true);
    obs_queue_task(OBS_TASK_UI, register_hotkeys, filter, false);
}

// - parent: the source that the filter is being removed from, if any.
static void unregister_hotkeys(struct filter *filter, obs_source_t *parent) {
    pthread_mutex_lock(&filter->hotkey_lock);
    filter->removed_from = parent;
    const bool has_hotkeys = filter->has_hotkeys;
    filter->has_hotkeys = false;
    pthread_mutex_unlock(&filter->hotkey_lock);
    // OBS waits here for a hotkey that is being pressed.
    for (int index = 0; has_hotkeys && index < HOTKEY_COUNT; ++index) obs_hotkey_unregister(filter->hotkeys[index]);
}

// OBS's calls

static const char *get_name(void *type) {
    (void)type;
    return obs_module_text("Bauta");
}

// While the filter was disabled, the source's texture was not masked.
static void note_enabled(void *data, calldata_t *values) {
    (void)values;
    struct filter *filter = data;
    forget_frame(filter);
}

static void *create(obs_data_t *settings, obs_source_t *source) {
    struct filter *filter = bzalloc(sizeof *filter);
    filter->source = source;
    pthread_mutex_init(&filter->hotkey_lock, NULL);
    const char *missing = masker_library_problem();
    if (missing) {
        blog(LOG_ERROR, "obs-bauta: '%s': %s", obs_source_get_name(source), missing);
    } else {
        filter->masker = masker_create(show_change, filter);
        if (!filter->masker) blog(LOG_ERROR, "obs-bauta: '%s': no thread", obs_source_get_name(source));
    }
    update(filter, settings);
    signal_handler_connect(obs_source_get_signal_handler(source), "enable", note_enabled, filter);
    return filter;
}

static void remove_from(void *data, obs_source_t *parent) {
    struct filter *filter = data;
    unregister_hotkeys(filter, parent);
    // Another source may get it.
    atomic_store(&filter->has_old_frames, true);
    atomic_store(&filter->has_old_textures, true);
    if (filter->masker) release_frames(filter, parent);
}

static void destroy(void *data) {
    struct filter *filter = data;
    signal_handler_disconnect(obs_source_get_signal_handler(filter->source), "enable", note_enabled, filter);
    unregister_hotkeys(filter, NULL);
    if (filter->masker) {
        release_textures(filter);
        masker_destroy(filter->masker);
    }
    blog(LOG_INFO,
        "obs-bauta: '%s': %llu pictures, %llu not in time; held OBS's graphics thread in %llu calls for %.2f ms "
        "(median), %.2f ms (99th percentile), %.2f ms (maximum); it was running for %.2f, %.2f, %.2f ms of these",
        obs_source_get_name(filter->source), (unsigned long long)filter->pictures,
        (unsigned long long)filter->pictures_late, (unsigned long long)filter->held.calls,
        held_time_milliseconds(&filter->held, 0.5), held_time_milliseconds(&filter->held, 0.99),
        held_time_milliseconds(&filter->held, 1), held_time_milliseconds(&filter->running, 0.5),
        held_time_milliseconds(&filter->running, 0.99), held_time_milliseconds(&filter->running, 1));
    pthread_mutex_destroy(&filter->hotkey_lock);
    bfree(filter);
}

static void video_tick(void *data, float seconds) {
    (void)seconds;
    struct filter *filter = data;
    atomic_store(&filter->has_masked_texture, false);
    ask_for_hotkeys(filter);
}

// The call that began at `start` ends. What OBS would have drawn without the filter does not count.
static void note_held(struct filter *filter, struct instant start, struct instant drawing) {
    const struct instant end = now();
    held_time_add(&filter->held, end.time - start.time - drawing.time);
    held_time_add(&filter->running, end.running - start.running - drawing.running);
}

static struct obs_source_frame *filter_video(void *data, struct obs_source_frame *frame) {
    struct filter *filter = data;
    if (!filter->masker) return frame;
    const struct instant start = now();
    frame = mask_frame(filter, frame);
    note_held(filter, start, (struct instant){0});
    return frame;
}

// Whether the source's texture is a masked frame, or will be with the next frame.
static bool shows_frames(struct filter *filter, struct under under) {
    if (!(obs_source_get_output_flags(under.parent) & OBS_SOURCE_ASYNC) || !filter->takes_frames) return false;
    if (atomic_load(&filter->has_old_frames)) return false;
    if (is_for_texture(filter, under.parent)) return false;
    // OBS makes a texture of a frame when the source is drawn, and only in the frame in which it was returned. Other threads, which
    // take screenshots, may draw in between.
    if (filter->returned_nanoseconds == obs_get_video_frame_time() && obs_in_task_thread(OBS_TASK_GRAPHICS)) {
        atomic_store(&filter->has_frame, true);
    }
    return atomic_load(&filter->has_frame)
        || obs_get_video_frame_time() - filter->last_frame_nanoseconds < patience_nanoseconds;
}

static void draw(struct filter *filter, struct under under) {
    const bool is_protecting = atomic_load(&filter->is_protecting);
    if (atomic_load(&filter->is_covered)) {
        draw_cover(under);
    } else if (!filter->masker) {
        if (is_protecting) {
            draw_cover(under);
        } else {
            draw_under(under);
        }
    } else if (shows_frames(filter, under)) {
        if (atomic_load(&filter->has_frame) && !(is_protecting && atomic_load(&filter->has_failed))) {
            draw_under(under);
        } else if (is_protecting) {
            draw_cover(under);
        } else if (atomic_load(&filter->returned_nanoseconds)) {
            // It is not on the screen: only screenshots draw it.
            draw_under(under);
        }
    } else {
        const struct instant start = now();
        note_held(filter, start, mask_texture(filter, under));
    }
}

static void video_render(void *data, gs_effect_t *effect) {
    (void)effect;
    struct filter *filter = data;
    const struct under under = {
        .target = obs_source_get_ref(obs_filter_get_target(filter->source)),
        .parent = obs_source_get_ref(obs_filter_get_parent(filter->source)),
    };
    if (under.target && under.parent) draw(filter, under);
    obs_source_release(under.target);
    obs_source_release(under.parent);
}

static enum gs_color_space get_color_space(void *data, size_t count, const enum gs_color_space *preferred) {
    (void)data, (void)count, (void)preferred;
    return GS_CS_SRGB;
}

static struct obs_source_info info = {
    .id = "bauta_filter",
    .type = OBS_SOURCE_TYPE_FILTER,
    .output_flags = OBS_SOURCE_VIDEO | OBS_SOURCE_SRGB,
    .get_name = get_name,
    .create = create,
    .destroy = destroy,
    .update = update,
    .get_defaults = set_defaults,
    .get_properties = get_properties,
    .filter_remove = remove_from,
    .video_tick = video_tick,
    .filter_video = filter_video,
    .video_render = video_render,
    .video_get_color_space = get_color_space,
};

bool obs_module_load(void) {
    const char *missing = masker_library_problem();
    if (missing) blog(LOG_ERROR, "obs-bauta: %s", missing);
    // The filter is there without the library, too, so that scenes keep their settings.
    obs_register_source(&info);
    return true;
}

const char *obs_module_name(void) { return "Bauta"; }
const char *obs_module_description(void) { return obs_module_text("Description"); }
