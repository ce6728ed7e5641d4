// Small 3-D scenes: triangles with a depth buffer, metallic-roughness materials, one directional light and a soft
// environment. Edges are smoothed with four samples per pixel. A scene is drawn tile by tile like everything else.
//
// Camera coordinates: x to the right of the picture, y down, z towards the viewer; the camera is the origin.
#ifndef CRASTERIZER_SCENE_H
#define CRASTERIZER_SCENE_H

#include "CRasterizer.h"

enum { CRASTERIZER_ROOM_SIDE = 16 };

// A vertex of a model: position and u, normal and v, tangent, colour. The layout of Swift's `ModelVertex`.
typedef struct crasterizer_model_vertex {
    float position[3], u;
    float normal[3], v;
    float tangent[4];
    float color[4];
} crasterizer_model_vertex;

// The same, seen by the camera.
typedef struct crasterizer_scene_vertex {
    float x, y;       // pixels of the picture, on the grid of 1/256
    float nearness;   // 1 / distance along the camera's axis; 0: behind the camera
    float u, v;
    float normal[3];  // in camera coordinates, like the tangent
    float tangent[4];
    float color[4];
} crasterizer_scene_vertex;

// A picture on a surface, with its mipmap levels, the largest first. No levels: none.
typedef struct crasterizer_scene_texture {
    const crasterizer_texture *levels;  // 8 bits, straight alpha
    int32_t level_count;
    int32_t wrap_u, wrap_v;             // 0: repeat, 1: clamp, 2: mirror
} crasterizer_scene_texture;

// Fields as in glTF 2.0, 3.9. Colours are linear.
typedef struct crasterizer_material {
    float base_color[4];
    float emissive[3];
    float metallic, roughness, normal_scale, occlusion_strength;
    float cutoff;  // of alpha; below 0: none
    bool blends;
    crasterizer_scene_texture base_color_texture, metallic_roughness_texture, normal_texture, occlusion_texture,
        emissive_texture;
} crasterizer_material;

// A triangle that is to be drawn, clockwise in the picture.
typedef struct crasterizer_scene_triangle {
    int32_t corners[3];
    int32_t material;       // -1: it only hides what is behind it
    bool faces_away;        // its normals are turned
    float texture_density;  // the area on the texture (0…1 squared) per square pixel
} crasterizer_scene_triangle;

typedef struct crasterizer_scene_light {
    float direction[3];  // towards the light, of length 1, in camera coordinates
    float key;           // what the directional light adds to a white surface that faces it
    float ambient;       // what comes from everywhere
    float exposure;      // multiplies the result
    // What polished surfaces mirror: a sphere map of CRASTERIZER_ROOM_SIDE² texels, row by row: red, green and blue of it a
    // little blurred, a number without meaning, and the same much blurred; 1 is the mean. NULL: white.
    const float *room;
} crasterizer_scene_light;

typedef struct crasterizer_scene {
    const crasterizer_scene_vertex *vertices;
    // Those that only hide, opaque ones, then those that blend, of which only the nearest is seen.
    const crasterizer_scene_triangle *triangles;
    // Pixels that triangles may touch; up to the next multiple of 16, the rest is outside every picture.
    const int32_t *lefts, *tops, *rights, *bottoms;
    const float *nearest;  // the greatest nearness of the corners of each triangle
    const int32_t *order;  // of groups of 16 triangles that follow each other: about the nearest first
    // Pixels that groups may touch, in this order; up to the next multiple of 16, the rest is outside every picture.
    const int32_t *group_lefts, *group_tops, *group_rights, *group_bottoms;
    int32_t triangle_count;
    int32_t hider_count;
    int32_t opaque_count;  // with those that only hide
    const crasterizer_material *materials;
    crasterizer_scene_light light;
    float focal_length, center_x, center_y;  // of the camera, pixels
} crasterizer_scene;

// Where a camera is and what it sees: model to camera coordinates, 3 × 4 row by row (a similarity), and its picture.
typedef struct crasterizer_view {
    float matrix[12];
    float focal_length, center_x, center_y;
} crasterizer_view;

// Sees vertices with the camera.
// - result: room for `count`.
void crasterizer_see(
    const crasterizer_model_vertex *vertices, int32_t count, const crasterizer_view *view,
    crasterizer_scene_vertex *result);

// Pixels from left and top to before right and bottom.
typedef struct crasterizer_bounds {
    int32_t left, top, right, bottom;
} crasterizer_bounds;

// Room for triangles while a scene is prepared.
typedef struct crasterizer_scene_room {
    crasterizer_scene_triangle *triangles;
    int32_t *lefts, *tops, *rights, *bottoms;
    float *nearest;
    int32_t *order;
    int32_t *group_lefts, *group_tops, *group_rights, *group_bottoms;
    int32_t count;
} crasterizer_scene_room;

// Appends triangles that the bounds contain a part of. Those that face away (unless `draws_both_sides`), have no area, are
// not wholly in front of the camera, or have corners farther than 2^20 pixels away, are left out.
// - indices: three per triangle, counter-clockwise in the picture if it faces the viewer.
// - first: added to the indices.
// - room: with place for `count` more, rounded up to a multiple of 16, and for so many groups likewise.
void crasterizer_add_triangles(
    crasterizer_scene_room *room, const crasterizer_scene_vertex *vertices, const uint32_t *indices, int32_t count,
    int32_t first, int32_t material, bool draws_both_sides, crasterizer_bounds bounds);

// Ends the lists of a room after the last triangle, and orders its groups.
void crasterizer_end_triangles(crasterizer_scene_room *room);

#endif
