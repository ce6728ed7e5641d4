#version 330 core
// A vertex of a model, or of the head that hides parts behind it, in front of the camera. As in WarpLayer.vert, row 0 of the
// frame buffer is the top row of the picture.

layout(location = 0) in vec4 positionAndU;
layout(location = 1) in vec4 normalAndV;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec4 color;

uniform mat4 toCamera;       // from the model's to camera coordinates: x right, y down, z towards the viewer
uniform float handedness;    // −1 if that mirrors
uniform vec3 camera;         // focal length and principal point, pixels of the picture
uniform vec2 tileOrigin;     // pixels
uniform vec2 tileSize;

// At covered samples: elsewhere, values would lie outside of the triangle.
centroid out vec3 cameraNormal;
centroid out vec4 cameraTangent;
centroid out vec2 textureCoordinate;
out vec2 wholeTextureCoordinate;
centroid out vec4 vertexColor;
centroid out vec3 cameraPlace;

invariant gl_Position;

// Triangles nearer to the camera are cut off; in face widths, as in scenes.c.
const float nearest = 0.05;

void main() {
    vec3 place = (toCamera * vec4(positionAndU.xyz, 1.0)).xyz;
    float distance = -place.z;
    // The same for all w: pixels times distance.
    vec2 pixel = camera.yz * distance + camera.x * place.xy;
    vec2 inTile = (pixel - tileOrigin * distance) / tileSize * 2.0 - distance;
    cameraNormal = mat3(toCamera) * normalAndV.xyz;
    cameraTangent = vec4(mat3(toCamera) * tangent.xyz, tangent.w * handedness);
    textureCoordinate = vec2(positionAndU.w, normalAndV.w);
    wholeTextureCoordinate = textureCoordinate;
    vertexColor = color;
    cameraPlace = place;
    // Depth is linear in 1 / distance.
    gl_Position = vec4(inTile, distance - 2.0 * nearest, distance);
}
