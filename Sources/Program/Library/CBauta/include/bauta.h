#ifndef BAUTA_H
#define BAUTA_H

// Bauta as a library: puts masks on faces in pictures that another program owns.
//
// An engine belongs to one stream of pictures. A process may have several. Any thread may call functions, but at most
// one at a time with the same engine. The library handles no signals, prints nothing and changes no global state of the
// process. It starts threads, with signals blocked, which end in `bauta_close`. Masks with animations or with textures
// in SVG or TIFF are read in child processes, which have ended when the mask is worn: a program must not wait for
// children that it has not started.
//
// Faces are found with MediaPipe's networks in $XDG_DATA_HOME/bauta/networks (default: ~/.local/share/bauta/networks),
// which `bauta fetch-networks` fetches. dlib's landmark model, whose training data excludes commercial use, is never
// loaded unless the option `landmarks` asks for it.
//
// The library stays in the process after `dlclose`, because Swift's runtime, which it contains, cannot be unloaded.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bauta_engine bauta_engine;

typedef enum bauta_result {
    BAUTA_OK = 0,
    BAUTA_PENDING = 1,   // The work goes on; ask again.
    BAUTA_INVALID = 2,   // An argument is wrong; the text says which one, and what would be right.
    BAUTA_NOT_FOUND = 3, // No such mask, file or folder.
    BAUTA_DAMAGED = 4,   // A file was found and cannot be used.
    BAUTA_NO_MEMORY = 5, // The system gives no more memory or threads.
    BAUTA_FAILED = 6,    // Anything else.
} bauta_result;

// How a picture lies in memory, with 8 bits a component.
typedef enum bauta_format {
    BAUTA_RGBA = 0, // One plane: red, green, blue, alpha (straight).
    BAUTA_BGRA = 1, // One plane: blue, green, red, alpha (straight).
    BAUTA_I420 = 2, // Three planes: Y; U and V at half width and height, rounded up.
    BAUTA_NV12 = 3, // Two planes: Y; U and V alternating, at half width and height, rounded up.
    BAUTA_YUY2 = 4, // One plane: Y U Y V; the width is even.
} bauta_format;

// How YUV is computed from RGB. RGBA and BGRA ignore both.
typedef enum bauta_matrix { BAUTA_BT601 = 0, BAUTA_BT709 = 1 } bauta_matrix;
typedef enum bauta_range { BAUTA_LIMITED = 0, BAUTA_FULL = 1 } bauta_range;

// A picture that the caller owns. The library reads and writes it during a call and keeps no pointer to it.
typedef struct bauta_picture {
    size_t size;          // sizeof(bauta_picture): tells versions of this structure apart.
    bauta_format format;
    bauta_matrix matrix;
    bauta_range range;
    uint32_t width;       // In pixels, 1 to 16384.
    uint32_t height;      // In pixels, 1 to 16384.
    uint8_t *planes[3];   // The first byte of each plane. Those that the format does not have are ignored.
    ptrdiff_t strides[3]; // Bytes from one row of a plane to the next: at least a row, at most 1048576.
} bauta_picture;

// A face in the last picture that `bauta_process` returned.
typedef struct bauta_face {
    size_t size;                    // sizeof(bauta_face), set by the caller in the first element.
    int32_t track;                  // From 1; the same for one face as long as it is tracked.
    float left, top, right, bottom; // Around the landmarks, in pixels.
    float yaw, pitch, roll;         // In degrees, with the signs of docs/reference/tracks.md.
    float landmarks[68][2];         // x, y in pixels from the top left corner; the 68 points of iBUG 300-W.
} bauta_face;

// The version of the library, such as "0.1.0". Static. Any thread.
const char *bauta_version(void);

// Why the last function that failed on the calling thread did so: a sentence in English, UTF-8; "" if none has failed.
// Any thread; valid until the next call on that thread.
const char *bauta_error_text(void);

// Opens an engine, which wears no mask. Any thread. Takes some milliseconds: models are loaded later, by a thread of
// the engine, when the first mask, picture or `bauta_status` asks for them.
// - data: the path of the data folder, which has face/, masks/ and shaders/. NULL: the environment variable BAUTA_DATA,
//   or else a folder above the library, or share/bauta in it.
// - engine: receives the engine, which the caller owns until `bauta_close`; NULL on failure.
bauta_result bauta_open(const char *data, bauta_engine **engine);

// Ends the threads of an engine and frees it; waits for them, usually some milliseconds. NULL is ignored. Any thread.
void bauta_close(bauta_engine *engine);

// Begins to load a mask on a thread of the engine, and does not wait for it. The mask before is worn until the new one
// has been loaded, and longer if that fails. Any thread.
// - mask: the name of an installed mask, or the path of a mask's folder or of a `.bauta` file; copied. NULL: faces are
//   to be seen without a mask.
// - Returns: BAUTA_PENDING, or BAUTA_OK for NULL.
bauta_result bauta_set_mask(bauta_engine *engine, const char *mask);

// The outcome of the last `bauta_set_mask`, and of loading the models: BAUTA_PENDING, BAUTA_OK, or why they cannot be
// used, with a text. Does not wait. Any thread.
bauta_result bauta_status(bauta_engine *engine);

// Sets an option for the pictures that follow. Any thread. Most are those of `bauta live`, without "--":
//   anonymise  off; or how all faces are covered in place of wearing masks: solid, face, mosaic, blur. Default: off.
//              Pictures come out 0.4 s after they went in; until the first one comes out, they are blurred as a
//              whole. The last ones come out only if others follow.
//   detector   network, hog, haar, lbp, centerface. Default: network where it is installed, otherwise hog.
//   faces      all; largest; or the number of faces that wear a mask, largest first.
//              Default: all.
//   landmarks  mesh, which needs the networks (`bauta fetch-networks`); or auto, cascade, which load dlib's model.
//              Default: mesh.
//   min-face   the smallest face that is searched for: 40px, or 10% of the picture's height. Default: 10%.
//   model      the file of another model in dlib's format, for the landmarks auto and cascade.
//   occluders  mask, none, hands. Default: mask, which means that each mask decides.
//   when-lost  keep, hide, blur. Default: keep. With blur, the whole picture is blurred while no face is tracked, and
//              for a second after a loss or a cut.
// And of the library alone:
//   behind     on: `bauta_process` does not wait for masking. Default: off.
//   opacity    of masks: 0 to 1. Default: 1.
//   wait       on: each search for faces ends within its picture, so that the same pictures always have the same
//              result. off: it goes on in the background. Default: off.
// Changes of anonymise, detector, landmarks, min-face, model and wait load models again. The former ones are used until
// then; where faces are to be covered, pictures are blurred as a whole.
// - name, value: copied. A value of NULL: the default.
// - Returns: BAUTA_OK or BAUTA_INVALID.
bauta_result bauta_set_option(bauta_engine *engine, const char *name, const char *value);

// Masks a picture in place. Any thread; several engines at the same time.
//
// Until a mask has been chosen and loaded, and the models, or if that has failed, the picture stays as it is; with
// "anonymise" or "when-lost blur", it is blurred as a whole. The mask NULL shows faces also with "when-lost blur".
//
// Of a YUV picture, bytes change only where a mask or a cover changes the colour; the covers mosaic and blur encode all
// of it anew. A picture of another size or format than the one before begins anew, but times go on.
//
// With "behind", the picture is copied and masked by a thread of the engine, and becomes the one that was finished
// last: that of the call before if masking it took less time than passed between the calls. A picture that still waits
// is replaced by a newer one. The call waits only for copying. BAUTA_PENDING: no other picture has been finished since
// the last call; the picture becomes the one finished last. If none of its size and format has been finished that
// hides as much, it stays as it is; with "anonymise" or "when-lost blur", it becomes grey.
//
// - picture: of any format; it may change from call to call.
// - seconds: the time of the picture, for smoothing and animations: from -1e9 to 1e9, and not smaller than that of the
//   picture before. The result depends on these times, not on when the function is called.
// - Returns: BAUTA_OK, also before the mask has been loaded; BAUTA_PENDING as above; BAUTA_INVALID, or why it could not
//   be masked. With "anonymise" or "when-lost blur", a picture that could not be masked is blurred or grey; otherwise, and
//   where `picture` itself is wrong, it stays as it is.
bauta_result bauta_process(bauta_engine *engine, bauta_picture *picture, double seconds);

// The next picture comes from another source: tracks, smoothing, lost faces and times are forgotten. NULL is ignored.
// Any thread.
void bauta_reset(bauta_engine *engine);

// The faces of the last picture that `bauta_process` returned, largest first. Any thread.
// - faces: memory of the caller for `capacity` elements, or NULL.
// - Returns: how many faces there are, which may be more than `capacity`; 0 if `size` is wrong.
size_t bauta_faces(bauta_engine *engine, bauta_face *faces, size_t capacity);

// The name of an installed mask; they are sorted by name. Index 0 looks again which masks there are. Any thread.
// - Returns: the name, valid until `bauta_close`; NULL past the last.
const char *bauta_mask_name(bauta_engine *engine, size_t index);

#ifdef __cplusplus
}
#endif
#endif
