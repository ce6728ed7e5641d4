#version 330 core
// Places the mesh's vertices on the face. One pixel of the picture is one pixel of the frame buffer; row 0 is the top row
// in both, so that nothing is flipped off screen.

layout(location = 0) in vec2 position;             // in the picture, pixels
layout(location = 1) in vec2 textureCoordinate;    // on the layer's texture, 0…1
layout(location = 2) in vec2 canonicalCoordinate;  // place on the reference face, 0…1
layout(location = 3) in float visibility;               // 0 (invisible) … 1

uniform vec2 tileOrigin;  // the tile's top left corner in the picture, pixels
uniform vec2 tileSize;    // pixels

layout(location = 4) in vec2 light;                // factor of the layer's brightness; the skin's brightness

out vec2 layerPlace;
out vec2 canonicalUV;
out float vertexVisibility;
out vec2 vertexLight;

void main() {
    layerPlace = textureCoordinate;
    canonicalUV = canonicalCoordinate;
    vertexVisibility = visibility;
    vertexLight = light;
    gl_Position = vec4((position - tileOrigin) / tileSize * 2.0 - 1.0, 0.0, 1.0);
}
