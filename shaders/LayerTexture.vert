#version 330 core
// Draws the mesh flat onto the layer's texture.

layout(location = 1) in vec2 textureCoordinate;    // on the layer's texture, 0…1
layout(location = 2) in vec2 canonicalCoordinate;  // place on the reference face, 0…1

out vec2 layerPlace;
out vec2 canonicalUV;

void main() {
    layerPlace = textureCoordinate;
    canonicalUV = canonicalCoordinate;
    // Row 0 of the texture is row 0 of what is drawn.
    gl_Position = vec4(textureCoordinate * 2.0 - 1.0, 0.0, 1.0);
}
