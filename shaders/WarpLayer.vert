#version 330 core
// Moves the mesh's vertices to where the face is. One pixel of the picture is one pixel of the frame buffer; row 0 is
// the picture's top row in both, so nothing is ever turned upside down off screen.

layout(location = 0) in vec2 position;             // in the picture, pixels
layout(location = 1) in vec2 textureCoordinate;    // on the layer's texture, 0…1
layout(location = 2) in vec2 referenceCoordinate;  // on the sheet of the reference face, 0…1
layout(location = 3) in float visibility;            // 0 where the mask turns away from the viewer, else 1

uniform vec2 tileOrigin;  // the tile's top left corner in the picture, pixels
uniform vec2 tileSize;    // pixels

layout(location = 4) in vec2 light;                // what the layer's brightness is multiplied by, and the skin's own

out vec2 layerPlace;
out vec2 referencePlace;
out float vertexVisibility;
out vec2 vertexLight;

void main() {
    layerPlace = textureCoordinate;
    referencePlace = referenceCoordinate;
    vertexVisibility = visibility;
    vertexLight = light;
    gl_Position = vec4((position - tileOrigin) / tileSize * 2.0 - 1.0, 0.0, 1.0);
}
