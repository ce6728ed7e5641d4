// A portal whose dialog for files answers at once, with the URI that it was started with. It writes what it was asked.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct DBusConnection DBusConnection;
typedef struct DBusMessage DBusMessage;
// Larger than the library's.
typedef struct {
    void *space[32];
} DBusMessageIter;

DBusConnection *dbus_bus_get(int, void *);
int dbus_bus_request_name(DBusConnection *, const char *, unsigned, void *);
uint32_t dbus_connection_read_write(DBusConnection *, int);
DBusMessage *dbus_connection_pop_message(DBusConnection *);
uint32_t dbus_connection_send(DBusConnection *, DBusMessage *, uint32_t *);
uint32_t dbus_message_append_args(DBusMessage *, int, ...);
const char *dbus_message_get_sender(DBusMessage *);
const char *dbus_message_get_signature(DBusMessage *);
uint32_t dbus_message_is_method_call(DBusMessage *, const char *, const char *);
uint32_t dbus_message_iter_append_basic(DBusMessageIter *, int, const void *);
uint32_t dbus_message_iter_close_container(DBusMessageIter *, DBusMessageIter *);
int dbus_message_iter_get_arg_type(DBusMessageIter *);
void dbus_message_iter_get_basic(DBusMessageIter *, void *);
uint32_t dbus_message_iter_init(DBusMessage *, DBusMessageIter *);
void dbus_message_iter_init_append(DBusMessage *, DBusMessageIter *);
uint32_t dbus_message_iter_next(DBusMessageIter *);
uint32_t dbus_message_iter_open_container(DBusMessageIter *, int, const char *, DBusMessageIter *);
void dbus_message_iter_recurse(DBusMessageIter *, DBusMessageIter *);
DBusMessage *dbus_message_new_method_return(DBusMessage *);
DBusMessage *dbus_message_new_signal(const char *, const char *, const char *);
void dbus_message_unref(DBusMessage *);

static void send(DBusConnection *bus, DBusMessage *message) {
    dbus_connection_send(bus, message, NULL);
    dbus_message_unref(message);
}

// "multiple", or the bytes of "current_folder".
static void write_options(DBusMessageIter *options) {
    DBusMessageIter entry, variant, bytes;
    for (; dbus_message_iter_get_arg_type(options) == 'e'; dbus_message_iter_next(options)) {
        const char *key;
        dbus_message_iter_recurse(options, &entry);
        dbus_message_iter_get_basic(&entry, &key);
        dbus_message_iter_next(&entry);
        dbus_message_iter_recurse(&entry, &variant);
        printf("%s: ", key);
        switch (dbus_message_iter_get_arg_type(&variant)) {
        case 's': {
            const char *text;
            dbus_message_iter_get_basic(&variant, &text);
            printf("%s\n", text);
            break;
        }
        case 'b': {
            uint32_t is_on;
            dbus_message_iter_get_basic(&variant, &is_on);
            printf("%u\n", is_on);
            break;
        }
        case 'a':
            dbus_message_iter_recurse(&variant, &bytes);
            for (; dbus_message_iter_get_arg_type(&bytes) == 'y'; dbus_message_iter_next(&bytes)) {
                char byte;
                dbus_message_iter_get_basic(&bytes, &byte);
                putchar(byte ? byte : '$');
            }
            printf("\n");
            break;
        }
    }
}

static void answer(DBusConnection *bus, DBusMessage *call, const char *uri) {
    DBusMessageIter arguments, options, results, entry, variant, texts;
    const char *title, *key = "uris";
    dbus_message_iter_init(call, &arguments);
    dbus_message_iter_next(&arguments);
    dbus_message_iter_get_basic(&arguments, &title);
    printf("%s\n%s\n", dbus_message_get_signature(call), title);
    dbus_message_iter_next(&arguments);
    dbus_message_iter_recurse(&arguments, &options);
    write_options(&options);
    fflush(stdout);
    char sender[64], path[200];
    snprintf(sender, sizeof sender, "%s", dbus_message_get_sender(call) + 1);
    for (char *place = sender; *place; ++place)
        if (*place == '.') *place = '_';
    snprintf(path, sizeof path, "/org/freedesktop/portal/desktop/request/%s/bauta", sender);
    const char *object = path;
    DBusMessage *reply = dbus_message_new_method_return(call);
    dbus_message_append_args(reply, 'o', &object, 0);
    send(bus, reply);
    const uint32_t response = 0;
    DBusMessage *signal = dbus_message_new_signal(path, "org.freedesktop.portal.Request", "Response");
    dbus_message_iter_init_append(signal, &arguments);
    dbus_message_iter_append_basic(&arguments, 'u', &response);
    dbus_message_iter_open_container(&arguments, 'a', "{sv}", &results);
    dbus_message_iter_open_container(&results, 'e', NULL, &entry);
    dbus_message_iter_append_basic(&entry, 's', &key);
    dbus_message_iter_open_container(&entry, 'v', "as", &variant);
    dbus_message_iter_open_container(&variant, 'a', "s", &texts);
    dbus_message_iter_append_basic(&texts, 's', &uri);
    dbus_message_iter_close_container(&variant, &texts);
    dbus_message_iter_close_container(&entry, &variant);
    dbus_message_iter_close_container(&results, &entry);
    dbus_message_iter_close_container(&arguments, &results);
    send(bus, signal);
}

int main(int count, char **words) {
    DBusConnection *bus = dbus_bus_get(0, NULL);
    if (count != 2 || !bus || dbus_bus_request_name(bus, "org.freedesktop.portal.Desktop", 0, NULL) != 1) return 1;
    while (dbus_connection_read_write(bus, -1)) {
        DBusMessage *message;
        while ((message = dbus_connection_pop_message(bus))) {
            if (dbus_message_is_method_call(message, "org.freedesktop.DBus.Properties", "Get")) {
                DBusMessageIter arguments, variant;
                const uint32_t version = 4;
                DBusMessage *reply = dbus_message_new_method_return(message);
                dbus_message_iter_init_append(reply, &arguments);
                dbus_message_iter_open_container(&arguments, 'v', "u", &variant);
                dbus_message_iter_append_basic(&variant, 'u', &version);
                dbus_message_iter_close_container(&arguments, &variant);
                send(bus, reply);
            } else if (dbus_message_is_method_call(message, "org.freedesktop.portal.FileChooser", "OpenFile")) {
                answer(bus, message, words[1]);
            }
            dbus_message_unref(message);
        }
    }
    return 0;
}
