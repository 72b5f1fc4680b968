// Vector addition and multiplication: limited by memory bandwidth for long vectors, by launch time
// for short ones.
#include "cases.h"

#include "host/host.h"

namespace quern::bench {
namespace {

template <typename T> using HostFunction = void (*)(const T*, const T*, T*, size_t);

template <typename T> class VectorProblem : public Problem {
public:
  VectorProblem(std::string kernel, HostFunction<T> onHost, std::vector<T> a, std::vector<T> b)
      : kernel_(std::move(kernel)), onHost_(onHost), a_(std::move(a)), b_(std::move(b)),
        expected_(a_.size()) {}

  Work work() const override {
    const double bytes = 3.0 * sizeof(T) * static_cast<double>(a_.size());
    return {static_cast<double>(a_.size()), bytes, bytes, bytes, "B"};
  }

  void runHost() override { onHost_(a_.data(), b_.data(), expected_.data(), a_.size()); }

  std::vector<std::string> variantNames() const override {
    return {"scalar", "vec4", "vec4 + transfers"};
  }

  Variant prepare(Target& target, const std::string& variantName) const override {
    const size_t count = a_.size();
    const size_t width = variantName == "scalar" ? 1 : 4;
    const size_t items = count / width;
    const cl::Buffer a = target.bufferFrom(a_);
    const cl::Buffer b = target.bufferFrom(b_);
    const cl::Buffer c = target.bufferOf<T>(count);
    const BoundKernel kernel(target.program("vector_add.cl"),
                             (width == 1 ? kernel_ : kernel_ + "_vec4").c_str(), a, b, c,
                             static_cast<cl_uint>(items));
    const size_t localSize = groupSize(kernel.kernel(), target.device(), 256);
    const auto launch = [&target, kernel, items, localSize] {
      kernel.launch(target, cl::NDRange(roundUp(items, localSize)), cl::NDRange(localSize));
    };
    if (variantName != "vec4 + transfers")
      return {
          [&target, launch] { launch(), target.queue().finish(); },
          [this, &target, c] { return difference(target.read<T>(c, expected_.size()), expected_); },
          {c}};

    auto result = std::make_shared<std::vector<T>>(count);
    return {[this, &target, launch, a, b, c, result] {
              const size_t bytes = a_.size() * sizeof(T);
              target.queue().enqueueWriteBuffer(a, CL_FALSE, 0, bytes, a_.data());
              target.queue().enqueueWriteBuffer(b, CL_FALSE, 0, bytes, b_.data());
              launch();
              target.queue().enqueueReadBuffer(c, CL_TRUE, 0, bytes, result->data());
            },
            [this, result] { return difference(*result, expected_); },
            {result},
            {c}};
  }

private:
  std::string kernel_;
  HostFunction<T> onHost_;
  std::vector<T> a_, b_, expected_;
};

std::unique_ptr<Problem> makeFloats(const char* kernel, HostFunction<float> onHost, size_t count) {
  return std::make_unique<VectorProblem<float>>(kernel, onHost, randomFloats(count, -100, 100, 1),
                                                randomFloats(count, -100, 100, 2));
}

/// Products of two numbers below 40,000 fit into an int.
std::unique_ptr<Problem> makeInts(const char* kernel, HostFunction<int32_t> onHost, size_t count) {
  return std::make_unique<VectorProblem<int32_t>>(kernel, onHost, randomInts(count, 40000, 1),
                                                  randomInts(count, 40000, 2));
}

} // namespace

std::unique_ptr<Problem> makeVector(VectorOperation operation, size_t count) {
  switch (operation) {
  case VectorOperation::AddFloat:
    return makeFloats("add_float", host::addFloat, count);
  case VectorOperation::MultiplyFloat:
    return makeFloats("multiply_float", host::multiplyFloat, count);
  case VectorOperation::AddInt:
    return makeInts("add_int", host::addInt, count);
  case VectorOperation::MultiplyInt:
    return makeInts("multiply_int", host::multiplyInt, count);
  }
  return nullptr;
}

} // namespace quern::bench
