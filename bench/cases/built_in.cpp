// The built-in kernels (docs/built_in_kernels.md), on platforms that have them.
#include "output_problem.h"

#include <numeric>

#include "host/host.h"

namespace quern::bench {
namespace {

/// One built-in kernel, which leaves its result in one buffer of `T`s.
template <typename T> class BuiltInProblem : public OutputProblem<T> {
public:
  std::vector<std::string> variantNames() const override { return {name_}; }

protected:
  BuiltInProblem(std::string name, size_t results)
      : OutputProblem<T>(results), name_(std::move(name)) {}

  cl::Program program(const Target& target) const {
    const std::string names = target.device().getInfo<CL_DEVICE_BUILT_IN_KERNELS>();
    if ((";" + names + ";").find(";" + name_ + ";") == std::string::npos)
      throw NotOffered();
    return cl::Program(target.context(), {target.device()}, name_);
  }
  /// A buffer for the argument `scratch`, whose begin must be zero.
  static cl::Buffer scratch(Target& target, size_t bytes) {
    const cl::Buffer buffer = target.bufferOf<char>(bytes);
    target.queue().enqueueFillBuffer(buffer, cl_uint{0}, 0, bytes / 4 * 4);
    target.queue().finish();
    return buffer;
  }
  template <typename... Arguments>
  typename OutputProblem<T>::Launch bind(Target& target, const Arguments&... arguments) const {
    const BoundKernel kernel(program(target), name_.c_str(), arguments...);
    const auto range =
        kernel.kernel().template getWorkGroupInfo<CL_KERNEL_GLOBAL_WORK_SIZE>(target.device());
    return {kernel, cl::NDRange(range[0])};
  }
  std::string differenceFrom(const std::vector<T>& actual) const override {
    return difference(actual, this->expected_);
  }

  static constexpr size_t leastScratch = 65536;
  const std::string name_;
};

constexpr cl_ulong none = 0, one = 1;

class ProductProblem : public BuiltInProblem<float> {
public:
  explicit ProductProblem(size_t n)
      : BuiltInProblem("quern_matrix_product_f32", n * n), n_(n), a_(randomFloats(n * n, -1, 1, 1)),
        b_(randomFloats(n * n, -1, 1, 2)) {}

  Work work() const override {
    const double n = static_cast<double>(n_), bytes = 3 * sizeof(float) * n * n;
    return {2 * n * n * n, bytes, bytes, 2 * n * n * n, "FLOP"};
  }
  void runHost() override { host::matmul(a_.data(), b_.data(), expected_.data(), n_, n_, n_); }

private:
  Launch launchOf(Target& target, const std::string&, const cl::Buffer& output) const override {
    const cl_ulong n = n_;
    return bind(target, n, n, n, 1.0f, target.bufferFrom(a_), none, n, one, target.bufferFrom(b_),
                none, n, one, 0.0f, output, none, n, one, scratch(target, leastScratch));
  }
  std::string differenceFrom(const std::vector<float>& actual) const override {
    return differenceBeyond(actual, expected_, 4e-7 * static_cast<double>(n_));
  }

  size_t n_;
  std::vector<float> a_, b_;
};

class BuiltInTransposeProblem : public BuiltInProblem<float> {
public:
  explicit BuiltInTransposeProblem(size_t n)
      : BuiltInProblem("quern_transpose_b32", n * n), n_(n), in_(randomFloats(n * n, -1, 1, 1)) {}

  Work work() const override {
    const double bytes = 2 * sizeof(float) * static_cast<double>(in_.size());
    return {0, bytes, bytes, bytes, "B"};
  }
  void runHost() override { host::transpose(in_.data(), expected_.data(), n_, n_); }

private:
  Launch launchOf(Target& target, const std::string&, const cl::Buffer& output) const override {
    const cl_ulong n = n_;
    return bind(target, n, n, target.bufferFrom(in_), none, n, output, none, n,
                scratch(target, leastScratch));
  }

  size_t n_;
  std::vector<float> in_;
};

class ReductionProblem : public BuiltInProblem<float> {
public:
  explicit ReductionProblem(size_t count)
      : BuiltInProblem("quern_reduce_min_f32", 1), in_(randomFloats(count, 0, 1000, 1)) {}

  Work work() const override {
    const double bytes = sizeof(float) * static_cast<double>(in_.size());
    return {0, bytes, bytes, bytes, "B"};
  }
  void runHost() override { expected_[0] = host::minimum(in_.data(), in_.size()); }

private:
  Launch launchOf(Target& target, const std::string&, const cl::Buffer& output) const override {
    return bind(target, cl_ulong{in_.size()}, target.bufferFrom(in_), none, one, output, none,
                scratch(target, leastScratch));
  }

  std::vector<float> in_;
};

class ScanProblem : public BuiltInProblem<cl_int> {
public:
  explicit ScanProblem(size_t count)
      : BuiltInProblem("quern_scan_sum_i32", count), in_(randomInts(count, 1000, 1)) {}

  Work work() const override {
    const double bytes = 2 * sizeof(cl_int) * static_cast<double>(in_.size());
    return {0, bytes, bytes, bytes, "B"};
  }
  void runHost() override { host::scan(in_.data(), expected_.data(), in_.size()); }

private:
  Launch launchOf(Target& target, const std::string&, const cl::Buffer& output) const override {
    return bind(target, cl_ulong{in_.size()}, target.bufferFrom(in_), none, output, none,
                cl_uint{0}, scratch(target, leastScratch + in_.size() / 64));
  }

  std::vector<cl_int> in_;
};

/// Sorts in place, so each run copies the keys first.
class SortProblem : public BuiltInProblem<cl_uint> {
public:
  explicit SortProblem(size_t count)
      : BuiltInProblem("quern_sort_u32", count), in_(count), memory_(count) {
    const std::vector<cl_int> numbers = randomInts(count, INT32_MAX, 1);
    std::copy(numbers.begin(), numbers.end(), in_.begin());
  }

  Work work() const override {
    const double count = static_cast<double>(in_.size()), bytes = sizeof(cl_uint) * count;
    // At least once read and once written for each digit of 8 bits.
    return {0, 8 * bytes, 2 * bytes, count, "key"};
  }
  void runHost() override {
    expected_ = in_;
    host::sort(expected_.data(), memory_.data(), in_.size());
  }
  Variant prepare(Target& target, const std::string& variantName) const override {
    Variant variant = BuiltInProblem::prepare(target, variantName);
    const cl::Buffer keys = target.bufferFrom(in_), output = variant.outputs.front().buffer;
    variant.run = [&target, keys, output, sort = variant.run] {
      target.queue().enqueueCopyBuffer(keys, output, 0, 0, output.getInfo<CL_MEM_SIZE>());
      sort();
    };
    return variant;
  }

private:
  Launch launchOf(Target& target, const std::string&, const cl::Buffer& output) const override {
    return bind(target, cl_ulong{in_.size()}, output, none, cl_uint{0},
                scratch(target, leastScratch + 5 * in_.size()));
  }

  std::vector<cl_uint> in_, memory_;
};

} // namespace

std::unique_ptr<Problem> makeBuiltIn(BuiltIn kernel, size_t size) {
  switch (kernel) {
  case BuiltIn::Product:
    return std::make_unique<ProductProblem>(size);
  case BuiltIn::Transposition:
    return std::make_unique<BuiltInTransposeProblem>(size);
  case BuiltIn::Reduction:
    return std::make_unique<ReductionProblem>(size);
  case BuiltIn::Scan:
    return std::make_unique<ScanProblem>(size);
  case BuiltIn::Sort:
    break;
  }
  return std::make_unique<SortProblem>(size);
}

} // namespace quern::bench
