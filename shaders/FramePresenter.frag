#version 330 core

in vec2 place;

uniform sampler2D picture;  // encoded; the window wants it encoded too

out vec4 result;

void main() { result = vec4(texture(picture, place).rgb, 1.0); }
