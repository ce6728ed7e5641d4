#version 330 core

in vec2 place;

uniform sampler2D picture;  // encoded, as the window expects

out vec4 result;

void main() { result = vec4(texture(picture, place).rgb, 1.0); }
