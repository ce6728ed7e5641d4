// libFuzzer's own entry, for programs that have a main function already.
#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(
    int *argument_count, char ***arguments, int (*test_one_input)(const uint8_t *data, size_t size));

#endif
