// The gallery's image filter: a picture turned, shrunk and smoothed, in one mode of the sampler.
#include "cases.h"

#include "host/host.h"

#include <cmath>
#include <cstdlib>

namespace quern::bench {
namespace {

/// A zone plate in three colours, whose rings get finer outwards: on it one sees what a filter
/// does. It is not in the middle, so that its mirror image is another. No channel is near 0 or 255.
std::vector<unsigned char> zonePlate(size_t side) {
  std::vector<unsigned char> pixels(side * side * 4);
  for (size_t y = 0; y < side; ++y)
    for (size_t x = 0; x < side; ++x) {
      const double u = 2 * static_cast<double>(x) / static_cast<double>(side) - 0.7;
      const double v = 2 * static_cast<double>(y) / static_cast<double>(side) - 1.2;
      unsigned char* pixel = &pixels[4 * (y * side + x)];
      for (int c = 0; c < 3; ++c)
        pixel[c] = static_cast<unsigned char>(128 + 100 * std::cos(40 * (u * u + v * v) + c));
      pixel[3] = 228;
    }
  return pixels;
}

cl_addressing_mode modeOf(host::Addressing addressing) {
  switch (addressing) {
  case host::Addressing::Edge:
    return CL_ADDRESS_CLAMP_TO_EDGE;
  case host::Addressing::Border:
    return CL_ADDRESS_CLAMP;
  case host::Addressing::Repeat:
    return CL_ADDRESS_REPEAT;
  case host::Addressing::Mirror:
    return CL_ADDRESS_MIRRORED_REPEAT;
  }
  return CL_ADDRESS_NONE;
}

class FilterProblem : public Problem {
public:
  FilterProblem(const SamplerMode& mode, size_t side)
      : mode_(mode), side_(side), picture_(zonePlate(side)), expected_(picture_.size()) {}

  Work work() const override {
    const double elements = static_cast<double>(side_ * side_);
    const double bytes = 2 * static_cast<double>(picture_.size());
    // Nine places; at each a multiply-add of four channels, of four elements where it is linear.
    const double flops = 9 * 4 * (mode_.isLinear ? 2 + 2 * 4 : 2) * elements;
    return {flops, bytes, bytes, elements, "pixel"};
  }

  void runHost() override {
    host::filterImage(picture_.data(), expected_.data(), side_, mode_.addressing, mode_.isLinear);
  }

  std::vector<std::string> variantNames() const override { return {mode_.name}; }

  Variant prepare(Target& target, const std::string&) const override {
    if (!target.device().getInfo<CL_DEVICE_IMAGE_SUPPORT>())
      throw NotOffered();
    const cl::ImageFormat format(CL_RGBA, CL_UNORM_INT8);
    const cl::Image2D picture(target.context(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, format,
                              side_, side_, 0, const_cast<unsigned char*>(picture_.data()));
    const cl::Image2D result(target.context(), CL_MEM_READ_WRITE, format, side_, side_);
    const cl::Sampler sampler(target.context(), CL_TRUE, modeOf(mode_.addressing),
                              mode_.isLinear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST);
    const BoundKernel kernel(target.program("image_filter.cl"), "filter", picture, sampler, result);
    return {.run =
                [this, &target, kernel, sampler] {
                  kernel.launch(target, cl::NDRange(side_, side_));
                  target.queue().finish();
                },
            .check = [this, &target, result] { return differenceFrom(target.read(result)); },
            .outputs = {result},
            .picture = [this, &target,
                        result] { return makePicture(side_, 4, "uint8", target.read(result)); }};
  }

private:
  /// A channel may be rounded to the next value.
  std::string differenceFrom(const std::vector<unsigned char>& actual) const {
    for (size_t i = 0; i < expected_.size(); ++i)
      if (std::abs(int{actual[i]} - int{expected_[i]}) > 1)
        return "channel " + std::to_string(i % 4) + " of element " + std::to_string(i / 4) +
               " is " + std::to_string(actual[i]) + ", expected " + std::to_string(expected_[i]) +
               " within 1";
    return "";
  }

  SamplerMode mode_;
  size_t side_;
  std::vector<unsigned char> picture_, expected_;
};

} // namespace

std::unique_ptr<Problem> makeImageFilter(const SamplerMode& mode, size_t side) {
  return std::make_unique<FilterProblem>(mode, side);
}

} // namespace quern::bench
