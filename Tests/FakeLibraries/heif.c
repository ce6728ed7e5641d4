// A libheif that decodes nothing. It tells, as the reason why it fails, where it was initialised, and whether it may start
// processes and threads.
#include <libheif/heif.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t initialised_in;
static char report[200];

struct heif_error heif_init(struct heif_init_params *parameters) {
    initialised_in = getpid();
    return (struct heif_error){heif_error_Ok, heif_suberror_Unspecified, "Success"};
}

struct heif_context *heif_context_alloc(void) { return (struct heif_context *)(void *)report; }

static void *nothing(void *context) { return context; }

struct heif_error heif_context_read_from_memory_without_copy(
    struct heif_context *context, const void *bytes, size_t size, const struct heif_reading_options *options) {
    const char *place = initialised_in == 0 ? "nowhere" : initialised_in == getpid() ? "here" : "before";
    const pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) waitpid(child, NULL, 0);
    pthread_t thread;
    const int has_thread = pthread_create(&thread, NULL, nothing, NULL) == 0 && pthread_join(thread, NULL) == 0;
    snprintf(
        report, sizeof report, "initialised %s, processes %s, threads %s", place, child > 0 ? "allowed" : "denied",
        has_thread ? "allowed" : "denied");
    return (struct heif_error){heif_error_Invalid_input, heif_suberror_Unspecified, report};
}

// What is not called.
#define MISSING(name) \
    int missing_##name(void) __asm__("heif_" #name); \
    int missing_##name(void) { return 0; }

MISSING(context_free)
MISSING(context_get_primary_image_handle)
MISSING(context_set_max_decoding_threads)
MISSING(context_set_maximum_image_size_limit)
MISSING(decode_image)
MISSING(decoding_options_alloc)
MISSING(decoding_options_free)
MISSING(image_get_bits_per_pixel_range)
MISSING(image_get_height)
MISSING(image_get_plane_readonly)
MISSING(image_get_width)
MISSING(image_handle_get_height)
MISSING(image_handle_get_list_of_metadata_block_IDs)
MISSING(image_handle_get_luma_bits_per_pixel)
MISSING(image_handle_get_metadata)
MISSING(image_handle_get_metadata_content_type)
MISSING(image_handle_get_metadata_size)
MISSING(image_handle_get_metadata_type)
MISSING(image_handle_get_nclx_color_profile)
MISSING(image_handle_get_raw_color_profile)
MISSING(image_handle_get_raw_color_profile_size)
MISSING(image_handle_get_width)
MISSING(image_handle_has_alpha_channel)
MISSING(image_handle_is_premultiplied_alpha)
MISSING(image_handle_release)
MISSING(image_release)
MISSING(nclx_color_profile_free)
