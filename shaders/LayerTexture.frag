#version 330 core
// Multiplies a layer's texture by the soft edge of the mesh, once per texture.

in vec2 layerPlace;
in vec2 canonicalUV;

uniform sampler2D picture;       // encoded, colours premultiplied by alpha
uniform sampler2D edgeDistance;  // distance from the boundary of the mesh in canonical UV, divided by edgeRange
uniform float edgeRange;         // canonical UV
uniform float feather;           // width of the soft edge, canonical UV

out vec4 result;

void main() {
    float distance = texture(edgeDistance, canonicalUV).r * edgeRange;
    result = texture(picture, layerPlace) * smoothstep(0.0, feather, distance);
}
