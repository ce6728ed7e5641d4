"""Masks the faces of a video: reads raw pictures from standard input and writes them, masked, to standard output.

  ffmpeg -v error -i film.mp4 -f rawvideo -pix_fmt rgba - | python3 library.py 1280 720 25 tiger |
      ffmpeg -f rawvideo -pix_fmt rgba -s 1280x720 -r 25 -i - masked.mp4
"""
import ctypes
import os
import sys
import time

OK, PENDING, RGBA = 0, 1, 0


class Picture(ctypes.Structure):
    """bauta_picture"""
    _fields_ = [
        ("size", ctypes.c_size_t), ("format", ctypes.c_int), ("matrix", ctypes.c_int), ("range", ctypes.c_int),
        ("width", ctypes.c_uint32), ("height", ctypes.c_uint32), ("planes", ctypes.c_void_p * 3),
        ("strides", ctypes.c_ssize_t * 3)]


bauta = ctypes.CDLL(os.environ.get("LIBBAUTA", "libbauta.so.0"))
bauta.bauta_error_text.restype = ctypes.c_char_p
bauta.bauta_process.argtypes = [ctypes.c_void_p, ctypes.POINTER(Picture), ctypes.c_double]


def check(result):
    if result != OK:
        sys.exit(bauta.bauta_error_text().decode())


width, height, rate, mask = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
engine = ctypes.c_void_p()
check(bauta.bauta_open(None, ctypes.byref(engine)))
check(bauta.bauta_set_option(engine, b"wait", b"on"))  # The same video always has the same result.
bauta.bauta_set_mask(engine, os.fsencode(mask))
while (status := bauta.bauta_status(engine)) == PENDING:
    time.sleep(0.01)
check(status)

pixels = (ctypes.c_uint8 * (4 * width * height))()
picture = Picture(ctypes.sizeof(Picture), RGBA, 0, 0, width, height)
picture.planes[0], picture.strides[0] = ctypes.addressof(pixels), 4 * width
frame = 0
while sys.stdin.buffer.readinto(pixels) == len(pixels):
    check(bauta.bauta_process(engine, ctypes.byref(picture), frame / rate))
    sys.stdout.buffer.write(pixels)
    frame += 1
bauta.bauta_close(engine)
