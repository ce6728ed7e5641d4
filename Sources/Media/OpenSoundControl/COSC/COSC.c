#include "COSC.h"

#include <CDynamicLibrary.h>
#include <lo/lo_lowlevel.h>

#define FUNCTIONS(F) \
    F(lo_bundle_add_message) F(lo_bundle_free_recursive) F(lo_bundle_length) F(lo_bundle_new) F(lo_bundle_serialise) \
    F(lo_message_add_float) F(lo_message_add_int32) F(lo_message_add_string) F(lo_message_free) \
    F(lo_message_length) F(lo_message_new)

CDYNAMICLIBRARY("liblo.so.7", FUNCTIONS)

// liblo's handles are pointers to what it does not declare.
static lo_message message_of(cosc_message *message) { return (lo_message)message; }
static lo_bundle bundle_of(cosc_bundle *bundle) { return (lo_bundle)bundle; }

bool cosc_is_available(void) { return is_available(); }

cosc_message *cosc_message_new(void) { return (cosc_message *)library.lo_message_new(); }

bool cosc_message_add_integer(cosc_message *message, int32_t value) {
    return library.lo_message_add_int32(message_of(message), value) == 0;
}

bool cosc_message_add_float(cosc_message *message, float value) {
    return library.lo_message_add_float(message_of(message), value) == 0;
}

bool cosc_message_add_string(cosc_message *message, const char *text) {
    return library.lo_message_add_string(message_of(message), text) == 0;
}

void cosc_message_free(cosc_message *message) { library.lo_message_free(message_of(message)); }

cosc_bundle *cosc_bundle_new(void) {
    // OSC 1.0: 63 zero bits and a one mean "at once".
    const lo_timetag at_once = {0, 1};
    return (cosc_bundle *)library.lo_bundle_new(at_once);
}

bool cosc_bundle_add(cosc_bundle *bundle, const char *address, cosc_message *message) {
    if (library.lo_bundle_add_message(bundle_of(bundle), address, message_of(message)) == 0) return true;
    cosc_message_free(message);
    return false;
}

size_t cosc_bundle_length(cosc_bundle *bundle, const char *address, cosc_message *message) {
    // Each element of a bundle has its size before it.
    return library.lo_bundle_length(bundle_of(bundle)) + 4 + library.lo_message_length(message_of(message), address);
}

uint8_t *cosc_bundle_bytes(cosc_bundle *bundle, size_t *size) {
    return library.lo_bundle_serialise(bundle_of(bundle), NULL, size);
}

void cosc_bundle_free(cosc_bundle *bundle) { library.lo_bundle_free_recursive(bundle_of(bundle)); }
