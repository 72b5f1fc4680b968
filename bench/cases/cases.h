// The problems of the table in families.cpp, one maker per family, and what their files share.
#pragma once

#include "host/host.h"
#include "problem.h"

#include <map>
#include <type_traits>

namespace quern::bench {

/// `count` launches of next to nothing, each one work-group, and one finish.
std::unique_ptr<Problem> makeLaunch(size_t count);
/// The same in a command buffer.
std::unique_ptr<Problem> makeRecorded(size_t count);
/// `count` kernels that kernels enqueue, each of one work-group.
std::unique_ptr<Problem> makeChildren(size_t count);
/// Of `count` packets, a multiple of 256.
std::unique_ptr<Problem> makePipe(size_t count);
/// A program of so many lines, all of them one kernel.
std::unique_ptr<Problem> makeBuild(size_t lines);
enum class VectorOperation { AddFloat, MultiplyFloat, AddInt, MultiplyInt };
std::unique_ptr<Problem> makeVector(VectorOperation operation, size_t count);
/// C = A B with A of m x k and B of k x n values.
std::unique_ptr<Problem> makeMatmul(size_t m, size_t k, size_t n);
/// Square matrices with work-groups of edge x edge, transfers included.
std::unique_ptr<Problem> makeGroupSize(size_t n, size_t edge);
std::unique_ptr<Problem> makeIir(size_t count);
std::unique_ptr<Problem> makeMdh(size_t points, size_t atoms);
std::unique_ptr<Problem> makeTranspose(size_t descriptors);
std::unique_ptr<Problem> makeCentroids(size_t descriptors, size_t centroids);
std::unique_ptr<Problem> makeMinimum(size_t count);
std::unique_ptr<Problem> makeHistogram(size_t count, size_t bins);
std::unique_ptr<Problem> makeZoom(size_t side);
std::unique_ptr<Problem> makeRipple(size_t side);
/// How a sampler reads places beyond a picture and between its elements.
struct SamplerMode {
  std::string name;
  host::Addressing addressing;
  bool isLinear;
};
/// Of side x side elements, a power of two.
std::unique_ptr<Problem> makeImageFilter(const SamplerMode& mode, size_t side);
std::unique_ptr<Problem> makeBodies(size_t bodies);
std::unique_ptr<Problem> makeMandelbrot(size_t columns, size_t rows, size_t limit);
std::unique_ptr<Problem> makeOptions(size_t options);
/// A built-in function and where its arguments lie.
struct MathFunction {
  std::string name;
  bool isDouble;
  bool isBinary;
  float low, high;
};
std::unique_ptr<Problem> makeFunction(const MathFunction& function, size_t count);
enum class GridOperation { Stencil, Transpose };
std::unique_ptr<Problem> makeGrid(GridOperation operation, size_t edge);
std::unique_ptr<Problem> makeSparse(size_t rows, size_t entriesPerRow);
std::unique_ptr<Problem> makeBits(size_t count);
/// In work-groups of `group` work-items, which divides `count`.
std::unique_ptr<Problem> makeCollective(host::Collective collective, size_t count, size_t group);

/// Of matrices of `size` x `size`, or of `size` numbers.
enum class BuiltIn { Product, Transposition, Reduction, Scan, Sort };
std::unique_ptr<Problem> makeBuiltIn(BuiltIn kernel, size_t size);

/// The same numbers on every run: uniform in [low, high), or in 0 ... bound - 1.
std::vector<float> randomFloats(size_t count, float low, float high, unsigned seed);
std::vector<cl_int> randomInts(size_t count, cl_int bound, unsigned seed);

/// Checks for Variant::check. Values must lie within `allowed` of the expected ones (a NaN never
/// does), or be equal.
std::string differenceBeyond(const std::vector<float>& actual, const std::vector<float>& expected,
                             double allowed);
template <typename T>
std::string difference(const std::vector<T>& actual, const std::vector<T>& expected) {
  for (size_t i = 0; i < expected.size(); ++i)
    if (actual[i] != expected[i])
      return "element " + std::to_string(i) + " is " + std::to_string(actual[i]) + ", expected " +
             std::to_string(expected[i]);
  return "";
}

/// The least multiple of `step` that is not below `value`.
constexpr size_t roundUp(size_t value, size_t step) {
  return (value + step - 1) / step * step;
}

/// The largest power of two up to `wanted` that the device accepts as the kernel's work-group size.
size_t groupSize(const cl::Kernel& kernel, const cl::Device& device, size_t wanted);

/// A kernel with its arguments, set from the first on. A kernel object does not keep the buffers
/// and images that are its arguments alive, so this does.
class BoundKernel {
public:
  template <typename... Arguments>
  BoundKernel(const cl::Program& program, const char* name, const Arguments&... arguments)
      : kernel_(program, name) {
    cl_uint index = 0;
    (set(index++, arguments), ...);
  }

  const cl::Kernel& kernel() const { return kernel_; }

  void launch(Target& target, const cl::NDRange& global,
              const cl::NDRange& local = cl::NullRange) const {
    target.queue().enqueueNDRangeKernel(kernel_, cl::NullRange, global, local);
  }

  template <typename Argument> void set(cl_uint index, const Argument& argument) {
    kernel_.setArg(index, argument);
    if constexpr (std::is_base_of_v<cl::Memory, Argument>)
      memories_[index] = argument;
  }

private:
  cl::Kernel kernel_;
  std::map<cl_uint, cl::Memory> memories_;
};

} // namespace quern::bench
