// What the parts of the filter share: filter.c talks with OBS, frames.c and textures.c bring pictures to the masker and back.
#ifndef OBS_BAUTA_FILTER_H
#define OBS_BAUTA_FILTER_H

#include "held_time.h"
#include "masker.h"

#include <obs-module.h>
#include <pthread.h>
#include <stdatomic.h>

enum { HOTKEY_COUNT = 3 };

// The time of pictures as the library wants it, which never decreases.
struct picture_clock {
    uint64_t last_nanoseconds;
    double seconds;
};

struct textures;

struct filter {
    obs_source_t *source;
    // NULL without the library.
    struct masker *masker;

    // Set by any thread.
    atomic_bool is_covered;
    // Whether a picture must never be shown as it came.
    atomic_bool is_protecting;
    // Pictures that were masked with settings of a smaller number are not safe while `is_protecting`.
    _Atomic uint64_t safe_from;
    // Whether the masker could not mask the last frame.
    atomic_bool has_failed;
    // Whether the source's texture is a masked frame: since the last change of size or format, and since the filter is enabled.
    atomic_bool has_frame;
    // Whether the filter has been taken from a source, and what it knows of frames or has on the graphics card is of that source.
    atomic_bool has_old_frames, has_old_textures;

    // Whether a texture has been masked since OBS began its frame.
    atomic_bool has_masked_texture;

    // These belong to OBS's graphics thread.
    struct picture_clock clock;
    // Whether frames of an asynchronous source are masked before they become textures.
    bool takes_frames;
    struct masker_job last_frame;
    // When the last frame came, in OBS's time.
    uint64_t last_frame_nanoseconds;
    // When the last masked one was returned, in OBS's time; 0 if the source's texture is something else since then.
    _Atomic uint64_t returned_nanoseconds;
    // What the masker was told last.
    struct masker_settings settings;
    // Belongs to whoever is in OBS's graphics context: other threads take screenshots.
    struct textures *textures;
    // How long the calls took, and how much of it this thread was running: others may take its processor.
    struct held_time held, running;
    uint64_t pictures, pictures_late;

    pthread_mutex_t hotkey_lock;
    obs_hotkey_id hotkeys[HOTKEY_COUNT];
    atomic_bool has_hotkeys, is_registering;
    // The source that the filter is being removed from; only to be compared.
    obs_source_t *removed_from;
};

// The seconds of a picture with OBS's time; sets `is_first` where the time jumps.
double picture_seconds(struct picture_clock *clock, uint64_t nanoseconds, bool *is_first);

// What is under a filter while it draws. Any thread may take the filter away meanwhile: OBS's functions for that, which ask the
// filter again, would crash then.
struct under {
    // The next filter, or the source itself.
    obs_source_t *target;
    obs_source_t *parent;
};

void draw_under(struct under under);

// Draws a plain area over all that the filter would show.
void draw_cover(struct under under);

// The source's texture is not, or no longer, a masked frame that may be shown.
void forget_frame(struct filter *filter);

// Whether the frames of a source are never to be masked, because OBS also shows some that it does not pass through filters, and
// the filter must hide somebody: those that media sources show before they play, and after a jump while they pause.
bool is_for_texture(const struct filter *filter, obs_source_t *parent);

// Gives a frame of an asynchronous source to the masker and returns the finished one before it, or NULL if there is none.
// Returns the frame itself if it is not for the masker: then the source's texture is masked. Also the first one is returned,
// in case no other one follows; `has_frame` is false then.
struct obs_source_frame *mask_frame(struct filter *filter, struct obs_source_frame *frame);

// Gives all frames back to OBS. Waits for the one in work.
void release_frames(struct filter *filter, obs_source_t *parent);

// Draws the last masked picture of what is under the filter, once for each of OBS's frames after taking the next one.
// - Returns: the nanoseconds in which OBS drew what is under the filter.
struct instant mask_texture(struct filter *filter, struct under under);

// Waits for the picture in work, and frees everything on the graphics card.
void release_textures(struct filter *filter);

#endif
