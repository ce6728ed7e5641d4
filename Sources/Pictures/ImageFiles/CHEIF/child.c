#include "child.h"

#include <CDynamicLibrary.h>
#include <CSandbox.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FUNCTIONS(F) F(heif_init)

CDYNAMICLIBRARY(FUNCTIONS, "libheif.so.1")

// Loads the plug-ins. In a child that could wait for ever: another thread may hold the loader's lock when the process is
// copied.
static void initialise(void) {
    if (is_available()) library.heif_init(NULL);
}

#if defined(__has_feature) && __has_feature(address_sanitizer)
void __lsan_disable(void);
void __lsan_enable(void);
#else
typedef struct {
    void (*body)(void *);
    void *context;
} quiet_call;

// Decoders and encoders print what they think of a file.
static void call_quietly(void *context) {
    const quiet_call *call = context;
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) {
        dup2(nowhere, 1);
        dup2(nowhere, 2);
    }
    call->body(call->context);
}
#endif

bool run_in_child(void (*body)(void *), void *context, const cheif_limits *limits, char *message) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, initialise);
#if defined(__has_feature) && __has_feature(address_sanitizer)
    // What the sanitizer finds must not be lost in a child. But what libheif leaks after an error would end with one.
    (void)limits, (void)message;
    __lsan_disable();
    body(context);
    __lsan_enable();
    return true;
#else
    // Writing takes as long as it takes, but no longer than a day.
    const int seconds = limits ? limits->seconds : 24 * 3600 / 3;
    static const char *const paths[] = {"/usr", "/lib", "/lib64", "/proc", "/sys/devices/system", NULL};
    static const char *const nowhere[] = {"/dev/null", NULL};
    quiet_call call = {body, context};
    const csandbox_limits wall = {
        .cpu_seconds = limits ? (uint64_t)limits->seconds : 0,
        .memory_bytes = limits ? limits->memory_bytes : 0,
        .file_bytes = 1 << 20,
        .writable_paths = nowhere,
        .readable_paths = paths,
        .denies_network = true,
        .denies_processes = true,
    };
    switch (csandbox_call(call_quietly, &call, &wall, 3000 * seconds, NULL)) {
        case CSANDBOX_FINISHED: return true;
        case CSANDBOX_TIMED_OUT:
            snprintf(message, CHEIF_MESSAGE, "it takes more than %d s", seconds);
            return false;
        case CSANDBOX_CRASHED:
            snprintf(message, CHEIF_MESSAGE, "libheif ran out of memory or crashed");
            return false;
        default: snprintf(message, CHEIF_MESSAGE, "the system gives no process: %s", strerror(errno)); return false;
    }
#endif
}
