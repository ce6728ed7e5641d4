// The only file that includes dlib's headers of neural networks: they cost most of a minute to compile each time.
#include <cerrno>
#include <cmath>
#include <cstring>
#include <dlib/dnn.h>
#include <fstream>

#include "CVision.h"
#include "status.hpp"

namespace {

using namespace dlib;

// dlib's face recognition network: a residual network (He, Zhang, Ren & Sun, "Deep Residual Learning for Image
// Recognition", 2016) with 29 convolutions, as dlib's example dnn_face_recognition_ex.cpp declares it.
template <template <int, template <typename> class, int, typename> class block, int N,
          template <typename> class BN, typename SUBNET>
using residual = add_prev1<block<N, BN, 1, tag1<SUBNET>>>;

template <template <int, template <typename> class, int, typename> class block, int N,
          template <typename> class BN, typename SUBNET>
using residual_down = add_prev2<avg_pool<2, 2, 2, 2, skip1<tag2<block<N, BN, 2, tag1<SUBNET>>>>>>;

template <int N, template <typename> class BN, int stride, typename SUBNET>
using block = BN<con<N, 3, 3, 1, 1, relu<BN<con<N, 3, 3, stride, stride, SUBNET>>>>>;

template <int N, typename SUBNET> using unit = relu<residual<block, N, affine, SUBNET>>;
template <int N, typename SUBNET> using unit_down = relu<residual_down<block, N, affine, SUBNET>>;

template <typename SUBNET> using level0 = unit_down<256, SUBNET>;
template <typename SUBNET> using level1 = unit<256, unit<256, unit_down<256, SUBNET>>>;
template <typename SUBNET> using level2 = unit<128, unit<128, unit_down<128, SUBNET>>>;
template <typename SUBNET> using level3 = unit<64, unit<64, unit<64, unit_down<64, SUBNET>>>>;
template <typename SUBNET> using level4 = unit<32, unit<32, unit<32, SUBNET>>>;

using recognition_network = loss_metric<fc_no_bias<
    CVISION_EMBEDDING_SIZE,
    avg_pool_everything<level0<level1<level2<level3<level4<max_pool<
        3, 3, 2, 2,
        relu<affine<con<32, 7, 7, 2, 2, input_rgb_image_sized<CVISION_FACE_CHIP_SIDE>>>>>>>>>>>>>;

}  // namespace

struct cvision_face_embedder {
    recognition_network network;
};

cvision_face_embedder *cvision_face_embedder_load(const char *path, cvision_status *status) {
    return cvision::guarded<cvision_face_embedder *>(
        status, nullptr, [&]() -> cvision_face_embedder * {
            errno = 0;
            std::ifstream in(path, std::ios::binary);
            if (!in) {
                cvision::set_status(status, CVISION_CANNOT_READ, std::strerror(errno ? errno : EIO));
                return nullptr;
            }
            auto loaded = std::make_unique<cvision_face_embedder>();
            try {
                deserialize(loaded->network, in);
            } catch (const serialization_error &error) {
                cvision::set_status(status, CVISION_BAD_MODEL, error.what());
                return nullptr;
            }
            return loaded.release();
        });
}

void cvision_face_embedder_destroy(cvision_face_embedder *embedder) { delete embedder; }

bool cvision_face_embedder_describe(
    cvision_face_embedder *embedder, const uint8_t *chip, float *embedding, cvision_status *status) {
    return cvision::guarded(status, false, [&] {
        constexpr long side = CVISION_FACE_CHIP_SIDE;
        matrix<rgb_pixel> picture(side, side);
        for (long row = 0; row < side; ++row) {
            for (long column = 0; column < side; ++column) {
                const uint8_t *pixel = chip + 3 * (row * side + column);
                picture(row, column) = rgb_pixel(pixel[0], pixel[1], pixel[2]);
            }
        }
        const matrix<float, 0, 1> numbers = embedder->network(picture);
        if (numbers.size() != CVISION_EMBEDDING_SIZE) throw std::runtime_error("the network has another output");
        for (long index = 0; index < CVISION_EMBEDDING_SIZE; ++index) embedding[index] = numbers(index);
        return true;
    });
}
