// Linked into a test program, it makes OpenGL in software (Mesa's llvmpipe) sample textures in full precision, as
// graphics cards do. By default, llvmpipe weighs texels with eight bits, and results are up to a 255th off in each lookup.
#ifndef PRECISE_OPENGL_H
#define PRECISE_OPENGL_H

#endif
