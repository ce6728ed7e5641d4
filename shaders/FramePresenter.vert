#version 330 core
// The whole picture as one rectangle; no buffers are needed for its four corners.

uniform vec2 extent;      // how much of the window it covers, 0…1 each way
uniform bool isMirrored;

out vec2 place;           // in the picture, 0…1 from its top left corner

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    place = vec2(isMirrored ? 1.0 - corner.x : corner.x, corner.y);
    // A window's rows count from below, the picture's from above: the one place where it is turned.
    gl_Position = vec4((corner.x * 2.0 - 1.0) * extent.x, (1.0 - corner.y * 2.0) * extent.y, 0.0, 1.0);
}
