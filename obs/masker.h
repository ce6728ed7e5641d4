// One engine of libbauta and the thread that alone uses it, so that OBS's threads never wait for a picture.
#ifndef OBS_BAUTA_MASKER_H
#define OBS_BAUTA_MASKER_H

#include <bauta.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct masker;

enum { MASKER_TEXT = 1024 };

// What the engine is told. Options with "" have their defaults.
struct masker_settings {
    // An installed mask's name, or the path of a folder or a packed mask; "": no mask.
    char mask[4096];
    // 0 to 1.
    double opacity;
    char faces[16], when_lost[16], occluders[32];
    // How faces are covered in place of being masked; "": they are masked.
    char cover[16];
};

// What a picture lies in.
enum masker_kind {
    // OBS's memory, in which it is masked.
    MASKER_FRAME,
    // Mapped memory of the graphics card, RGBA multiplied by alpha: it is read in one place and written to another.
    MASKER_TEXTURE,
    MASKER_KINDS,
};

struct masker_job {
    enum masker_kind kind;
    // The planes of a texture are the masker's business.
    bauta_picture picture;
    // Whether the alpha of a frame's BGRA means nothing.
    bool ignores_alpha;
    // Of a texture, 4 bytes a pixel.
    const uint8_t *read;
    size_t read_stride;
    uint8_t *written;
    size_t written_stride;
    // Does not decrease from one job to the next.
    double seconds;
    // Whether what came before has nothing to do with it.
    bool is_first;
    // The caller's.
    void *owner;
    // Of a finished job: whether the picture may be as it was, because masking failed or "anonymise" or "when-lost" was refused.
    bool has_failed;
    // The number, from `masker_set`, of the settings that it was masked with.
    uint64_t settings;
    // The picture in it is that of so much earlier.
    double late_seconds;
};

// Loads libbauta.so.0. Returns NULL if it is there, or else what is wrong.
const char *masker_library_problem(void);

// Starts the thread, or returns NULL without memory.
// - is_changed: called by the masker's thread when `masker_problem` or the list of masks has changed; `problem` is the former.
struct masker *masker_create(void (*is_changed)(void *context, const char *problem), void *context);

// Waits for the picture in work, and frees everything. `masker_clear` gives back the jobs before.
void masker_destroy(struct masker *masker);

// For the pictures that follow. Does not wait. Returns the number of these settings, which grows with each call.
uint64_t masker_set(struct masker *masker, const struct masker_settings *settings);

// Gives a job to the thread. If another one waits, that one is given back in `replaced`, and the result is true; if it is of
// the other kind, the given one is.
bool masker_give(struct masker *masker, const struct masker_job *job, struct masker_job *replaced);

// Whether the thread has nothing to do.
bool masker_is_idle(struct masker *masker);

// Takes the oldest finished job of a kind. Returns false if there is none.
bool masker_take(struct masker *masker, enum masker_kind kind, struct masker_job *job);

// Waits for the picture in work, if it is of this kind, and takes any job of the kind, finished or not. Returns false when
// there is none left.
bool masker_clear(struct masker *masker, enum masker_kind kind, struct masker_job *job);

// Copies what is wrong with library, mask or options, cut to MASKER_TEXT bytes; "" if nothing is.
void masker_problem(struct masker *masker, char text[MASKER_TEXT]);

// Copies the name of an installed mask. Returns false past the last.
bool masker_mask_name(struct masker *masker, size_t index, char name[MASKER_TEXT]);

#endif
