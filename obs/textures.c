// Pictures that are only on the graphics card: browsers, captures, images, and sources with other filters.
//
// One frame copies the picture to memory that can be read, the next one hands that memory to the masker, and the one after it
// shows the result. So nothing waits for the graphics card, and the masker's thread does the copying.
#include "filter.h"

enum { NONE = -1 };

struct textures {
    uint32_t width, height;
    gs_texrender_t *drawn;
    // The masker reads one while the other is copied into.
    gs_stagesurf_t *staged[2];
    // The masker writes into one while the other is shown.
    gs_texture_t *masked[2];
    // Indices of `staged` and `masked` that the masker has.
    int read, written;
    // What holds a picture that the masker has not had, and its time.
    int waiting;
    uint64_t waiting_nanoseconds;
    // What is shown.
    int shown;
    bool shown_has_failed;
    uint64_t shown_settings;
};

// In OBS's graphics context.
static void free_textures(struct textures *textures) {
    if (!textures) return;
    gs_texrender_destroy(textures->drawn);
    for (int index = 0; index < 2; ++index) {
        gs_stagesurface_destroy(textures->staged[index]);
        gs_texture_destroy(textures->masked[index]);
    }
    bfree(textures);
}

static struct textures *new_textures(uint32_t width, uint32_t height) {
    struct textures *textures = bzalloc(sizeof *textures);
    textures->width = width;
    textures->height = height;
    textures->read = textures->written = textures->waiting = textures->shown = NONE;
    textures->drawn = gs_texrender_create(GS_RGBA, GS_ZS_NONE);
    bool is_complete = textures->drawn;
    for (int index = 0; index < 2; ++index) {
        textures->staged[index] = gs_stagesurface_create(width, height, GS_RGBA);
        textures->masked[index] = gs_texture_create(width, height, GS_RGBA, 1, NULL, GS_DYNAMIC);
        is_complete = is_complete && textures->staged[index] && textures->masked[index];
    }
    if (is_complete) return textures;
    free_textures(textures);
    return NULL;
}

// The masker has finished with its textures.
static void take_back(struct textures *textures) {
    gs_stagesurface_unmap(textures->staged[textures->read]);
    gs_texture_unmap(textures->masked[textures->written]);
    textures->read = textures->written = NONE;
}

static void take_result(struct filter *filter) {
    struct textures *textures = filter->textures;
    struct masker_job job;
    if (!textures || !masker_take(filter->masker, MASKER_TEXTURE, &job)) return;
    const int written = textures->written;
    take_back(textures);
    textures->shown = written;
    textures->shown_has_failed = job.has_failed;
    textures->shown_settings = job.settings;
}

static void give_waiting(struct filter *filter) {
    struct textures *textures = filter->textures;
    if (textures->waiting == NONE || textures->read != NONE || !masker_is_idle(filter->masker)) return;
    const int read = textures->waiting, written = textures->shown == 0 ? 1 : 0;
    uint8_t *from, *to;
    uint32_t from_stride, to_stride;
    if (!gs_stagesurface_map(textures->staged[read], &from, &from_stride)) return;
    if (!gs_texture_map(textures->masked[written], &to, &to_stride)) {
        gs_stagesurface_unmap(textures->staged[read]);
        return;
    }
    struct masker_job job = {
        .kind = MASKER_TEXTURE,
        .picture = {
            .size = sizeof job.picture,
            .format = BAUTA_RGBA,
            .range = BAUTA_FULL,
            .width = textures->width,
            .height = textures->height,
        },
        .read = from,
        .read_stride = from_stride,
        .written = to,
        .written_stride = to_stride,
    };
    job.seconds = picture_seconds(&filter->clock, textures->waiting_nanoseconds, &job.is_first);
    struct masker_job replaced;
    textures->read = read;
    textures->written = written;
    if (masker_give(filter->masker, &job, &replaced)) {
        // A frame came first. The picture goes on waiting.
        take_back(textures);
        if (job.is_first) filter->clock.last_nanoseconds = 0;
        return;
    }
    textures->waiting = NONE;
}

// Draws what is under the filter, multiplied by alpha, in plain values of sRGB.
static void draw_target(struct under under, struct textures *textures) {
    gs_texrender_reset(textures->drawn);
    if (!gs_texrender_begin_with_color_space(textures->drawn, textures->width, textures->height, GS_CS_SRGB)) return;
    const bool was_linear = gs_set_linear_srgb(false);
    gs_blend_state_push();
    gs_blend_function_separate(GS_BLEND_SRCALPHA, GS_BLEND_INVSRCALPHA, GS_BLEND_ONE, GS_BLEND_INVSRCALPHA);
    struct vec4 nothing;
    vec4_zero(&nothing);
    gs_clear(GS_CLEAR_COLOR, &nothing, 0, 0);
    gs_ortho(0, (float)textures->width, 0, (float)textures->height, -100, 100);
    draw_under(under);
    gs_blend_state_pop();
    gs_set_linear_srgb(was_linear);
    gs_texrender_end(textures->drawn);
}

static void draw_result(gs_texture_t *texture) {
    const bool is_linear = gs_get_linear_srgb();
    const bool was_srgb = gs_framebuffer_srgb_enabled();
    gs_effect_t *effect = obs_get_base_effect(OBS_EFFECT_DEFAULT);
    gs_eparam_t *image = gs_effect_get_param_by_name(effect, "image");
    gs_enable_framebuffer_srgb(is_linear);
    if (is_linear) {
        gs_effect_set_texture_srgb(image, texture);
    } else {
        gs_effect_set_texture(image, texture);
    }
    gs_blend_state_push();
    gs_blend_function(GS_BLEND_ONE, GS_BLEND_INVSRCALPHA);
    while (gs_effect_loop(effect, "Draw")) gs_draw_sprite(texture, 0, 0, 0);
    gs_blend_state_pop();
    gs_enable_framebuffer_srgb(was_srgb);
}

// Whether there are textures of the size of what is under the filter.
static bool have_textures(struct filter *filter, uint32_t width, uint32_t height) {
    struct textures *textures = filter->textures;
    if (textures && textures->width == width && textures->height == height) return true;
    // The masker has them for some milliseconds.
    if (textures && textures->read != NONE) return false;
    free_textures(textures);
    filter->textures = new_textures(width, height);
    filter->clock.last_nanoseconds = 0;
    return filter->textures;
}

struct instant mask_texture(struct filter *filter, struct under under) {
    const uint32_t width = obs_source_get_base_width(under.target), height = obs_source_get_base_height(under.target);
    if (!width || !height) return (struct instant){0};
    struct instant drawing = {0};
    struct textures *textures = filter->textures;
    // Those of another size are never shown, and freed when the masker does not have them.
    if (atomic_exchange(&filter->has_old_textures, false) && textures) textures->width = 0;
    if (!atomic_load(&filter->has_masked_texture)) {
        take_result(filter);
        if (have_textures(filter, width, height)) {
            textures = filter->textures;
            atomic_store(&filter->has_masked_texture, true);
            filter->pictures += 1;
            give_waiting(filter);
            const struct instant start = now();
            draw_target(under, textures);
            drawing = now();
            drawing.time -= start.time;
            drawing.running -= start.running;
            gs_texture_t *drawn = gs_texrender_get_texture(textures->drawn);
            if (drawn) {
                if (textures->waiting != NONE) filter->pictures_late += 1;
                textures->waiting = textures->read == 0 ? 1 : 0;
                textures->waiting_nanoseconds = obs_get_video_frame_time();
                gs_stage_texture(textures->staged[textures->waiting], drawn);
            }
        }
    }
    textures = filter->textures;
    const bool fits = textures && textures->width == width && textures->height == height && textures->shown != NONE;
    const bool is_safe =
        fits && !textures->shown_has_failed && textures->shown_settings >= atomic_load(&filter->safe_from);
    if (atomic_load(&filter->is_protecting) && !is_safe) {
        draw_cover(under);
    } else if (fits) {
        draw_result(textures->masked[textures->shown]);
    }
    return drawing;
}

void release_textures(struct filter *filter) {
    struct masker_job job;
    // Not in the graphics context, for which OBS's thread waits.
    while (masker_clear(filter->masker, MASKER_TEXTURE, &job)) continue;
    obs_enter_graphics();
    if (filter->textures && filter->textures->read != NONE) take_back(filter->textures);
    free_textures(filter->textures);
    filter->textures = NULL;
    obs_leave_graphics();
}
