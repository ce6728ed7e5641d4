#version 330 core
// The surface of a prop: metallic-roughness materials (glTF 2.0, 3.9) under one lamp and an environment that is given by
// formulas. CRasterizer/lighting.h and surfaces.h compute the same, with comments. The result is sRGB-encoded and
// premultiplied.

centroid in vec3 cameraNormal;
centroid in vec4 cameraTangent;
centroid in vec2 textureCoordinate;
in vec2 wholeTextureCoordinate;  // the same at the middle of the pixel, so that its derivatives are the triangle's
centroid in vec4 vertexColor;
centroid in vec3 cameraPlace;

uniform sampler2D baseColorTexture;          // white where there is none
uniform sampler2D metallicRoughnessTexture;
uniform sampler2D normalTexture;
uniform sampler2D occlusionTexture;
uniform sampler2D emissiveTexture;
uniform sampler2D room;         // beside each other: blurred a little, and much; a quarter of its values
uniform bool hasRoom;
uniform bool bendsNormal;
uniform vec4 baseColor;
uniform vec3 emissive;
uniform float metallic;
uniform float roughness;
uniform float normalScale;
uniform float occlusionStrength;
uniform float cutoff;       // below 0: none
uniform bool blends;
uniform vec3 lightDirection;
uniform float key;
uniform float ambient;
uniform float exposure;

out vec4 result;

vec3 linear(vec3 x) { return x * (x * (x * 0.305306011 + 0.682171111) + 0.012522878); }

float fifthPower(float x) {
    float square = x * x;
    return square * square * x;
}

float lamp(vec3 reflected, vec3 direction, float width) {
    float far = (1.0 - dot(reflected, direction)) / width;
    return 1.0 / ((1.0 + far) * (1.0 + far));
}

float environment(vec3 reflected, float rough) {
    float blur = 0.12 + 0.88 * rough;
    float t = clamp(0.5 - 0.5 * reflected.y / blur, 0.0, 1.0);
    float sky = t * t * (3.0 - 2.0 * t);
    float wide = 0.03 + 0.9 * rough * rough, fading = 1.0 / (1.0 + 5.0 * rough);
    float main = lamp(reflected, lightDirection, wide);
    float rim = lamp(reflected, vec3(-0.8, -0.33, 0.5), wide);
    return ambient * (0.14 + 0.86 * sky + 0.9 * fading * rim) + 2.2 * key * fading * main;
}

vec3 roomColor(vec3 reflected, float rough) {
    vec2 place = 8.0 + reflected.xy * 16.0 / (2.0 * sqrt(max(2.0 + 2.0 * reflected.z, 0.002)));
    place = clamp(place, vec2(0.5), vec2(15.499));
    vec3 near = texture(room, place / vec2(32.0, 16.0)).rgb, far = texture(room, (place + vec2(16.0, 0.0)) / vec2(32.0, 16.0)).rgb;
    return 4.0 * mix(near, far, clamp(2.0 * rough, 0.0, 1.0));
}

vec3 displayed(vec3 linear) {
    vec3 excess = max(linear - 0.75, 0.0) * 4.0;
    vec3 soft = mix(linear, 0.75 + 0.25 * (excess / (1.0 + excess)), greaterThanEqual(linear, vec3(0.75)));
    vec3 s1 = sqrt(max(soft, 0.0)), s2 = sqrt(s1), s3 = sqrt(s2);
    return clamp(0.662002687 * s1 + 0.684122060 * s2 - 0.323583601 * s3 - 0.0225411470 * soft, 0.0, 1.0);
}

// Of the level that fits the area of a pixel on the texture, as `textured` of surfaces.h chooses it. OpenGL's own rule goes by
// the longer side, and blurs surfaces that are seen at an angle.
vec4 textured(sampler2D map, float pixelArea) {
    vec2 size = vec2(textureSize(map, 0));
    float area = pixelArea * size.x * size.y;
    return textureLod(map, textureCoordinate, area > 2.25 ? ceil(0.5 * log2(area / 2.25)) : 0.0);
}

vec3 surfaceNormal(float pixelArea) {
    vec3 normal = cameraNormal * (gl_FrontFacing ? 1.0 : -1.0);
    if (bendsNormal) {
        vec3 texel = textured(normalTexture, pixelArea).xyz * 2.0 - 1.0;
        vec3 bitangent = cameraTangent.w * cross(normal, cameraTangent.xyz);
        normal = normalScale * texel.x * cameraTangent.xyz + normalScale * texel.y * bitangent + texel.z * normal;
    }
    return normal / sqrt(max(dot(normal, normal), 1e-20));
}

void main() {
    vec2 right = dFdx(wholeTextureCoordinate), down = dFdy(wholeTextureCoordinate);
    float pixelArea = abs(right.x * down.y - right.y * down.x);
    vec4 texel = textured(baseColorTexture, pixelArea);
    vec4 base = baseColor * vertexColor * vec4(linear(texel.rgb), texel.a);
    if (cutoff >= 0.0 && base.a < cutoff) discard;
    vec4 surface = textured(metallicRoughnessTexture, pixelArea);
    float metal = metallic * surface.b, rough = max(roughness * surface.g, 0.12);
    float occlusion = 1.0 + occlusionStrength * (textured(occlusionTexture, pixelArea).r - 1.0);
    vec3 glow = emissive * linear(textured(emissiveTexture, pixelArea).rgb);

    vec3 n = surfaceNormal(pixelArea);
    vec3 v = normalize(-cameraPlace / -cameraPlace.z);
    vec3 l = lightDirection, h = normalize(l + v);
    float towardsLight = dot(n, l), facing = dot(n, v);
    float nl = clamp(towardsLight, 0.0, 1.0), nv = max(facing, 0.001), nh = clamp(dot(n, h), 0.0, 1.0);
    float a = rough * rough, a2 = a * a;
    float bell = nh * nh * (a2 - 1.0) + 1.0;
    float spread = a2 / (3.14159265 * bell * bell);
    float shadowing = 0.5 / (nl * (nv * (1.0 - a) + a) + nv * (nl * (1.0 - a) + a));
    float highlight = min(spread * shadowing, 40.0) * nl * key * 3.14159265 * 0.3;
    float grazing = fifthPower(1.0 - clamp(dot(v, h), 0.0, 1.0)), edge = fifthPower(1.0 - clamp(nv, 0.0, 1.0));
    vec3 reflected = 2.0 * facing * n - v;
    float around = environment(reflected, rough) * occlusion;
    float mirrors = hasRoom
        ? max(metal * clamp(1.3 * (1.0 - rough), 0.0, 1.0), clamp(1.0 - 2.2 * rough, 0.0, 1.0)) : 0.0;
    vec3 mirrored = around * mix(vec3(1.0), roomColor(reflected, rough), mirrors);
    float wrapped = clamp((towardsLight + 0.15) / 1.15, 0.0, 1.0);
    float received = key * wrapped + ambient * (0.8 - 0.2 * n.y) * occlusion;

    vec3 f0 = 0.04 + metal * (base.rgb - 0.04);
    vec3 polished = max(vec3(1.0 - rough), f0);
    vec3 shiny = (highlight * (f0 + (1.0 - f0) * grazing) + mirrored * (f0 + (polished - f0) * edge)) * exposure + glow;
    vec3 matt = base.rgb * (1.0 - metal) * received * exposure;
    float alpha = blends ? clamp(base.a, 0.0, 1.0) : 1.0;
    float glare = clamp(dot(shiny, vec3(0.2126, 0.7152, 0.0722)), 0.0, 1.0);
    float opacity = alpha + (1.0 - alpha) * glare;
    result = vec4(displayed((matt * alpha + shiny) / max(opacity, 1.0 / 1024.0)) * opacity, opacity);
}
