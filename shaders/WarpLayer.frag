#version 330 core
// One pixel of a layer. Layers are blended with the picture in sRGB-encoded values, as in painting programs and browsers
// (W3C, Compositing and Blending Level 1).
//
// Macros (LayerPrograms.Key):
//   BLENDS        the shader blends; otherwise fixed-function blending does, which is exact for opaque 8-bit sRGB pictures
//                 and the modes normal, multiply and screen
//   BLEND_MODE    with BLENDS: number of the case of Swift's BlendMode, from 0 (normal)
//   LIVE          the layer's colours are a capture of the picture
//   EDGE          with LIVE: the capture is multiplied by the soft edge of the mesh
//   RESTORES      with BLENDS, LIVE and EDGE: the picture becomes, alpha too, what was captured of it
//   COLOR         the layer's colours are matched to the skin's
//   DETAIL        with BLENDS: the fine structure of the skin shows through
//   RECOLORS      with BLENDS: the picture's colours are looked up in the table; only alpha is the layer's
//   OFFSETS       with BLENDS: half of the layer's colours, less those of 128, is added to the picture's

in vec2 layerPlace;
in vec2 canonicalUV;
in float vertexVisibility;
in vec2 vertexLight;

uniform sampler2D layerTexture;  // encoded, premultiplied, multiplied by the soft edge
uniform float opacity;
uniform float transmission;  // of the haze in front of the layer
uniform vec3 haze;           // the light that it adds, encoded

out vec4 result;

#ifdef EDGE
uniform sampler2D edge;  // in canonical UV; alpha is the soft edge
#endif

#if defined(COLOR) || defined(RECOLORS)
uniform sampler3D colorTable;  // look-up table: the layer's colour to the matched colour
uniform float colorWeight;
#endif

#ifdef DETAIL
uniform float detailWeight;
uniform float meanLuminance;  // of the skin, encoded
#endif

#ifdef BLENDS
uniform sampler2D picture;   // the tile below this layer; encoded, straight alpha
uniform bool isGrey;         // a grey picture receives only the mask's luminance
uniform bool isSRGB;
uniform mat3 sRGBToPicture;  // linear sRGB to the picture's linear RGB

vec3 decoded(vec3 c) {  // IEC 61966-2-1
    return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), c));
}

vec3 encoded(vec3 c) {
    c = max(c, 0.0);
    return mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(vec3(0.0031308), c));
}

// The names of the specification: Cb is the colour below, Cs the layer's.

float lum(vec3 c) { return dot(c, vec3(0.3, 0.59, 0.11)); }
float sat(vec3 c) { return max(c.r, max(c.g, c.b)) - min(c.r, min(c.g, c.b)); }

vec3 clipColor(vec3 c) {
    float l = lum(c);
    float n = min(c.r, min(c.g, c.b));
    float x = max(c.r, max(c.g, c.b));
    if (n < 0.0) c = l + (c - l) * l / (l - n);
    if (x > 1.0) c = l + (c - l) * (1.0 - l) / (x - l);
    return c;
}

vec3 setLum(vec3 c, float l) { return clipColor(c + (l - lum(c))); }

vec3 setSat(vec3 c, float s) {
    float n = min(c.r, min(c.g, c.b));
    float x = max(c.r, max(c.g, c.b));
    return x > n ? (c - n) * s / (x - n) : vec3(0.0);
}

vec3 hardLight(vec3 Cb, vec3 Cs) {
    return mix(2.0 * Cs * Cb, 1.0 - 2.0 * (1.0 - Cs) * (1.0 - Cb), step(vec3(0.5), Cs));
}

float dodge(float cb, float cs) { return cb <= 0.0 ? 0.0 : cs >= 1.0 ? 1.0 : min(1.0, cb / (1.0 - cs)); }
float burn(float cb, float cs) { return cb >= 1.0 ? 1.0 : cs <= 0.0 ? 0.0 : 1.0 - min(1.0, (1.0 - cb) / cs); }

float soft(float cb, float cs) {
    if (cs <= 0.5) return cb - (1.0 - 2.0 * cs) * cb * (1.0 - cb);
    float d = cb <= 0.25 ? ((16.0 * cb - 12.0) * cb + 4.0) * cb : sqrt(cb);
    return cb + (2.0 * cs - 1.0) * (d - cb);
}

vec3 blended(vec3 Cb, vec3 Cs) {
#if BLEND_MODE == 0
    return Cs;
#elif BLEND_MODE == 1
    return Cb * Cs;
#elif BLEND_MODE == 2
    return Cb + Cs - Cb * Cs;
#elif BLEND_MODE == 3
    return hardLight(Cs, Cb);
#elif BLEND_MODE == 4
    return min(Cb, Cs);
#elif BLEND_MODE == 5
    return max(Cb, Cs);
#elif BLEND_MODE == 6
    return vec3(dodge(Cb.r, Cs.r), dodge(Cb.g, Cs.g), dodge(Cb.b, Cs.b));
#elif BLEND_MODE == 7
    return vec3(burn(Cb.r, Cs.r), burn(Cb.g, Cs.g), burn(Cb.b, Cs.b));
#elif BLEND_MODE == 8
    return hardLight(Cb, Cs);
#elif BLEND_MODE == 9
    return vec3(soft(Cb.r, Cs.r), soft(Cb.g, Cs.g), soft(Cb.b, Cs.b));
#elif BLEND_MODE == 10
    return abs(Cb - Cs);
#elif BLEND_MODE == 11
    return Cb + Cs - 2.0 * Cb * Cs;
#elif BLEND_MODE == 12
    return setLum(setSat(Cs, sat(Cb)), lum(Cb));
#elif BLEND_MODE == 13
    return setLum(setSat(Cb, sat(Cs)), lum(Cb));
#elif BLEND_MODE == 14
    return setLum(Cs, lum(Cb));
#elif BLEND_MODE == 15
    return setLum(Cb, lum(Cs));
#else
#error "a blend mode without a formula"
#endif
}
#endif

float luminance(vec3 c) { return dot(c, vec3(0.2126, 0.7152, 0.0722)); }

void main() {
#ifdef BLENDS
    vec4 below = texelFetch(picture, ivec2(gl_FragCoord.xy), 0);
#endif
    vec4 mask = texture(layerTexture, layerPlace);
#ifdef RESTORES
    float share = texture(edge, canonicalUV).a * vertexVisibility * opacity;
    if (share < 1.0 / 1024.0) discard;
    float mixed = mix(below.a, mask.a, share);
    vec3 colors = mix(below.rgb * below.a, mask.rgb * mask.a, share);
    result = vec4(mixed >= 1.0 / 1024.0 ? colors / mixed : mask.rgb, mixed);
    return;
#endif
#ifdef LIVE
    mask = vec4(mask.rgb, 1.0);
#ifdef EDGE
    mask *= texture(edge, canonicalUV).a;
#endif
#endif
#ifdef COLOR
    if (mask.a > 0.0) {
        vec3 own = mask.rgb / mask.a;
        mask.rgb = mix(own, texture(colorTable, own * (15.0 / 16.0) + 0.5 / 16.0).rgb, colorWeight) * mask.a;
    }
#endif
#ifdef RECOLORS
    mask.rgb = texture(colorTable, below.rgb * (15.0 / 16.0) + 0.5 / 16.0).rgb * mask.a;
#endif
#ifdef OFFSETS
    mask.rgb = clamp(below.rgb + 0.5 * (mask.rgb - 128.0 / 255.0), 0.0, 1.0);
#endif
    float brightness = vertexLight.x;
#ifdef DETAIL
    float fine = luminance(below.rgb) / max(meanLuminance * vertexLight.y, 0.02);
    brightness *= mix(1.0, clamp(fine, 0.55, 1.5), detailWeight);
#endif
    mask.rgb = min(mask.rgb * brightness, vec3(mask.a));
    mask.rgb = transmission * mask.rgb + haze * mask.a;
    mask *= vertexVisibility * opacity;
#ifdef BLENDS
    if (mask.a < 1.0 / 1024.0) discard;
    vec3 color = mask.rgb / mask.a;
#ifndef LIVE
    if (isGrey) {
        color = encoded(vec3(dot(decoded(color), vec3(0.2126, 0.7152, 0.0722))));
    }
#if !defined(RECOLORS) && !defined(OFFSETS)
    else if (!isSRGB) {
        color = encoded(sRGBToPicture * decoded(color));
    }
#endif
#endif
    color = mix(color, clamp(blended(below.rgb, color), 0.0, 1.0), below.a);
    float alpha = mask.a + below.a * (1.0 - mask.a);
    result = vec4((color * mask.a + below.rgb * below.a * (1.0 - mask.a)) / alpha, alpha);
#else
    result = mask;
#endif
}
