// dlib and the few OpenCV calls Bauta needs, behind plain C.
//
// Conventions
// - A handle belongs to the thread that uses it, except where a function says that it may be shared.
// - Every function that can fail takes a `cvision_status` last and fills it; no C++ exception leaves this library.
// - Pixels are never copied to get in here: a `cvision_image` describes the caller's memory, which must outlive the
//   call.
// - Boxes and points are in dlib's convention: whole-pixel indices, so the centre of the first pixel is (0, 0).
#ifndef CVISION_H
#define CVISION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CVISION_OK = 0,
    CVISION_CANNOT_READ = 1,    // a file is missing or cannot be opened
    CVISION_BAD_MODEL = 2,      // a file is not what dlib can load, or not a model of 68 landmarks
    CVISION_OUT_OF_MEMORY = 3,
    CVISION_FAILED = 4          // anything else; the message says what
};

typedef struct cvision_status {
    int32_t code;
    char message[512];  // UTF-8, always terminated; empty when code is CVISION_OK
} cvision_status;

// Pixels in the caller's memory: 1 channel (grey) or 4 (red, green, blue, alpha), 8 bits each, rows top first.
typedef struct cvision_image {
    const uint8_t *pixels;
    int32_t width;
    int32_t height;
    int32_t channels;
    size_t bytes_per_row;
} cvision_image;

// A box of whole pixels: `width` columns from `left` on, `height` rows from `top` on. It may reach outside the picture.
typedef struct cvision_box {
    int32_t left;
    int32_t top;
    int32_t width;
    int32_t height;
} cvision_box;

typedef struct cvision_detection {
    cvision_box box;
    double confidence;  // distance from the detector's decision boundary; above 0 by default
} cvision_detection;

// Replaces what is behind people. It keeps memory from one picture to the next.
typedef struct cvision_background cvision_background;

cvision_background *cvision_background_create(cvision_status *status);
void cvision_background_destroy(cvision_background *background);

// `matte`: how far each place of the whole picture is a person, 0…1, row by row, of any size; its edge moves to those of the
// picture. `pixels`: those of `image`, which has four channels; alpha stays where a person is. `backdrop`: as large as the picture, with
// four channels; NULL: the picture itself, blurred, without the people. `cuts_out`: in place of that, what is no person becomes
// transparent, with straight alpha, and black but for the rim of people, which keeps their colours.
bool cvision_background_replace(
    cvision_background *background, uint8_t *pixels, const cvision_image *image, const float *matte,
    int32_t matte_width, int32_t matte_height, const cvision_image *backdrop, bool cuts_out, cvision_status *status);

// Draws pictures as comics. It keeps memory from one picture to the next.
typedef struct cvision_comic cvision_comic;

typedef struct cvision_comic_style {
    float face_width;  // of the face that decides the scale, in pixels, above 0
    float reduction;  // the picture is computed at one part in so many of its width; about face_width / 125
    // The brightness that becomes 0 and that which becomes 1, 0…1, and the exponent between them.
    float black, white, gamma;
    float skin;  // the brightness of skin after that, 0…1
    float levels;  // of brightness, 1 or more
    float lines;  // how much becomes a line: 0 nothing, 1 as usual
    float smoothing;  // 0…1
    float opacity;  // 0…1
    uint8_t line_color[3];
} cvision_comic_style;

cvision_comic *cvision_comic_create(cvision_status *status);
void cvision_comic_destroy(cvision_comic *comic);

// `pixels`: RGBA, with 8 bits a component, or 16 if it is deep; alpha stays.
bool cvision_comic_draw(
    cvision_comic *comic, void *pixels, int32_t width, int32_t height, size_t bytes_per_row, bool is_deep,
    const cvision_comic_style *style, cvision_status *status);

// dlib's frontal face detector (histograms of oriented gradients; Dalal & Triggs 2005, King 2015).
// Finds upright faces from about 80 pixels on, in grey pictures of up to 16384 pixels a side.
typedef struct cvision_face_detector cvision_face_detector;

cvision_face_detector *cvision_face_detector_create(cvision_status *status);
void cvision_face_detector_destroy(cvision_face_detector *detector);

// Writes at most `capacity` detections, most confident first, and returns how many there are (which may be more), or
// -1.
int32_t cvision_face_detector_find(
    cvision_face_detector *detector, const cvision_image *image, double threshold,
    cvision_detection *detections, int32_t capacity, cvision_status *status);

// OpenCV's cascades of boosted classifiers (Viola & Jones 2001; Lienhart & Maydt 2002), with Haar-like features or local
// binary patterns, from an XML file of OpenCV's format. For grey pictures.
typedef struct cvision_cascade_detector cvision_cascade_detector;

cvision_cascade_detector *cvision_cascade_detector_load(const char *path, cvision_status *status);
void cvision_cascade_detector_destroy(cvision_cascade_detector *detector);

// As `cvision_face_detector_find`. Confidence is how many overlapping windows agreed. `smallest` is the side in pixels
// of the smallest face looked for.
int32_t cvision_cascade_detector_find(
    cvision_cascade_detector *detector, const cvision_image *image, int32_t smallest,
    cvision_detection *detections, int32_t capacity, cvision_status *status);

// A 68-landmark shape predictor of dlib's format (Kazemi & Sullivan, CVPR 2014). Predicting changes nothing in it, so
// one predictor may be shared by any number of threads.
typedef struct cvision_landmark_predictor cvision_landmark_predictor;

cvision_landmark_predictor *cvision_landmark_predictor_load(const char *path, cvision_status *status);
void cvision_landmark_predictor_destroy(cvision_landmark_predictor *predictor);

// In a colour picture the predictor reads (red + green + blue) / 3.
// Writes x0, y0, x1, y1, … of the 68 landmarks (136 floats), rounded to whole pixels by dlib. Returns false on failure.
bool cvision_landmark_predictor_predict(
    const cvision_landmark_predictor *predictor, const cvision_image *image, cvision_box box,
    float *landmarks, cvision_status *status);

// Grey (ITU-R BT.601 luma) of an RGBA picture, resized to `width` × `height`: area averages when smaller, bilinear when
// larger. `grey` has `height` rows of `bytes_per_row` bytes.
bool cvision_resize_to_grey(
    const cvision_image *image, uint8_t *grey, int32_t width, int32_t height, size_t bytes_per_row,
    cvision_status *status);

// The same without a change of format: grey or RGBA.
bool cvision_resize(
    const cvision_image *image, uint8_t *result, int32_t width, int32_t height, size_t bytes_per_row,
    cvision_status *status);

// GrabCut (Rother, Kolmogorov & Blake 2004) on an RGBA picture. `labels` has a byte for each pixel, in rows of
// `labels_per_row` bytes: 0 background, 1 foreground, 2 probably background, 3 probably foreground. The last two are
// changed. There must be both kinds. The same input always gives the same result.
bool cvision_grab_cut(
    const cvision_image *image, uint8_t *labels, size_t labels_per_row, int32_t iterations, cvision_status *status);

// A polygon in a picture: x0, y0, x1, y1, …, and the distance in pixels by which it is shrunk or widened.
typedef struct cvision_polygon {
    const float *points;
    int32_t count;
    float margin;
} cvision_polygon;

// The corners of a grey picture that are easiest to follow (Shi & Tomasi, "Good Features to Track", CVPR 1994) inside
// the convex hull of `inside`, shrunk by its margin, and outside of `holes`, each widened by its margin; at least
// `distance` pixels apart. Writes x0, y0, x1, y1, … of at most `capacity` corners, the best first, and returns how many,
// or -1.
int32_t cvision_corners(
    const cvision_image *image, const cvision_polygon *inside, const cvision_polygon *holes, int32_t hole_count,
    double distance, float *corners, int32_t capacity, cvision_status *status);

// Follows points from one grey picture to another of the same size (OpenCV's pyramidal Lucas–Kanade) and back again.
// - `moved`: where the points are in `to`.
// - `returned`: how far from its origin the way back of each point ended, in pixels; infinite for one that was lost.
bool cvision_follow_points(
    const cvision_image *from, const cvision_image *to, const float *points, int32_t count, float *moved,
    float *returned, cvision_status *status);

// How far a grey picture has moved as a whole since another one of the same size, in pixels, by phase correlation with a
// Hanning window (OpenCV's phaseCorrelate; Stone et al., "A Fast Direct Fourier-Based Algorithm for Subpixel Registration of
// Images", 2001). `response` is how certain that is, about 1 for equal pictures, near 0 for unrelated ones. Pictures without
// any contrast have not moved, with a response of 0.
bool cvision_shift(
    const cvision_image *from, const cvision_image *to, float *x, float *y, float *response, cvision_status *status);

// dlib's face recognition network (King, "High Quality Face Recognition with Deep Metric Learning", 2017), from its file
// dlib_face_recognition_resnet_model_v1.dat. Pictures of one person get embeddings that lie near each other.
enum { CVISION_EMBEDDING_SIZE = 128, CVISION_FACE_CHIP_SIDE = 150 };

typedef struct cvision_face_embedder cvision_face_embedder;

// The file is trusted: check that it is the right one before.
cvision_face_embedder *cvision_face_embedder_load(const char *path, cvision_status *status);
void cvision_face_embedder_destroy(cvision_face_embedder *embedder);

// Writes the CVISION_EMBEDDING_SIZE numbers of the embedding of an aligned face.
// - `chip`: red, green and blue of CVISION_FACE_CHIP_SIDE rows of as many pixels, without gaps.
bool cvision_face_embedder_describe(
    cvision_face_embedder *embedder, const uint8_t *chip, float *embedding, cvision_status *status);

// The names and versions of the libraries, with commas between them.
const char *cvision_versions(void);

#ifdef __cplusplus
}
#endif

#endif
