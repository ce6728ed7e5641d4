// OpenCV's static library refers to GLX for pictures on graphics cards, which it is never given here. Without this, the
// program would need GLX and X11 even where it has no window.
#ifdef BAUTA_STATIC_LIBRARIES
typedef void (*function)(void);

__attribute__((visibility("hidden"))) function glXGetProcAddressARB(const unsigned char *name) {
    (void)name;
    return 0;
}
#else
typedef int static_opencv_is_empty;
#endif
