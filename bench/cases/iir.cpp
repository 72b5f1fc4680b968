// The iterated IIR filter: a chain of launches, with three ways to hand one pass's output to the
// next.
#include "cases.h"

#include "host/host.h"

#include <cmath>

namespace quern::bench {
namespace {

constexpr size_t taps = 16;
constexpr size_t passes = 32;

class IirProblem : public Problem {
public:
  explicit IirProblem(size_t count)
      : x_(randomFloats(count, -1, 1, 3)), a_(randomFloats(taps, -1, 1, 1)),
        b_(randomFloats(taps, -1, 1, 2)), expected_(count), scratch_(count) {
    float sum = 0;
    for (const float value : b_)
      sum += std::abs(value);
    for (float& value :
         b_) // a filter whose |b| add up to 0.6 is stable, and its iteration converges
      value *= 0.6f / sum;
  }

  Work work() const override {
    const double samples = static_cast<double>(x_.size() * passes);
    const double flops = 4.0 * taps * samples;
    return {flops, 3.0 * sizeof(float) * samples,
            3.0 * sizeof(float) * static_cast<double>(x_.size()), flops, "FLOP"};
  }

  void runHost() override {
    host::iir(x_.data(), a_.data(), b_.data(), expected_.data(), scratch_.data(), x_.size(),
              passes);
  }

  std::vector<std::string> variantNames() const override {
    return {"Copy Host", "Copy Device", "Swap"};
  }

  Variant prepare(Target& target, const std::string& variantName) const override {
    struct State {
      cl::Buffer previous, y;
      BoundKernel kernel;
      std::vector<float> staging;
    };
    const size_t count = x_.size();
    const cl::Buffer previous = target.bufferOf<float>(count);
    const cl::Buffer y = target.bufferOf<float>(count);
    auto state = std::make_shared<State>(State{
        previous, y,
        BoundKernel(target.program("iir.cl"), "iir_pass", target.bufferFrom(x_), previous, y,
                    target.bufferFrom(a_), target.bufferFrom(b_), static_cast<cl_uint>(count)),
        std::vector<float>(count)});
    const size_t localSize = groupSize(state->kernel.kernel(), target.device(), 64);

    const auto run = [this, &target, state, localSize, count, variantName] {
      const size_t bytes = x_.size() * sizeof(float);
      cl::CommandQueue& queue = target.queue();
      queue.enqueueFillBuffer(state->previous, 0.0f, 0, bytes);
      for (size_t pass = 0; pass < passes; ++pass) {
        state->kernel.set(1, state->previous);
        state->kernel.set(2, state->y);
        state->kernel.launch(target, cl::NDRange(roundUp(count, localSize)),
                             cl::NDRange(localSize));
        if (variantName == "Swap") {
          std::swap(state->y, state->previous);
        } else if (variantName == "Copy Device") {
          queue.enqueueCopyBuffer(state->y, state->previous, 0, 0, bytes);
        } else {
          queue.enqueueReadBuffer(state->y, CL_TRUE, 0, bytes, state->staging.data());
          queue.enqueueWriteBuffer(state->previous, CL_TRUE, 0, bytes, state->staging.data());
        }
      }
      queue.finish();
    };
    // The passes are even, so that swapped buffers are back in their places.
    static_assert(passes % 2 == 0);
    return {run,
            [this, &target, previous] {
              return differenceBeyond(target.read<float>(previous, expected_.size()), expected_,
                                      2e-5);
            },
            {previous},
            {y}};
  }

private:
  std::vector<float> x_, a_, b_, expected_, scratch_;
};

} // namespace

std::unique_ptr<Problem> makeIir(size_t count) {
  return std::make_unique<IirProblem>(count);
}

} // namespace quern::bench
