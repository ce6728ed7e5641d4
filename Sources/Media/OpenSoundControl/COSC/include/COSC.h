// Bundles of Open Sound Control 1.0 through liblo, which is loaded when the first one is made.
#ifndef COSC_H
#define COSC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cosc_bundle cosc_bundle;
typedef struct cosc_message cosc_message;

// Whether liblo is installed.
bool cosc_is_available(void);

// A message without arguments; NULL without memory. liblo must be available.
cosc_message *cosc_message_new(void);
// Add an argument; false without memory. `text` is copied.
bool cosc_message_add_integer(cosc_message *message, int32_t value);
bool cosc_message_add_float(cosc_message *message, float value);
bool cosc_message_add_string(cosc_message *message, const char *text);
void cosc_message_free(cosc_message *message);

// A bundle to be carried out at once; NULL without memory. liblo must be available.
cosc_bundle *cosc_bundle_new(void);
// Takes over the message. `address` is copied. Returns false without memory.
bool cosc_bundle_add(cosc_bundle *bundle, const char *address, cosc_message *message);
// The bytes of the bundle if this message were added, too.
size_t cosc_bundle_length(cosc_bundle *bundle, const char *address, cosc_message *message);
// The bundle's bytes, to be released with `free`; NULL without memory.
uint8_t *cosc_bundle_bytes(cosc_bundle *bundle, size_t *size);
void cosc_bundle_free(cosc_bundle *bundle);

#endif
