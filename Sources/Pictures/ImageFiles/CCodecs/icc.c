#include <lcms2.h>

#include "CCodecs.h"

static bool colorants(cmsHPROFILE profile, double matrix[3][3]) {
    const cmsTagSignature tags[3] = {cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag};
    for (int i = 0; i < 3; ++i) {
        const cmsCIEXYZ *colorant = cmsReadTag(profile, tags[i]);
        if (!colorant) return false;
        matrix[0][i] = colorant->X;
        matrix[1][i] = colorant->Y;
        matrix[2][i] = colorant->Z;
    }
    return true;
}

static bool invert(const double m[3][3], double inverse[3][3]) {
    double cofactor[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            cofactor[i][j] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
        }
    const double determinant = m[0][0] * cofactor[0][0] + m[0][1] * cofactor[0][1] + m[0][2] * cofactor[0][2];
    if (!(determinant > 1e-6 || determinant < -1e-6)) return false;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) inverse[i][j] = cofactor[j][i] / determinant;
    return true;
}

bool ccodecs_icc_matrix_from_srgb(const uint8_t *bytes, size_t size, float matrix[9]) {
    // Our own context: the default one prints errors and shares its error handler between threads.
    cmsContext context = cmsCreateContext(NULL, NULL);
    cmsHPROFILE profile = cmsOpenProfileFromMemTHR(context, bytes, (cmsUInt32Number)size);
    cmsHPROFILE srgb = cmsCreate_sRGBProfileTHR(context);
    double from[3][3], to[3][3], inverse[3][3];
    const bool usable = profile && srgb && cmsGetColorSpace(profile) == cmsSigRgbData && cmsIsMatrixShaper(profile)
        && colorants(srgb, from) && colorants(profile, to) && invert(to, inverse);
    if (usable)
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                matrix[3 * i + j] =
                    (float)(inverse[i][0] * from[0][j] + inverse[i][1] * from[1][j] + inverse[i][2] * from[2][j]);
    if (profile) cmsCloseProfile(profile);
    if (srgb) cmsCloseProfile(srgb);
    cmsDeleteContext(context);
    return usable;
}

bool ccodecs_icc_convert_to_srgb(
    const uint8_t *bytes, size_t size, void *rgba, int32_t width, int32_t height, size_t bytes_per_row,
    int32_t bits_per_component) {
    cmsContext context = cmsCreateContext(NULL, NULL);
    cmsHPROFILE profile = cmsOpenProfileFromMemTHR(context, bytes, (cmsUInt32Number)size);
    cmsHPROFILE srgb = cmsCreate_sRGBProfileTHR(context);
    const cmsUInt32Number format = bits_per_component == 16 ? TYPE_RGBA_16 : TYPE_RGBA_8;
    cmsHTRANSFORM transform = NULL;
    if (profile && srgb && cmsGetColorSpace(profile) == cmsSigRgbData)
        transform = cmsCreateTransformTHR(
            context, profile, format, srgb, format, INTENT_RELATIVE_COLORIMETRIC, cmsFLAGS_NOCACHE);
    if (transform)
        cmsDoTransformLineStride(
            transform, rgba, rgba, (cmsUInt32Number)width, (cmsUInt32Number)height, (cmsUInt32Number)bytes_per_row,
            (cmsUInt32Number)bytes_per_row, 0, 0);
    const bool converted = transform != NULL;
    if (transform) cmsDeleteTransform(transform);
    if (profile) cmsCloseProfile(profile);
    if (srgb) cmsCloseProfile(srgb);
    cmsDeleteContext(context);
    return converted;
}

// Without a profile: each ink lets through its share of light.
static void multiply_inks(uint8_t *row, int32_t width) {
    for (int32_t x = 0; x < width; ++x, row += 4)
        for (int i = 0; i < 3; ++i) row[i] = (uint8_t)((row[i] * row[3] + 127) / 255);
}

void ccodecs_cmyk_to_srgb(
    const uint8_t *bytes, size_t size, void *pixels, int32_t width, int32_t height, size_t bytes_per_row) {
    cmsContext context = cmsCreateContext(NULL, NULL);
    cmsHPROFILE profile = size > 0 ? cmsOpenProfileFromMemTHR(context, bytes, (cmsUInt32Number)size) : NULL;
    cmsHPROFILE srgb = cmsCreate_sRGBProfileTHR(context);
    cmsHTRANSFORM transform = NULL;
    if (profile && srgb && cmsGetColorSpace(profile) == cmsSigCmykData)
        transform = cmsCreateTransformTHR(
            context, profile, TYPE_CMYK_8_REV, srgb, TYPE_RGBA_8, INTENT_RELATIVE_COLORIMETRIC,
            cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION);
    if (transform)
        cmsDoTransformLineStride(
            transform, pixels, pixels, (cmsUInt32Number)width, (cmsUInt32Number)height, (cmsUInt32Number)bytes_per_row,
            (cmsUInt32Number)bytes_per_row, 0, 0);
    for (int32_t y = 0; y < height; ++y) {
        uint8_t *row = (uint8_t *)pixels + (size_t)y * bytes_per_row;
        if (!transform) multiply_inks(row, width);
        // Here the black ink was.
        for (int32_t x = 0; x < width; ++x) row[4 * x + 3] = 255;
    }
    if (transform) cmsDeleteTransform(transform);
    if (profile) cmsCloseProfile(profile);
    if (srgb) cmsCloseProfile(srgb);
    cmsDeleteContext(context);
}
