// Frames of cameras and media files, which are masked in OBS's memory, in the format that they come in, without a copy.
#include "filter.h"

#include <math.h>

// Which matrix the frame's is: OBS keeps numbers. Returns false for one that the library does not have.
static bool find_matrix(const struct obs_source_frame *frame, bauta_matrix *matrix) {
    static const struct {
        enum video_colorspace space;
        bauta_matrix matrix;
    } known[] = {{VIDEO_CS_601, BAUTA_BT601}, {VIDEO_CS_709, BAUTA_BT709}};
    const enum video_range_type range = frame->full_range ? VIDEO_RANGE_FULL : VIDEO_RANGE_PARTIAL;
    for (size_t index = 0; index < sizeof known / sizeof *known; ++index) {
        float values[16], least[3], most[3];
        if (!video_format_get_parameters(known[index].space, range, values, least, most)) continue;
        float difference = 0;
        for (int value = 0; value < 12; ++value) {
            // Without the offsets, which the range decides.
            if (value % 4 != 3) difference = fmaxf(difference, fabsf(values[value] - frame->color_matrix[value]));
        }
        if (difference > 0.01f) continue;
        *matrix = known[index].matrix;
        return true;
    }
    return false;
}

// Describes a frame for the library. Returns false if its texture must be masked instead.
static bool describe(const struct obs_source_frame *frame, struct masker_job *job) {
    bauta_format format;
    int planes = 1;
    bool is_yuv = true;
    switch (frame->format) {
        case VIDEO_FORMAT_I420: format = BAUTA_I420; planes = 3; break;
        case VIDEO_FORMAT_NV12: format = BAUTA_NV12; planes = 2; break;
        case VIDEO_FORMAT_YUY2: format = BAUTA_YUY2; break;
        case VIDEO_FORMAT_RGBA: format = BAUTA_RGBA; is_yuv = false; break;
        case VIDEO_FORMAT_BGRA:
        case VIDEO_FORMAT_BGRX: format = BAUTA_BGRA; is_yuv = false; break;
        default: return false;
    }
    // Upside down; alpha that is not straight; high dynamic range; RGB of limited range: only OBS's shaders know these.
    if (frame->flip || frame->flags || (!is_yuv && !frame->full_range)) return false;
    if (frame->trc != VIDEO_TRC_DEFAULT && frame->trc != VIDEO_TRC_SRGB) return false;
    if (frame->format == VIDEO_FORMAT_YUY2 && frame->width % 2) return false;
    *job = (struct masker_job){
        .kind = MASKER_FRAME,
        .picture = {
            .size = sizeof job->picture,
            .format = format,
            .range = frame->full_range ? BAUTA_FULL : BAUTA_LIMITED,
            .width = frame->width,
            .height = frame->height,
        },
        .ignores_alpha = frame->format == VIDEO_FORMAT_BGRX,
    };
    if (is_yuv && !find_matrix(frame, &job->picture.matrix)) return false;
    for (int plane = 0; plane < planes; ++plane) {
        job->picture.planes[plane] = frame->data[plane];
        job->picture.strides[plane] = (ptrdiff_t)frame->linesize[plane];
    }
    return true;
}

bool is_for_texture(const struct filter *filter, obs_source_t *parent) {
    return atomic_load(&filter->is_protecting)
        && (obs_source_get_output_flags(parent) & OBS_SOURCE_CONTROLLABLE_MEDIA);
}

static bool is_same_kind(const struct masker_job *one, const struct masker_job *other) {
    return one->picture.format == other->picture.format && one->picture.matrix == other->picture.matrix
        && one->picture.range == other->picture.range && one->picture.width == other->picture.width
        && one->picture.height == other->picture.height;
}

static void look_for_asynchronous(obs_source_t *parent, obs_source_t *filter, void *is_there) {
    (void)parent;
    if (obs_source_get_output_flags(filter) & OBS_SOURCE_ASYNC) *(bool *)is_there = true;
}

// Whether a filter after this one may show frames of a time when this one did not mask them, such as a delay. It keeps them also
// while it is disabled.
static bool may_be_kept(const struct filter *filter, obs_source_t *parent) {
    bool is_there = false;
    if (atomic_load(&filter->is_protecting)) obs_source_enum_filters(parent, look_for_asynchronous, &is_there);
    return is_there;
}

struct obs_source_frame *mask_frame(struct filter *filter, struct obs_source_frame *frame) {
    obs_source_t *parent = obs_filter_get_parent(filter->source);
    struct masker_job job, other;
    if (atomic_load(&filter->has_old_frames)) {
        filter->takes_frames = false;
        atomic_store(&filter->has_old_frames, false);
    }
    // Other filters that come first draw on the texture; deinterlacing shows two frames.
    const bool is_first_filter = obs_filter_get_target(filter->source) == parent;
    if (!is_first_filter || is_for_texture(filter, parent) || may_be_kept(filter, parent)
        || obs_source_get_deinterlace_mode(parent) != OBS_DEINTERLACE_MODE_DISABLE || !describe(frame, &job)) {
        filter->takes_frames = false;
        while (masker_take(filter->masker, MASKER_FRAME, &other)) obs_source_release_frame(parent, other.owner);
        return frame;
    }
    const bool is_new = !filter->takes_frames || !is_same_kind(&job, &filter->last_frame);
    filter->takes_frames = true;
    filter->last_frame_nanoseconds = obs_get_video_frame_time();
    if (is_new) {
        filter->last_frame = job;
        filter->clock.last_nanoseconds = 0;
        forget_frame(filter);
        return frame;
    }
    job.seconds = picture_seconds(&filter->clock, frame->timestamp, &job.is_first);
    // What was masked before a gap is not to be seen after it. A source may have only frames that are so far apart.
    const bool is_after_gap = job.is_first && !filter->last_frame.is_first;
    filter->last_frame = job;
    job.owner = frame;
    filter->pictures += 1;

    struct obs_source_frame *result = NULL;
    while (masker_take(filter->masker, MASKER_FRAME, &other)) {
        if (result) obs_source_release_frame(parent, result);
        result = other.owner;
        // OBS delays the sound by as much.
        const uint64_t late = (uint64_t)(other.late_seconds * 1e9);
        if (late < result->timestamp) result->timestamp -= late;
        atomic_store(&filter->has_failed, other.has_failed);
        const bool is_safe = !other.has_failed && other.settings >= atomic_load(&filter->safe_from);
        if (is_after_gap || !is_same_kind(&other, &job) || (!is_safe && atomic_load(&filter->is_protecting))) {
            obs_source_release_frame(parent, result);
            result = NULL;
        }
    }
    if (masker_give(filter->masker, &job, &other)) obs_source_release_frame(parent, other.owner);
    if (result) {
        filter->returned_nanoseconds = filter->last_frame_nanoseconds;
    } else {
        filter->pictures_late += 1;
    }
    return result;
}

void release_frames(struct filter *filter, obs_source_t *parent) {
    struct masker_job job;
    while (masker_clear(filter->masker, MASKER_FRAME, &job)) obs_source_release_frame(parent, job.owner);
}
