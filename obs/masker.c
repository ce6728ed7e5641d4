#define _GNU_SOURCE
#include "masker.h"

#include <CDynamicLibrary.h>
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FUNCTIONS(F) \
    F(bauta_close) F(bauta_error_text) F(bauta_mask_name) F(bauta_open) F(bauta_process) F(bauta_reset) \
    F(bauta_set_mask) F(bauta_set_option) F(bauta_status)

CDYNAMICLIBRARY(FUNCTIONS, "libbauta.so.0")

// How much later than it was given a picture comes back whose faces are covered: bauta.h, "anonymise".
static const double covered_late_seconds = 0.4;

enum {
    // One is taken before the next is given, and at most two are under way.
    MOST_FINISHED = 2,
    // A mask is being loaded: how often the thread asks whether it has been while no picture comes.
    STATUS_MILLISECONDS = 100,
};

struct masker {
    void (*is_changed)(void *context, const char *problem);
    void *context;
    pthread_t thread;

    // These belong to the thread.
    bauta_engine *engine;
    struct masker_settings applied;
    uint64_t applied_number;
    bool has_mask;
    // Whether the library knows what hides faces.
    bool can_hide;
    // Whether a mask or the models are being loaded.
    bool is_loading;
    char engine_problem[MASKER_TEXT], option_problem[MASKER_TEXT], mask_problem[MASKER_TEXT];
    char picture_problem[MASKER_TEXT];
    uint8_t *pixels;
    size_t pixel_bytes;

    // This protects the following.
    pthread_mutex_t lock;
    pthread_cond_t is_wanted, has_finished;
    bool is_ending;
    struct masker_settings settings;
    bool has_settings;
    uint64_t settings_number;
    struct masker_job waiting;
    bool is_waiting;
    bool is_working;
    enum masker_kind working_kind;
    struct masker_job finished[MASKER_KINDS][MOST_FINISHED];
    int finished_count[MASKER_KINDS];
    char problem[MASKER_TEXT];
    char **names;
    size_t name_count;
};

const char *masker_library_problem(void) {
    static char text[MASKER_TEXT];
    if (is_available()) return NULL;
    const char *reason = dlerror();
    if (!text[0]) {
        snprintf(text, sizeof text, "libbauta.so.0 cannot be loaded: %s",
            reason ? reason : "it is of another version");
    }
    return text;
}

static void set_text(char text[MASKER_TEXT], const char *value) {
    snprintf(text, MASKER_TEXT, "%s", value);
}

// The library's own words.
static void set_problem(char text[MASKER_TEXT], bauta_result result) {
    const char *words = library.bauta_error_text();
    if (words && words[0]) {
        set_text(text, words);
    } else {
        snprintf(text, MASKER_TEXT, "libbauta failed with result %d", (int)result);
    }
}

// Shows the first problem, if it is not shown yet.
static void publish(struct masker *masker) {
    const char *const problems[] = {
        masker->engine_problem, masker->option_problem, masker->mask_problem, masker->picture_problem};
    const char *problem = "";
    for (size_t index = 0; index < sizeof problems / sizeof *problems && !problem[0]; ++index) {
        problem = problems[index];
    }
    pthread_mutex_lock(&masker->lock);
    const bool is_new = strcmp(problem, masker->problem) != 0;
    if (is_new) set_text(masker->problem, problem);
    pthread_mutex_unlock(&masker->lock);
    if (is_new) masker->is_changed(masker->context, problem);
}

static void open_engine(struct masker *masker) {
    bauta_result result = library.bauta_open(NULL, &masker->engine);
    if (result != BAUTA_OK) {
        set_problem(masker->engine_problem, result);
        masker->engine = NULL;
        return;
    }
    char **names = NULL;
    size_t count = 0;
    for (const char *name; (name = library.bauta_mask_name(masker->engine, count)); ++count) {
        char **more = realloc(names, (count + 1) * sizeof *names);
        if (!more) break;
        names = more;
        names[count] = strdup(name);
        if (!names[count]) break;
    }
    pthread_mutex_lock(&masker->lock);
    masker->names = names;
    masker->name_count = count;
    pthread_mutex_unlock(&masker->lock);
    masker->is_changed(masker->context, "");
}

static bool set_option(struct masker *masker, const char *name, const char *value) {
    bauta_result result = library.bauta_set_option(masker->engine, name, value && value[0] ? value : NULL);
    if (result != BAUTA_OK && !masker->option_problem[0]) set_problem(masker->option_problem, result);
    return result == BAUTA_OK;
}

static void apply(struct masker *masker, const struct masker_settings *settings) {
    const bool is_covering = settings->cover[0];
    // With a point as the decimal sign in all languages.
    char opacity[16];
    const int percent = (int)(settings->opacity * 100 + 0.5);
    snprintf(opacity, sizeof opacity, "%d.%02d", percent / 100, percent % 100);
    masker->option_problem[0] = 0;
    // Covered faces have no masks, and what is said about masks contradicts covering.
    if (!is_covering) set_option(masker, "anonymise", NULL);
    set_option(masker, "opacity", is_covering ? NULL : opacity);
    set_option(masker, "faces", is_covering ? NULL : settings->faces);
    masker->can_hide = set_option(masker, "when-lost", is_covering ? NULL : settings->when_lost);
    set_option(masker, "occluders", is_covering ? NULL : settings->occluders);
    if (is_covering) masker->can_hide = set_option(masker, "anonymise", settings->cover);

    const char *mask = is_covering ? "" : settings->mask;
    masker->mask_problem[0] = 0;
    // Other options load other models, too.
    masker->is_loading = true;
    if (!masker->has_mask || strcmp(mask, masker->applied.mask) != 0) {
        bauta_result result = library.bauta_set_mask(masker->engine, mask[0] ? mask : NULL);
        if (result != BAUTA_OK && result != BAUTA_PENDING) {
            set_problem(masker->mask_problem, result);
            masker->is_loading = false;
        }
    }
    masker->applied = *settings;
    memcpy(masker->applied.mask, mask, strlen(mask) + 1);
    masker->has_mask = true;
}

static void look_at_status(struct masker *masker) {
    if (!masker->is_loading) return;
    bauta_result result = library.bauta_status(masker->engine);
    if (result == BAUTA_PENDING) return;
    masker->is_loading = false;
    if (result != BAUTA_OK) set_problem(masker->mask_problem, result);
}

// Copies rows of RGBA from values that are multiplied by alpha.
static void read_texture(const struct masker_job *job, uint8_t *pixels) {
    const size_t row_bytes = (size_t)job->picture.width * 4;
    for (uint32_t y = 0; y < job->picture.height; ++y) {
        uint8_t *row = pixels + y * row_bytes;
        memcpy(row, job->read + y * job->read_stride, row_bytes);
        for (uint8_t *pixel = row; pixel < row + row_bytes; pixel += 4) {
            const unsigned alpha = pixel[3];
            if (alpha == 255 || alpha == 0) continue;
            for (int channel = 0; channel < 3; ++channel) {
                const unsigned value = (pixel[channel] * 255u + alpha / 2) / alpha;
                pixel[channel] = (uint8_t)(value < 255 ? value : 255);
            }
        }
    }
}

// The other way round. What is written may be memory that is slow to read: a row is finished before it goes there.
static void write_texture(const struct masker_job *job, uint8_t *pixels) {
    const size_t row_bytes = (size_t)job->picture.width * 4;
    for (uint32_t y = 0; y < job->picture.height; ++y) {
        uint8_t *row = pixels + y * row_bytes;
        for (uint8_t *pixel = row; pixel < row + row_bytes; pixel += 4) {
            const unsigned alpha = pixel[3];
            if (alpha == 255) continue;
            for (int channel = 0; channel < 3; ++channel) {
                pixel[channel] = (uint8_t)((pixel[channel] * alpha + 127) / 255);
            }
        }
        memcpy(job->written + y * job->written_stride, row, row_bytes);
    }
}

static void process(struct masker *masker, struct masker_job *job) {
    bauta_picture *picture = &job->picture;
    job->has_failed = true;
    job->settings = masker->applied_number;
    if (job->kind == MASKER_TEXTURE) {
        const size_t bytes = (size_t)picture->width * picture->height * 4;
        if (bytes > masker->pixel_bytes) {
            free(masker->pixels);
            masker->pixels = malloc(bytes);
            masker->pixel_bytes = masker->pixels ? bytes : 0;
        }
        if (!masker->pixels) {
            set_text(masker->picture_problem, "there is not enough memory for a picture");
            return;
        }
        read_texture(job, masker->pixels);
        picture->planes[0] = masker->pixels;
        picture->strides[0] = (ptrdiff_t)picture->width * 4;
    }
    if (job->ignores_alpha) {
        for (uint32_t y = 0; y < picture->height; ++y) {
            uint8_t *row = picture->planes[0] + (ptrdiff_t)y * picture->strides[0];
            for (uint32_t x = 0; x < picture->width; ++x) row[x * 4 + 3] = 255;
        }
    }
    if (masker->engine) {
        if (job->is_first) library.bauta_reset(masker->engine);
        bauta_result result = library.bauta_process(masker->engine, picture, job->seconds);
        const bool is_done = result == BAUTA_OK || result == BAUTA_PENDING;
        job->has_failed = !is_done || !masker->can_hide;
        job->late_seconds = masker->applied.cover[0] ? covered_late_seconds : 0;
        masker->picture_problem[0] = 0;
        if (!is_done) set_problem(masker->picture_problem, result);
    }
    if (job->kind == MASKER_TEXTURE) write_texture(job, masker->pixels);
}

static void wait_for_work(struct masker *masker) {
    while (!masker->is_ending && !masker->is_waiting && !masker->has_settings) {
        if (!masker->is_loading) {
            pthread_cond_wait(&masker->is_wanted, &masker->lock);
            continue;
        }
        struct timespec time;
        clock_gettime(CLOCK_REALTIME, &time);
        time.tv_nsec += STATUS_MILLISECONDS * 1000000L;
        if (time.tv_nsec >= 1000000000L) {
            time.tv_sec += 1;
            time.tv_nsec -= 1000000000L;
        }
        if (pthread_cond_timedwait(&masker->is_wanted, &masker->lock, &time) != 0) return;
    }
}

static void *work(void *context) {
    struct masker *masker = context;
    // This thread, and those that the library starts on it, do not interrupt the thread of OBS that wakes them.
    const struct sched_param none = {0};
    pthread_setschedparam(pthread_self(), SCHED_BATCH, &none);
    open_engine(masker);
    publish(masker);
    bool is_ending = false;
    while (!is_ending) {
        struct masker_settings settings;
        struct masker_job job;
        pthread_mutex_lock(&masker->lock);
        wait_for_work(masker);
        is_ending = masker->is_ending;
        const bool has_settings = masker->has_settings;
        const bool has_job = masker->is_waiting && !is_ending;
        if (has_settings) settings = masker->settings;
        const uint64_t settings_number = masker->settings_number;
        masker->has_settings = false;
        if (has_job) {
            job = masker->waiting;
            masker->is_waiting = false;
            masker->is_working = true;
            masker->working_kind = job.kind;
        }
        pthread_mutex_unlock(&masker->lock);

        if (has_settings && masker->engine && !is_ending) {
            apply(masker, &settings);
            masker->applied_number = settings_number;
        }
        if (has_job) process(masker, &job);
        if (masker->engine) look_at_status(masker);
        if (has_job) {
            pthread_mutex_lock(&masker->lock);
            masker->is_working = false;
            masker->finished[job.kind][masker->finished_count[job.kind]++] = job;
            pthread_cond_broadcast(&masker->has_finished);
            pthread_mutex_unlock(&masker->lock);
        }
        // After the job has been given back: others may wait for it in what OBS waits for while it handles a signal.
        publish(masker);
    }
    if (masker->engine) library.bauta_close(masker->engine);
    return NULL;
}

struct masker *masker_create(void (*is_changed)(void *context, const char *problem), void *context) {
    struct masker *masker = calloc(1, sizeof *masker);
    if (!masker) return NULL;
    masker->is_changed = is_changed;
    masker->context = context;
    pthread_mutex_init(&masker->lock, NULL);
    pthread_cond_init(&masker->is_wanted, NULL);
    pthread_cond_init(&masker->has_finished, NULL);
    if (pthread_create(&masker->thread, NULL, work, masker) != 0) {
        free(masker);
        return NULL;
    }
    return masker;
}

void masker_destroy(struct masker *masker) {
    pthread_mutex_lock(&masker->lock);
    masker->is_ending = true;
    pthread_cond_broadcast(&masker->is_wanted);
    pthread_mutex_unlock(&masker->lock);
    pthread_join(masker->thread, NULL);
    for (size_t index = 0; index < masker->name_count; ++index) free(masker->names[index]);
    free(masker->names);
    free(masker->pixels);
    pthread_cond_destroy(&masker->has_finished);
    pthread_cond_destroy(&masker->is_wanted);
    pthread_mutex_destroy(&masker->lock);
    free(masker);
}

uint64_t masker_set(struct masker *masker, const struct masker_settings *settings) {
    pthread_mutex_lock(&masker->lock);
    masker->settings = *settings;
    masker->has_settings = true;
    const uint64_t number = ++masker->settings_number;
    pthread_cond_broadcast(&masker->is_wanted);
    pthread_mutex_unlock(&masker->lock);
    return number;
}

bool masker_give(struct masker *masker, const struct masker_job *job, struct masker_job *replaced) {
    pthread_mutex_lock(&masker->lock);
    const bool was_waiting = masker->is_waiting;
    if (was_waiting && masker->waiting.kind != job->kind) {
        *replaced = *job;
    } else {
        if (was_waiting) *replaced = masker->waiting;
        masker->waiting = *job;
        // A jump must not be forgotten with the picture that had it.
        if (was_waiting && replaced->is_first) masker->waiting.is_first = true;
        masker->is_waiting = true;
    }
    pthread_mutex_unlock(&masker->lock);
    pthread_cond_broadcast(&masker->is_wanted);
    return was_waiting;
}

bool masker_is_idle(struct masker *masker) {
    pthread_mutex_lock(&masker->lock);
    const bool is_idle = !masker->is_waiting && !masker->is_working;
    pthread_mutex_unlock(&masker->lock);
    return is_idle;
}

// With the lock.
static bool take(struct masker *masker, enum masker_kind kind, struct masker_job *job) {
    struct masker_job *finished = masker->finished[kind];
    if (masker->finished_count[kind] == 0) return false;
    *job = finished[0];
    masker->finished_count[kind] -= 1;
    memmove(finished, finished + 1, (size_t)masker->finished_count[kind] * sizeof *finished);
    return true;
}

bool masker_take(struct masker *masker, enum masker_kind kind, struct masker_job *job) {
    pthread_mutex_lock(&masker->lock);
    const bool is_there = take(masker, kind, job);
    pthread_mutex_unlock(&masker->lock);
    return is_there;
}

bool masker_clear(struct masker *masker, enum masker_kind kind, struct masker_job *job) {
    pthread_mutex_lock(&masker->lock);
    bool is_there = masker->is_waiting && masker->waiting.kind == kind;
    if (is_there) {
        *job = masker->waiting;
        masker->is_waiting = false;
    } else {
        while (masker->is_working && masker->working_kind == kind) {
            pthread_cond_wait(&masker->has_finished, &masker->lock);
        }
        is_there = take(masker, kind, job);
    }
    pthread_mutex_unlock(&masker->lock);
    return is_there;
}

void masker_problem(struct masker *masker, char text[MASKER_TEXT]) {
    pthread_mutex_lock(&masker->lock);
    set_text(text, masker->problem);
    pthread_mutex_unlock(&masker->lock);
}

bool masker_mask_name(struct masker *masker, size_t index, char name[MASKER_TEXT]) {
    pthread_mutex_lock(&masker->lock);
    const bool is_there = index < masker->name_count;
    if (is_there) set_text(name, masker->names[index]);
    pthread_mutex_unlock(&masker->lock);
    return is_there;
}
