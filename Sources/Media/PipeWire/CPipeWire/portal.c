#include "connection.h"

#include <CDynamicLibrary.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

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
void dbus_message_iter_init_append(DBusMessage *, DBusMessageIter *);
uint32_t dbus_message_iter_open_container(DBusMessageIter *, int, const char *, DBusMessageIter *);
DBusMessage *dbus_message_new_method_call(const char *, const char *, const char *, const char *);
void dbus_message_unref(DBusMessage *);
uint32_t dbus_threads_init_default(void);

#define FUNCTIONS(F) \
    F(dbus_bus_add_match) F(dbus_bus_get_private) F(dbus_bus_get_unique_name) F(dbus_connection_close) \
    F(dbus_connection_pop_message) F(dbus_connection_read_write) F(dbus_connection_send_with_reply_and_block) \
    F(dbus_connection_set_exit_on_disconnect) F(dbus_connection_unref) F(dbus_message_get_args) \
    F(dbus_message_get_path) F(dbus_message_is_signal) F(dbus_message_iter_append_basic) \
    F(dbus_message_iter_close_container) F(dbus_message_iter_init_append) F(dbus_message_iter_open_container) \
    F(dbus_message_new_method_call) F(dbus_message_unref) F(dbus_threads_init_default)

CDYNAMICLIBRARY(FUNCTIONS, "libdbus-1.so.3")

enum {
    SESSION_BUS = 0,
    TYPE_END = 0,
    TYPE_ARRAY = 'a',
    TYPE_ENTRY = 'e',
    TYPE_DESCRIPTOR = 'h',
    TYPE_PATH = 'o',
    TYPE_TEXT = 's',
    TYPE_NUMBER = 'u',
    TYPE_VARIANT = 'v',
    // The portal is started when it is first asked.
    PATIENCE_MILLISECONDS = 10000,
    STEP_MILLISECONDS = 200,
};

static const char portal[] = "org.freedesktop.portal.Desktop";
// Part of the path of the answer.
static const char token[] = "bauta";

static DBusConnection *open_bus(void) {
    if (!is_available() || !library.dbus_threads_init_default()) return NULL;
    DBusConnection *bus = library.dbus_bus_get_private(SESSION_BUS, NULL);
    if (bus) library.dbus_connection_set_exit_on_disconnect(bus, 0);
    return bus;
}

static void close_bus(DBusConnection *bus) {
    library.dbus_connection_close(bus);
    library.dbus_connection_unref(bus);
}

// Calls a function of https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.Camera.html.
//
// Returns its answer; NULL: there is none.
static DBusMessage *call(DBusConnection *bus, const char *function) {
    DBusMessage *message = library.dbus_message_new_method_call(
        portal, "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Camera", function);
    if (!message) return NULL;
    DBusMessageIter arguments, options, entry, value;
    const char *key = "handle_token", *text = token;
    library.dbus_message_iter_init_append(message, &arguments);
    library.dbus_message_iter_open_container(&arguments, TYPE_ARRAY, "{sv}", &options);
    if (strcmp(function, "AccessCamera") == 0) {
        library.dbus_message_iter_open_container(&options, TYPE_ENTRY, NULL, &entry);
        library.dbus_message_iter_append_basic(&entry, TYPE_TEXT, &key);
        library.dbus_message_iter_open_container(&entry, TYPE_VARIANT, "s", &value);
        library.dbus_message_iter_append_basic(&value, TYPE_TEXT, &text);
        library.dbus_message_iter_close_container(&entry, &value);
        library.dbus_message_iter_close_container(&options, &entry);
    }
    library.dbus_message_iter_close_container(&arguments, &options);
    DBusMessage *answer = library.dbus_connection_send_with_reply_and_block(bus, message, PATIENCE_MILLISECONDS, NULL);
    library.dbus_message_unref(message);
    return answer;
}

// Waits until the user has answered.
static int wait_for_response(DBusConnection *bus, const char *path) {
    while (library.dbus_connection_read_write(bus, STEP_MILLISECONDS)) {
        DBusMessage *message;
        while ((message = library.dbus_connection_pop_message(bus))) {
            uint32_t response = 2;
            const char *object = library.dbus_message_get_path(message);
            const bool is_response = library.dbus_message_is_signal(message, "org.freedesktop.portal.Request", "Response")
                && object && strcmp(object, path) == 0
                && library.dbus_message_get_args(message, NULL, TYPE_NUMBER, &response, TYPE_END);
            library.dbus_message_unref(message);
            if (is_response) return response == 0 ? 0 : EACCES;
        }
    }
    return EPIPE;
}

int cpipewire_portal_ask(void) {
    DBusConnection *bus = open_bus();
    if (!bus) return ENOENT;
    int result = ENOENT;
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
    DBusMessage *answer = call(bus, "AccessCamera");
    if (answer) {
        library.dbus_message_unref(answer);
        result = wait_for_response(bus, path);
    }
    close_bus(bus);
    return result;
}

int cpipewire_portal_open(void) {
    DBusConnection *bus = open_bus();
    if (!bus) {
        errno = ENOENT;
        return -1;
    }
    int descriptor = -1;
    DBusMessage *answer = call(bus, "OpenPipeWireRemote");
    if (answer && !library.dbus_message_get_args(answer, NULL, TYPE_DESCRIPTOR, &descriptor, TYPE_END)) descriptor = -1;
    if (answer) library.dbus_message_unref(answer);
    close_bus(bus);
    if (descriptor < 0) errno = EACCES;
    return descriptor;
}
