#include "CPortal.h"

#include <CDynamicLibrary.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What is used of libdbus 1.6 and later, as its documentation declares it. https://dbus.freedesktop.org/doc/api/html
typedef struct DBusConnection DBusConnection;
typedef struct DBusMessage DBusMessage;
// Larger than the library's.
typedef struct {
    void *space[32];
} DBusMessageIter;

void dbus_bus_add_match(DBusConnection *, const char *, void *);
DBusConnection *dbus_bus_get_private(int, void *);
const char *dbus_bus_get_unique_name(DBusConnection *);
void dbus_connection_close(DBusConnection *);
DBusMessage *dbus_connection_pop_message(DBusConnection *);
uint32_t dbus_connection_read_write(DBusConnection *, int);
DBusMessage *dbus_connection_send_with_reply_and_block(DBusConnection *, DBusMessage *, int, void *);
void dbus_connection_set_exit_on_disconnect(DBusConnection *, uint32_t);
void dbus_connection_unref(DBusConnection *);
uint32_t dbus_message_get_args(DBusMessage *, void *, int, ...);
const char *dbus_message_get_path(DBusMessage *);
uint32_t dbus_message_is_signal(DBusMessage *, const char *, const char *);
uint32_t dbus_message_iter_append_basic(DBusMessageIter *, int, const void *);
uint32_t dbus_message_iter_close_container(DBusMessageIter *, DBusMessageIter *);
int dbus_message_iter_get_arg_type(DBusMessageIter *);
void dbus_message_iter_get_basic(DBusMessageIter *, void *);
uint32_t dbus_message_iter_init(DBusMessage *, DBusMessageIter *);
void dbus_message_iter_init_append(DBusMessage *, DBusMessageIter *);
uint32_t dbus_message_iter_next(DBusMessageIter *);
uint32_t dbus_message_iter_open_container(DBusMessageIter *, int, const char *, DBusMessageIter *);
void dbus_message_iter_recurse(DBusMessageIter *, DBusMessageIter *);
DBusMessage *dbus_message_new_method_call(const char *, const char *, const char *, const char *);
void dbus_message_unref(DBusMessage *);
uint32_t dbus_threads_init_default(void);

#define FUNCTIONS(F) \
    F(dbus_bus_add_match) F(dbus_bus_get_private) F(dbus_bus_get_unique_name) F(dbus_connection_close) \
    F(dbus_connection_pop_message) F(dbus_connection_read_write) F(dbus_connection_send_with_reply_and_block) \
    F(dbus_connection_set_exit_on_disconnect) F(dbus_connection_unref) F(dbus_message_get_args) \
    F(dbus_message_get_path) F(dbus_message_is_signal) F(dbus_message_iter_append_basic) \
    F(dbus_message_iter_close_container) F(dbus_message_iter_get_arg_type) F(dbus_message_iter_get_basic) \
    F(dbus_message_iter_init) F(dbus_message_iter_init_append) F(dbus_message_iter_next) \
    F(dbus_message_iter_open_container) F(dbus_message_iter_recurse) F(dbus_message_new_method_call) \
    F(dbus_message_unref) F(dbus_threads_init_default)

CDYNAMICLIBRARY(FUNCTIONS, "libdbus-1.so.3")

enum {
    SESSION_BUS = 0,
    TYPE_END = 0,
    TYPE_ARRAY = 'a',
    TYPE_BOOL = 'b',
    TYPE_BYTE = 'y',
    TYPE_DESCRIPTOR = 'h',
    TYPE_ENTRY = 'e',
    TYPE_PATH = 'o',
    TYPE_TEXT = 's',
    TYPE_NUMBER = 'u',
    TYPE_VARIANT = 'v',
    // The portal is started when it is first asked.
    PATIENCE_MILLISECONDS = 10000,
    LOOK_MILLISECONDS = 3000,
    STEP_MILLISECONDS = 200,
    // Of all URIs that are taken.
    MOST_BYTES = 4 << 20,
};

static const char portal[] = "org.freedesktop.portal.Desktop";
static const char camera[] = "org.freedesktop.portal.Camera", chooser[] = "org.freedesktop.portal.FileChooser";
// Part of the path of the answer.
static const char token[] = "bauta";

// Without a bus, the library would start one.
static bool has_bus(void) {
    if (getenv("DBUS_SESSION_BUS_ADDRESS")) return true;
    const char *folder = getenv("XDG_RUNTIME_DIR");
    char path[256];
    if (!folder || snprintf(path, sizeof path, "%s/bus", folder) >= (int)sizeof path) return false;
    return access(path, F_OK) == 0;
}

static DBusConnection *open_bus(void) {
    if (!has_bus() || !is_available() || !library.dbus_threads_init_default()) return NULL;
    DBusConnection *bus = library.dbus_bus_get_private(SESSION_BUS, NULL);
    if (bus) library.dbus_connection_set_exit_on_disconnect(bus, 0);
    return bus;
}

static void close_bus(DBusConnection *bus) {
    library.dbus_connection_close(bus);
    library.dbus_connection_unref(bus);
}

// MARK: Calls

static DBusMessage *new_call(const char *interface, const char *function) {
    return library.dbus_message_new_method_call(portal, "/org/freedesktop/portal/desktop", interface, function);
}

// Sends a message, which it frees. Returns the answer; NULL: there is none.
static DBusMessage *send(DBusConnection *bus, DBusMessage *message, int milliseconds) {
    DBusMessage *answer = library.dbus_connection_send_with_reply_and_block(bus, message, milliseconds, NULL);
    library.dbus_message_unref(message);
    return answer;
}

static void append_text(DBusMessageIter *arguments, const char *text) {
    library.dbus_message_iter_append_basic(arguments, TYPE_TEXT, &text);
}

// An option: `value` points to a text's address, or to a `uint32_t`.
static void append_option(DBusMessageIter *options, const char *key, int type, const void *value) {
    const char signature[] = {(char)type, 0};
    DBusMessageIter entry, variant;
    library.dbus_message_iter_open_container(options, TYPE_ENTRY, NULL, &entry);
    append_text(&entry, key);
    library.dbus_message_iter_open_container(&entry, TYPE_VARIANT, signature, &variant);
    library.dbus_message_iter_append_basic(&variant, type, value);
    library.dbus_message_iter_close_container(&entry, &variant);
    library.dbus_message_iter_close_container(options, &entry);
}

// A path, which ends with a zero.
static void append_path_option(DBusMessageIter *options, const char *key, const char *path) {
    DBusMessageIter entry, variant, bytes;
    library.dbus_message_iter_open_container(options, TYPE_ENTRY, NULL, &entry);
    append_text(&entry, key);
    library.dbus_message_iter_open_container(&entry, TYPE_VARIANT, "ay", &variant);
    library.dbus_message_iter_open_container(&variant, TYPE_ARRAY, "y", &bytes);
    const char *place = path;
    do library.dbus_message_iter_append_basic(&bytes, TYPE_BYTE, place);
    while (*place++);
    library.dbus_message_iter_close_container(&variant, &bytes);
    library.dbus_message_iter_close_container(&entry, &variant);
    library.dbus_message_iter_close_container(options, &entry);
}

static void open_options(DBusMessageIter *arguments, DBusMessageIter *options) {
    library.dbus_message_iter_open_container(arguments, TYPE_ARRAY, "{sv}", options);
}

// MARK: Requests, which the user answers

// Calls a function that asks the user. It frees the message.
//
// Returns the user's answer, a signal; NULL with errno. ENOENT: the function is not there.
static DBusMessage *ask(
    DBusConnection *bus, DBusMessage *message, bool (*has_stopped)(const void *context), const void *context) {
    const char *name = library.dbus_bus_get_unique_name(bus);
    // ":1.42" becomes "1_42".
    char sender[128] = "", path[256];
    if (name && *name == ':') snprintf(sender, sizeof sender, "%s", name + 1);
    for (char *place = sender; *place; ++place)
        if (*place == '.') *place = '_';
    snprintf(path, sizeof path, "/org/freedesktop/portal/desktop/request/%s/%s", sender, token);
    // Before it is asked: the answer may come at once.
    library.dbus_bus_add_match(
        bus, "type='signal',interface='org.freedesktop.portal.Request',member='Response'", NULL);
    DBusMessage *answer = send(bus, message, PATIENCE_MILLISECONDS);
    errno = ENOENT;
    if (!answer) return NULL;
    library.dbus_message_unref(answer);
    while (library.dbus_connection_read_write(bus, STEP_MILLISECONDS)) {
        while ((message = library.dbus_connection_pop_message(bus))) {
            const char *object = library.dbus_message_get_path(message);
            if (library.dbus_message_is_signal(message, "org.freedesktop.portal.Request", "Response")
                && object && strcmp(object, path) == 0)
                return message;
            library.dbus_message_unref(message);
        }
        // The portal closes the dialog when the connection is closed.
        errno = ECANCELED;
        if (has_stopped && has_stopped(context)) return NULL;
    }
    errno = EPIPE;
    return NULL;
}

// 0: the user has said yes; 1: no; otherwise the portal could not ask.
static uint32_t response_of(DBusMessage *answer) {
    uint32_t response = 2;
    DBusMessageIter arguments;
    if (library.dbus_message_iter_init(answer, &arguments)
        && library.dbus_message_iter_get_arg_type(&arguments) == TYPE_NUMBER)
        library.dbus_message_iter_get_basic(&arguments, &response);
    return response;
}

// MARK: Cameras

int cportal_ask_for_cameras(void) {
    DBusConnection *bus = open_bus();
    if (!bus) return ENOENT;
    int result = ENOMEM;
    DBusMessage *message = new_call(camera, "AccessCamera");
    if (message) {
        DBusMessageIter arguments, options;
        const char *text = token;
        library.dbus_message_iter_init_append(message, &arguments);
        open_options(&arguments, &options);
        append_option(&options, "handle_token", TYPE_TEXT, &text);
        library.dbus_message_iter_close_container(&arguments, &options);
        DBusMessage *answer = ask(bus, message, NULL, NULL);
        result = !answer ? errno : response_of(answer) == 0 ? 0 : EACCES;
        if (answer) library.dbus_message_unref(answer);
    }
    close_bus(bus);
    return result;
}

int cportal_open_cameras(void) {
    DBusConnection *bus = open_bus();
    if (!bus) {
        errno = ENOENT;
        return -1;
    }
    int descriptor = -1;
    DBusMessage *message = new_call(camera, "OpenPipeWireRemote"), *answer = NULL;
    if (message) {
        DBusMessageIter arguments, options;
        library.dbus_message_iter_init_append(message, &arguments);
        open_options(&arguments, &options);
        library.dbus_message_iter_close_container(&arguments, &options);
        answer = send(bus, message, PATIENCE_MILLISECONDS);
    }
    if (answer && !library.dbus_message_get_args(answer, NULL, TYPE_DESCRIPTOR, &descriptor, TYPE_END)) descriptor = -1;
    if (answer) library.dbus_message_unref(answer);
    close_bus(bus);
    if (descriptor < 0) errno = EACCES;
    return descriptor;
}

// MARK: Files

bool cportal_shows_files(void) {
    DBusConnection *bus = open_bus();
    if (!bus) return false;
    // A portal without dialogs does not have the interface.
    DBusMessage *message = new_call("org.freedesktop.DBus.Properties", "Get"), *answer = NULL;
    if (message) {
        DBusMessageIter arguments;
        library.dbus_message_iter_init_append(message, &arguments);
        append_text(&arguments, chooser);
        append_text(&arguments, "version");
        answer = send(bus, message, LOOK_MILLISECONDS);
    }
    if (answer) library.dbus_message_unref(answer);
    close_bus(bus);
    return answer != NULL;
}

// Appends the texts of an array as lines. Returns NULL without memory, or if there are too many: then `lines` has been freed.
static char *append_lines(char *lines, DBusMessageIter *texts) {
    size_t size = strlen(lines);
    for (; library.dbus_message_iter_get_arg_type(texts) == TYPE_TEXT; library.dbus_message_iter_next(texts)) {
        const char *text = NULL;
        library.dbus_message_iter_get_basic(texts, &text);
        if (!text || strchr(text, '\n')) continue;
        const size_t length = strlen(text);
        char *longer = size + length < MOST_BYTES ? realloc(lines, size + length + 2) : NULL;
        if (!longer) {
            free(lines);
            return NULL;
        }
        lines = longer;
        memcpy(lines + size, text, length);
        size += length;
        memcpy(lines + size++, "\n", 2);
    }
    return lines;
}

// What the signal says that was chosen. https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.FileChooser.html
static char *uris_of(DBusMessage *answer) {
    char *lines = calloc(1, 1);
    DBusMessageIter arguments, results, entry, variant, texts;
    if (!lines || !library.dbus_message_iter_init(answer, &arguments) || !library.dbus_message_iter_next(&arguments)
        || library.dbus_message_iter_get_arg_type(&arguments) != TYPE_ARRAY)
        return lines;
    library.dbus_message_iter_recurse(&arguments, &results);
    for (; library.dbus_message_iter_get_arg_type(&results) == TYPE_ENTRY; library.dbus_message_iter_next(&results)) {
        const char *key = NULL;
        library.dbus_message_iter_recurse(&results, &entry);
        if (library.dbus_message_iter_get_arg_type(&entry) != TYPE_TEXT) continue;
        library.dbus_message_iter_get_basic(&entry, &key);
        if (!key || strcmp(key, "uris") != 0 || !library.dbus_message_iter_next(&entry)
            || library.dbus_message_iter_get_arg_type(&entry) != TYPE_VARIANT)
            continue;
        library.dbus_message_iter_recurse(&entry, &variant);
        if (library.dbus_message_iter_get_arg_type(&variant) != TYPE_ARRAY) continue;
        library.dbus_message_iter_recurse(&variant, &texts);
        lines = append_lines(lines, &texts);
        if (!lines) return NULL;
    }
    return lines;
}

char *cportal_choose_files(
    const char *title, bool several, const char *folder, bool (*has_stopped)(const void *context), const void *context) {
    DBusConnection *bus = open_bus();
    errno = ENOENT;
    if (!bus) return NULL;
    char *uris = NULL;
    int failure = ENOMEM;
    DBusMessage *message = new_call(chooser, "OpenFile");
    if (message) {
        DBusMessageIter arguments, options;
        const char *text = token;
        const uint32_t is_multiple = several;
        library.dbus_message_iter_init_append(message, &arguments);
        // No window that it belongs to.
        append_text(&arguments, "");
        append_text(&arguments, title);
        open_options(&arguments, &options);
        append_option(&options, "handle_token", TYPE_TEXT, &text);
        append_option(&options, "multiple", TYPE_BOOL, &is_multiple);
        if (folder) append_path_option(&options, "current_folder", folder);
        library.dbus_message_iter_close_container(&arguments, &options);
        DBusMessage *answer = ask(bus, message, has_stopped, context);
        if (!answer) {
            failure = errno;
        } else {
            const uint32_t response = response_of(answer);
            if (response == 0) uris = uris_of(answer);
            else failure = response == 1 ? ECANCELED : EIO;
            library.dbus_message_unref(answer);
        }
    }
    close_bus(bus);
    if (!uris) errno = failure;
    return uris;
}
