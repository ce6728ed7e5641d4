#version 330 core
// Lays one pixel of a mask over one pixel of the picture, in linear light. Blending happens here and not in fixed
// function: pixels the mask does not reach are discarded, so they keep their value to the bit, and 16-bit pictures
// keep 16 bits.

in vec2 layerPlace;
in vec2 referencePlace;
in float vertexPresence;

uniform sampler2D layerTexture;   // sRGB, colours premultiplied by alpha in linear light
uniform sampler2D edgeDistance;   // distance from the mesh's edge over the reference sheet, as a share of edgeRange
uniform sampler2D picture;        // the tile as it was; encoded, straight alpha
uniform float edgeRange;          // reference sheet units
uniform float feather;            // width of the soft edge, reference sheet units
uniform float opacity;
uniform bool isGrey;              // a grey picture takes only the mask's luminance
uniform mat3 sRGBToPicture;       // linear sRGB to the picture's linear RGB

out vec4 result;

vec3 decoded(vec3 c) {  // IEC 61966-2-1
    return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), c));
}

vec3 encoded(vec3 c) {
    c = max(c, 0.0);
    return mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(vec3(0.0031308), c));
}

void main() {
    float distance = texture(edgeDistance, referencePlace).r * edgeRange;
    // However small the face, the edge is never sharper than a pixel and a half: that is its anti-aliasing.
    float width = max(feather, 1.5 * length(vec2(dFdx(distance), dFdy(distance))));
    float coverage = smoothstep(0.0, width, distance) * vertexPresence * opacity;
    vec4 mask = texture(layerTexture, layerPlace) * coverage;
    if (mask.a < 1.0 / 1024.0) discard;

    vec4 below = texelFetch(picture, ivec2(gl_FragCoord.xy), 0);
    vec3 color = sRGBToPicture * mask.rgb;
    if (isGrey) color = vec3(dot(mask.rgb, vec3(0.2126, 0.7152, 0.0722)));
    // Source over destination (Porter & Duff 1984), premultiplied.
    float alpha = mask.a + below.a * (1.0 - mask.a);
    vec3 premultiplied = color + decoded(below.rgb) * below.a * (1.0 - mask.a);
    result = vec4(encoded(premultiplied / alpha), alpha);
}
