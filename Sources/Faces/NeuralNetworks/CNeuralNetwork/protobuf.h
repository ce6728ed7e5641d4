// Bounds-checked reading of protocol buffers (https://protobuf.dev/programming-guides/encoding). A field that is cut
// off or of an unknown form sets `is_damaged` and ends the message; the caller checks it before it trusts what it has
// read.
#ifndef PROTOBUF_H
#define PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// A message, of which the fields from `next` on have not been read. Also text and packed numbers, which are bytes.
typedef struct protobuf {
    const uint8_t *next, *end;
    bool is_damaged;
} protobuf;

typedef enum protobuf_form { PROTOBUF_NUMBER = 0, PROTOBUF_64_BITS = 1, PROTOBUF_BYTES = 2, PROTOBUF_32_BITS = 5 }
    protobuf_form;

typedef struct protobuf_field {
    uint64_t number;  // which field it is
    protobuf_form form;
    uint64_t value;   // unless its form is PROTOBUF_BYTES
    protobuf bytes;   // if its form is PROTOBUF_BYTES
} protobuf_field;

static inline size_t protobuf_size(const protobuf *message) { return (size_t)(message->end - message->next); }

// A number of at most 64 bits, seven in each byte, the lowest first.
static inline uint64_t protobuf_number(protobuf *message) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && message->next < message->end; shift += 7) {
        const uint8_t byte = *message->next++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) return value;
    }
    message->is_damaged = true;
    return 0;
}

// `size` bytes of the message.
static inline protobuf protobuf_take(protobuf *message, uint64_t size) {
    protobuf taken = {message->next, message->next, false};
    if (size > protobuf_size(message)) message->is_damaged = true;
    else taken.end = message->next += size;
    return taken;
}

// Reads the next field. Returns false at the end of the message.
static inline bool protobuf_next(protobuf *message, protobuf_field *field) {
    if (message->is_damaged || message->next == message->end) return false;
    const uint64_t tag = protobuf_number(message);
    *field = (protobuf_field){.number = tag >> 3, .form = (protobuf_form)(tag & 7)};
    switch (field->form) {
    case PROTOBUF_NUMBER: field->value = protobuf_number(message); break;
    case PROTOBUF_BYTES: field->bytes = protobuf_take(message, protobuf_number(message)); break;
    case PROTOBUF_64_BITS:
    case PROTOBUF_32_BITS: {
        const size_t size = field->form == PROTOBUF_64_BITS ? 8 : 4;
        const protobuf bytes = protobuf_take(message, size);
        if (!message->is_damaged) memcpy(&field->value, bytes.next, size);
        break;
    }
    default: message->is_damaged = true;
    }
    return !message->is_damaged;
}

static inline bool protobuf_equal(const protobuf *one, const protobuf *other) {
    const size_t size = protobuf_size(one);
    return size == protobuf_size(other) && memcmp(one->next, other->next, size) == 0;
}

static inline bool protobuf_is(const protobuf *text, const char *expected) {
    const size_t size = strlen(expected);
    return size == protobuf_size(text) && memcmp(text->next, expected, size) == 0;
}

#endif
