// Optical flow, the landmark cascade and the input of networks.
#include <CLandmarkCascade.h>
#include <COpticalFlow.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inputs.h"
#include "sampling.h"

enum { WIDTH = 640, HEIGHT = 480, ROW = WIDTH + 1 };

// Shifts a picture to the left and upwards.
static const uint8_t *shifted(const uint8_t *pixels, int channels, int x, int y) {
    return pixels + (size_t)channels * (size_t)(y * ROW + x);
}

static uint8_t *new_pixels(int channels) {
    uint8_t *rgba = new_memory(4 * ROW * (HEIGHT + 1));
    draw_spots(rgba, WIDTH, HEIGHT, ROW, 0);
    if (channels == 1)
        for (size_t i = 0; i < ROW * (HEIGHT + 1); ++i) rgba[i] = rgba[4 * i];
    return rgba;
}

// MARK: Flow

static void follow(const char *name, int channels, copticalflow_place place, int32_t side) {
    enum { CAPACITY = 256, X = 5, Y = 3 };
    uint8_t *pixels = new_pixels(channels);
    const size_t row = (size_t)channels * ROW;
    const copticalflow_image before = {pixels, WIDTH - X, HEIGHT - Y, channels, row};
    const copticalflow_image after = {shifted(pixels, channels, X, Y), WIDTH - X, HEIGHT - Y, channels, row};
    float *from = new_memory(sizeof(float) * COPTICALFLOW_LARGEST_PIXELS);
    float *to = new_memory(sizeof(float) * COPTICALFLOW_LARGEST_PIXELS);
    copticalflow_cut(&before, &place, side, from);
    copticalflow_cut(&after, &place, side, to);
    const size_t pixel_count = (size_t)side * (size_t)side;
    print_checksum(name, from, sizeof(float) * (pixel_count + pixel_count / 4 + pixel_count / 16));
    const float low[2] = {12, 12}, high[2] = {(float)side - 12, (float)side - 12};
    float points[2 * CAPACITY], moved[2 * CAPACITY], residuals[CAPACITY];
    const int32_t count = copticalflow_corners(from, side, 12, low, high, points, CAPACITY);
    expect(count > 9, "there are corners");
    memcpy(moved, points, sizeof moved);
    copticalflow_follow(from, to, side, count, points, moved, residuals);
    print_values(name, moved, 2 * count);
    print_values(name, residuals, count);
    const float turn = place.across[0] * place.down[1] - place.across[1] * place.down[0];
    const float x = (-X * place.down[1] + Y * place.down[0]) / turn, y = (-Y * place.across[0] + X * place.across[1]) / turn;
    // Reduced patches have noise, and points near the border leave the patch.
    int good = 0;
    for (int i = 0; i < count; ++i) {
        const float dx = moved[2 * i] - points[2 * i] - x, dy = moved[2 * i + 1] - points[2 * i + 1] - y;
        good += residuals[i] >= 0 && dx * dx + dy * dy < 0.2f * 0.2f;
    }
    expect(3 * good > 2 * count, "most points move as the picture does");
    free(pixels);
    free(from);
    free(to);
}

void test_flow(void) {
    follow("flow upright", 4, (copticalflow_place){{101.3f, 57.8f}, {1.25f, 0}, {0, 1.25f}}, 192);
    follow("flow reduced", 1, (copticalflow_place){{101.3f, 57.8f}, {2.1f, 0}, {0, 2.1f}}, 128);
    follow("flow turned", 1, (copticalflow_place){{201.3f, 57.8f}, {1.1f, 0.3f}, {-0.3f, 1.1f}}, 192);
    follow("flow turned and reduced", 4, (copticalflow_place){{201.3f, 57.8f}, {1.9f, 0.6f}, {-0.6f, 1.9f}}, 128);
    follow("flow at the border", 4, (copticalflow_place){{-20.3f, 57.8f}, {1.9f, 0.6f}, {-0.6f, 1.9f}}, 128);
}

// MARK: Cascade

enum { LEVELS = 6, TREES = 500, DEPTH = 4, FEATURES = 500, SPLITS = 15, LEAVES = 16 };

void test_cascade(void) {
    const size_t coordinates = CLANDMARKCASCADE_COORDINATES, leaf_values = LEVELS * TREES * LEAVES * coordinates;
    float *mean = new_memory(sizeof(float) * coordinates), *leaves = new_memory(sizeof(float) * leaf_values);
    float *deltas = new_memory(sizeof(float) * 2 * LEVELS * FEATURES);
    uint16_t *anchors = new_memory(sizeof(uint16_t) * LEVELS * FEATURES);
    clandmarkcascade_split *splits = new_memory(sizeof *splits * LEVELS * TREES * SPLITS);
    for (size_t i = 0; i < coordinates; ++i) mean[i] = random_between(0.1f, 0.9f);
    for (size_t i = 0; i < leaf_values; ++i) leaves[i] = random_between(-0.002f, 0.002f);
    for (size_t i = 0; i < LEVELS * FEATURES; ++i) {
        anchors[i] = (uint16_t)(random_bits() % (CLANDMARKCASCADE_COORDINATES / 2));
        deltas[2 * i] = random_between(-0.2f, 0.2f);
        deltas[2 * i + 1] = random_between(-0.2f, 0.2f);
    }
    for (size_t i = 0; i < LEVELS * TREES * SPLITS; ++i)
        splits[i] = (clandmarkcascade_split){
            (uint16_t)(random_bits() % FEATURES), (uint16_t)(random_bits() % FEATURES),
            (int16_t)(random_bits() % 100) - 50};
    const clandmarkcascade_model model = {LEVELS, TREES, DEPTH, FEATURES, mean, anchors, deltas, splits, leaves};
    for (int round = 0; round < 20; ++round) {
        const int channels = round % 2 ? 1 : 4;
        uint8_t *pixels = new_pixels(channels);
        const clandmarkcascade_image image = {pixels, WIDTH, HEIGHT, channels, (size_t)channels * ROW};
        const float size = random_between(60, 400), turn = random_between(-0.5f, 0.5f);
        const clandmarkcascade_box box = {
            {random_between(-20, 300), random_between(-20, 200)}, {size, turn * size}, {-turn * size, size}};
        float landmarks[CLANDMARKCASCADE_COORDINATES];
        clandmarkcascade_evaluate(&model, &image, &box, landmarks);
        char name[32];
        snprintf(name, sizeof name, "cascade %d", round);
        print_values(name, landmarks, CLANDMARKCASCADE_COORDINATES);
        free(pixels);
    }
    free(mean);
    free(leaves);
    free(deltas);
    free(anchors);
    free(splits);
}

// MARK: Input of networks

void test_sampling(void) {
    enum { SIDE = 192 };
    float *values = new_memory(sizeof(float) * SIDE * SIDE * 3);
    sampling_scratch scratch = {0};
    for (int round = 0; round < 12; ++round) {
        const int channels = round % 2 ? 1 : 4;
        uint8_t *pixels = new_pixels(channels);
        const cneuralnetwork_picture picture = {pixels, WIDTH, HEIGHT, channels, (size_t)channels * ROW};
        const float size = random_between(60, 900), turn = round % 3 ? random_between(-0.5f, 0.5f) : 0;
        const cneuralnetwork_square square = {
            {random_between(-20, 300), random_between(-20, 200)}, {size, turn * size}, {-turn * size, size}};
        const sampling_range range = {round % 4 < 2 ? -1 : 0, 1, round % 5 == 0};
        expect(sampling_fill(&scratch, &picture, &square, SIDE, SIDE, range, values), "there is memory for sampling");
        char name[32];
        snprintf(name, sizeof name, "sampling %d", round);
        print_checksum(name, values, sizeof(float) * SIDE * SIDE * 3);
        free(pixels);
    }
    sampling_release(&scratch);
    free(values);
}
