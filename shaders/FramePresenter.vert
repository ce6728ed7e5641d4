#version 330 core
// The picture as one rectangle; its four corners need no buffer.

uniform vec2 extent;      // part of the window that the picture covers, 0…1 each way
uniform bool isMirrored;

out vec2 place;           // in the picture, 0…1 from the top left corner

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    place = vec2(isMirrored ? 1.0 - corner.x : corner.x, corner.y);
    // OpenGL's window rows start at the bottom, the picture's at the top: the only place where it is flipped.
    gl_Position = vec4((corner.x * 2.0 - 1.0) * extent.x, (1.0 - corner.y * 2.0) * extent.y, 0.0, 1.0);
}
