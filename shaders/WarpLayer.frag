#version 330 core
// One pixel of a mask, to be laid over one pixel of the picture: source over destination (Porter & Duff 1984) on sRGB's
// encoded numbers, as painting programs and browsers do (W3C, Compositing and Blending).
//
// An opaque picture of 8 bits in sRGB is blended by fixed function with what comes out here. For all others BLENDS is
// defined, and the shader does it.

in vec2 layerPlace;
in float vertexPresence;

uniform sampler2D layerTexture;  // encoded, colours premultiplied by alpha, the soft edge in it
uniform float opacity;

out vec4 result;

#ifdef BLENDS
uniform sampler2D picture;   // the tile as it was; encoded, straight alpha
uniform bool isGrey;         // a grey picture takes only the mask's luminance
uniform bool isSRGB;
uniform mat3 sRGBToPicture;  // linear sRGB to the picture's linear RGB

vec3 decoded(vec3 c) {  // IEC 61966-2-1
    return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), c));
}

vec3 encoded(vec3 c) {
    c = max(c, 0.0);
    return mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(vec3(0.0031308), c));
}
#endif

void main() {
    vec4 mask = texture(layerTexture, layerPlace) * (vertexPresence * opacity);
#ifdef BLENDS
    if (mask.a < 1.0 / 1024.0) discard;
    vec3 color = mask.rgb / mask.a;
    if (isGrey) {
        color = encoded(vec3(dot(decoded(color), vec3(0.2126, 0.7152, 0.0722))));
    } else if (!isSRGB) {
        color = encoded(sRGBToPicture * decoded(color));
    }
    vec4 below = texelFetch(picture, ivec2(gl_FragCoord.xy), 0);
    float alpha = mask.a + below.a * (1.0 - mask.a);
    result = vec4((color * mask.a + below.rgb * below.a * (1.0 - mask.a)) / alpha, alpha);
#else
    result = mask;
#endif
}
