// The least of many floats, and the histogram of many ints.
#include "cases.h"

#include "host/host.h"

namespace quern::bench {
namespace {

size_t manyGroups(const Target& target) {
  return 8 * target.device().getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
}

class MinimumProblem : public Problem {
public:
  explicit MinimumProblem(size_t count) : values_(randomFloats(count, 0, 1000, 1)) {
    values_.back() = -1;
  }

  Work work() const override {
    const double bytes = sizeof(float) * static_cast<double>(values_.size());
    return {0, bytes, bytes, bytes, "B"};
  }

  void runHost() override { expected_ = host::minimum(values_.data(), values_.size()); }

  std::vector<std::string> variantNames() const override { return {"one group", "many groups"}; }

  Variant prepare(Target& target, const std::string& variantName) const override {
    const size_t groups = variantName == "one group" ? 1 : manyGroups(target);
    const cl::Buffer partial = target.bufferOf<float>(groups);
    const cl::Buffer result = groups == 1 ? partial : target.bufferOf<float>(1);
    const cl::Program program = target.program("find_minimum.cl");
    const size_t localSize = groupSize(cl::Kernel(program, "minimum"), target.device(), 128);
    const BoundKernel first(program, "minimum", target.bufferFrom(values_),
                            static_cast<cl_uint>(values_.size()), partial,
                            cl::Local(localSize * sizeof(float)));
    const BoundKernel second(program, "minimum", partial, static_cast<cl_uint>(groups), result,
                             cl::Local(localSize * sizeof(float)));
    return {[&target, first, second, groups, localSize] {
              first.launch(target, cl::NDRange(groups * localSize), cl::NDRange(localSize));
              if (groups > 1)
                second.launch(target, cl::NDRange(localSize), cl::NDRange(localSize));
              target.queue().finish();
            },
            [this, &target, result] {
              return difference(target.read<float>(result, 1), std::vector<float>{expected_});
            },
            {result},
            {partial}};
  }

private:
  std::vector<float> values_;
  float expected_ = 0;
};

class HistogramProblem : public Problem {
public:
  HistogramProblem(size_t count, size_t bins)
      : values_(randomInts(count, static_cast<cl_int>(bins), 1)), expected_(bins) {}

  Work work() const override {
    const double bytes = sizeof(cl_int) * static_cast<double>(values_.size());
    return {0, bytes, bytes, static_cast<double>(values_.size()), "value"};
  }

  void runHost() override {
    host::histogram(values_.data(), values_.size(), expected_.data(), expected_.size());
  }

  std::vector<std::string> variantNames() const override {
    return {"without atomics", "global atomics", "local atomics"};
  }

  Variant prepare(Target& target, const std::string& variantName) const override {
    if (variantName == "without atomics")
      return prepareRows(target);
    const bool useLocal = variantName == "local atomics";
    const cl::Buffer histogram = target.bufferOf<cl_uint>(expected_.size());
    const cl_uint bins = static_cast<cl_uint>(expected_.size());
    BoundKernel kernel(target.program("histogram.cl"),
                       useLocal ? "count_local_atomic" : "count_atomic", target.bufferFrom(values_),
                       static_cast<cl_uint>(values_.size()), histogram);
    if (useLocal) {
      kernel.set(3, bins);
      kernel.set(4, cl::Local(bins * sizeof(cl_uint)));
    }
    const size_t items = manyGroups(target) * localSize;
    return {[&target, kernel, histogram, bins, items] {
              target.queue().enqueueFillBuffer(histogram, cl_uint{0}, 0, bins * sizeof(cl_uint));
              kernel.launch(target, cl::NDRange(items), cl::NDRange(localSize));
              target.queue().finish();
            },
            checkOf(target, histogram),
            {histogram}};
  }

private:
  static constexpr size_t localSize = 64;
  static constexpr size_t rowsPerGroup = 16;

  /// Each work-item counts in a row of its own; a second kernel adds the rows.
  Variant prepareRows(Target& target) const {
    const size_t rowCount = manyGroups(target) * rowsPerGroup;
    const size_t bins = expected_.size();
    const cl::Buffer rows = target.bufferOf<cl_uint>(rowCount * bins);
    const cl::Buffer histogram = target.bufferOf<cl_uint>(bins);
    const cl::Program program = target.program("histogram.cl");
    const BoundKernel count(program, "count_rows", target.bufferFrom(values_),
                            static_cast<cl_uint>(values_.size()), rows, static_cast<cl_uint>(bins));
    const BoundKernel merge(program, "merge_rows", rows, static_cast<cl_uint>(rowCount), histogram,
                            static_cast<cl_uint>(bins));
    return {[&target, count, merge, rows, rowCount, bins] {
              target.queue().enqueueFillBuffer(rows, cl_uint{0}, 0,
                                               rowCount * bins * sizeof(cl_uint));
              count.launch(target, cl::NDRange(rowCount), cl::NDRange(rowsPerGroup));
              merge.launch(target, cl::NDRange(bins));
              target.queue().finish();
            },
            checkOf(target, histogram),
            {histogram}};
  }

  std::function<std::string()> checkOf(Target& target, const cl::Buffer& histogram) const {
    return [this, &target, histogram] {
      return difference(target.read<cl_uint>(histogram, expected_.size()), expected_);
    };
  }

  std::vector<cl_int> values_;
  std::vector<cl_uint> expected_;
};

} // namespace

std::unique_ptr<Problem> makeMinimum(size_t count) {
  return std::make_unique<MinimumProblem>(count);
}

std::unique_ptr<Problem> makeHistogram(size_t count, size_t bins) {
  return std::make_unique<HistogramProblem>(count, bins);
}

} // namespace quern::bench
