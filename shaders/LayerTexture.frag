#version 330 core
// Puts the mesh's soft edge into a layer's texture, once, so that the faces of every frame need not look for it.

in vec2 layerPlace;
in vec2 referencePlace;

uniform sampler2D picture;       // encoded, colours premultiplied by alpha
uniform sampler2D edgeDistance;  // distance from the mesh's edge over the reference sheet, as a share of edgeRange
uniform float edgeRange;         // reference sheet units
uniform float feather;           // width of the soft edge, reference sheet units

out vec4 result;

void main() {
    float distance = texture(edgeDistance, referencePlace).r * edgeRange;
    result = texture(picture, layerPlace) * smoothstep(0.0, feather, distance);
}
