// Turns C++ exceptions into a cvision_status.
#pragma once

#include <cstdio>
#include <exception>
#include <new>

#include "CVision.h"

namespace cvision {

inline void set_status(cvision_status *status, int32_t code, const char *message) {
    if (!status) return;
    status->code = code;
    std::snprintf(status->message, sizeof status->message, "%s", message);
}

/// Runs `body` and returns what it returns, or `fallback` after reporting the exception that it threw.
template <typename Result, typename Body>
Result guarded(cvision_status *status, Result fallback, Body body) noexcept {
    set_status(status, CVISION_OK, "");
    try {
        return body();
    } catch (const std::bad_alloc &) {
        set_status(status, CVISION_OUT_OF_MEMORY, "not enough memory");
    } catch (const std::exception &error) {
        set_status(status, CVISION_FAILED, error.what());
    } catch (...) {
        set_status(status, CVISION_FAILED, "unknown C++ exception");
    }
    return fallback;
}

}  // namespace cvision
