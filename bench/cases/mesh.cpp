// The animated meshes: zoom, which launches a tiny kernel for each frame, and ripple, which
// computes exp and cos.
#include "cases.h"

#include "host/host.h"

#include <cmath>

namespace quern::bench {
namespace {

/// x, y, z of each vertex of a square mesh.
std::vector<float> mesh(size_t side) {
  std::vector<float> vertices;
  for (size_t y = 0; y < side; ++y)
    for (size_t x = 0; x < side; ++x)
      vertices.insert(vertices.end(), {static_cast<float>(x) / static_cast<float>(side),
                                       static_cast<float>(y) / static_cast<float>(side), 1.0f});
  return vertices;
}

class ZoomProblem : public Problem {
public:
  explicit ZoomProblem(size_t side) : start_(mesh(side)), expected_(start_) {}

  Work work() const override {
    const double coordinates = static_cast<double>(start_.size());
    return {frames * coordinates, 2 * sizeof(float) * frames * coordinates,
            sizeof(float) * coordinates, frames, "frame"};
  }

  void runHost() override {
    expected_ = start_;
    host::zoom(expected_.data(), expected_.size(), frames);
  }

  std::vector<std::string> variantNames() const override { return {"100 launches"}; }

  Variant prepare(Target& target, const std::string&) const override {
    const cl::Buffer buffer = target.bufferOf<float>(start_.size());
    const BoundKernel kernel(target.program("zoom.cl"), "zoom", buffer);
    return {[this, &target, kernel, buffer] {
              target.queue().enqueueWriteBuffer(buffer, CL_FALSE, 0, start_.size() * sizeof(float),
                                                start_.data());
              for (size_t frame = 0; frame < frames; ++frame)
                kernel.launch(target, cl::NDRange(start_.size()));
              target.queue().finish();
            },
            [this, &target, buffer] { // each frame rounds once, and 1.01^100 is below 2.8
              return differenceBeyond(target.read<float>(buffer, expected_.size()), expected_,
                                      2.8 * frames * 1.2e-7);
            },
            {buffer}};
  }

private:
  static constexpr size_t frames = 100;
  std::vector<float> start_, expected_;
};

class RippleProblem : public Problem {
public:
  explicit RippleProblem(size_t side)
      : side_(side), start_(mesh(side)), expected_(start_),
        centres_(randomFloats(2 * drops, 0, 1, 1)), fallTimes_(randomFloats(drops, 0, 2, 2)) {}

  Work work() const override {
    const double vertices = static_cast<double>(start_.size()) / 3;
    return {20.0 * drops * vertices, 16 * vertices, 12 * vertices, 1, "frame"};
  }

  void runHost() override {
    host::ripple(expected_.data(), expected_.size() / 3,
                 {centres_.data(), fallTimes_.data(), drops, amplitude, decay, speed, width, wave},
                 time);
  }

  std::vector<std::string> variantNames() const override { return {"16 drops"}; }

  Variant prepare(Target& target, const std::string&) const override {
    const cl::Buffer vertices = target.bufferFrom(start_);
    const BoundKernel kernel(target.program("ripple.cl"), "ripple", vertices,
                             target.bufferFrom(centres_), target.bufferFrom(fallTimes_),
                             static_cast<cl_uint>(drops), time, amplitude, decay, speed, width,
                             wave);
    return {[this, &target, kernel] {
              kernel.launch(target, cl::NDRange(start_.size() / 3));
              target.queue().finish();
            },
            [this, &target, vertices] {
              return differenceBeyond(target.read<float>(vertices, expected_.size()), expected_,
                                      1e-4 * amplitude * drops);
            },
            {vertices},
            {},
            [this, &target, vertices] {
              std::vector<float> flat = start_;
              for (size_t z = 2; z < flat.size(); z += 3)
                flat[z] = std::nanf("");
              target.queue().enqueueWriteBuffer(vertices, CL_TRUE, 0, flat.size() * sizeof(float),
                                                flat.data());
            },
            [this, &target, vertices] {
              return heightsOf(target.read<float>(vertices, expected_.size()));
            }};
  }

private:
  Picture heightsOf(const std::vector<float>& coordinates) const {
    std::vector<float> heights(coordinates.size() / 3);
    for (size_t i = 0; i < heights.size(); ++i)
      heights[i] = coordinates[3 * i + 2];
    return makePicture(side_, 1, "float32", heights);
  }

  static constexpr size_t drops = 16;
  static constexpr float time = 2.5f;
  static constexpr float amplitude = 0.1f;
  static constexpr float decay = 0.8f;
  static constexpr float speed = 0.5f;
  static constexpr float width = 0.08f;
  static constexpr float wave = 100.0f;
  size_t side_;
  std::vector<float> start_, expected_, centres_, fallTimes_;
};

} // namespace

std::unique_ptr<Problem> makeZoom(size_t side) {
  return std::make_unique<ZoomProblem>(side);
}

std::unique_ptr<Problem> makeRipple(size_t side) {
  return std::make_unique<RippleProblem>(side);
}

} // namespace quern::bench
