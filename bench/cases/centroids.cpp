// The histogram of nearest centroids with five layouts of the data, and the transposition that some
// of them need.
#include "cases.h"

#include "host/host.h"

namespace quern::bench {
namespace {

constexpr size_t dimensions = 64;
constexpr size_t group = 64;

/// Components are small whole numbers, so distances are exact in float and counts agree exactly.
std::vector<float> wholeNumbers(size_t count, unsigned seed) {
  const std::vector<cl_int> numbers = randomInts(count * dimensions, 256, seed);
  return std::vector<float>(numbers.begin(), numbers.end());
}

std::vector<float> turned(const std::vector<float>& rows) {
  std::vector<float> columns(rows.size());
  host::transpose(rows.data(), columns.data(), rows.size() / dimensions, dimensions);
  return columns;
}

class TransposedRowsProblem : public Problem {
public:
  explicit TransposedRowsProblem(size_t count)
      : rows_(wholeNumbers(count, 1)), expected_(rows_.size()) {}

  Work work() const override {
    const double bytes = 2.0 * sizeof(float) * static_cast<double>(rows_.size());
    return {0, bytes, bytes, bytes, "B"};
  }

  void runHost() override {
    host::transpose(rows_.data(), expected_.data(), rows_.size() / dimensions, dimensions);
  }

  std::vector<std::string> variantNames() const override { return {"local tile"}; }

  Variant prepare(Target& target, const std::string&) const override {
    const size_t count = rows_.size() / dimensions;
    const cl::Buffer out = target.bufferOf<float>(rows_.size());
    const BoundKernel kernel(target.program("nearest_centroids.cl"), "transpose",
                             target.bufferFrom(rows_), out, static_cast<cl_uint>(count),
                             static_cast<cl_uint>(dimensions));
    return {[&target, kernel, count] {
              kernel.launch(target, cl::NDRange(dimensions, count), cl::NDRange(16, 16));
              target.queue().finish();
            },
            [this, &target, out] {
              return difference(target.read<float>(out, expected_.size()), expected_);
            },
            {out}};
  }

private:
  std::vector<float> rows_, expected_;
};

struct Layout {
  const char* name;
  const char* kernel;
  bool transposed;
  size_t perItem; ///< descriptors per work-item
};

const std::vector<Layout> layouts = {
    {"structures", "structures", false, 1},
    {"transposed", "transposed", true, 1},
    {"vector types", "transposed_vector", true, 4},
    {"local memory", "transposed_local", true, 1},
    {"constant memory", "transposed_local_constant", true, 1},
};

class CentroidsProblem : public Problem {
public:
  CentroidsProblem(size_t count, size_t k)
      : descriptors_(wholeNumbers(count, 1)), columns_(turned(descriptors_)),
        centroids_(wholeNumbers(k, 2)), expected_(k) {}

  Work work() const override {
    const double flops =
        3.0 * static_cast<double>(descriptors_.size()) * static_cast<double>(expected_.size());
    const double bytes =
        sizeof(float) * static_cast<double>(descriptors_.size() + centroids_.size());
    return {flops, bytes, bytes, flops, "FLOP"};
  }

  void runHost() override {
    host::nearestCentroids(descriptors_.data(), centroids_.data(), expected_.data(),
                           descriptors_.size() / dimensions, expected_.size());
  }

  std::vector<std::string> variantNames() const override {
    std::vector<std::string> names;
    for (const Layout& layout : layouts)
      names.push_back(layout.name);
    return names;
  }

  Variant prepare(Target& target, const std::string& variantName) const override {
    for (const Layout& layout : layouts)
      if (variantName == layout.name)
        return prepare(target, layout);
    return {};
  }

private:
  Variant prepare(Target& target, const Layout& layout) const {
    const size_t count = descriptors_.size() / dimensions;
    const size_t k = expected_.size();
    const cl::Buffer histogram = target.bufferOf<cl_uint>(k);
    const BoundKernel kernel(target.program("nearest_centroids.cl"), layout.kernel,
                             target.bufferFrom(layout.transposed ? columns_ : descriptors_),
                             target.bufferFrom(centroids_), histogram, static_cast<cl_uint>(count),
                             static_cast<cl_uint>(k));
    const size_t items = count / layout.perItem;
    return {[&target, kernel, histogram, items, k] {
              target.queue().enqueueFillBuffer(histogram, cl_uint{0}, 0, k * sizeof(cl_uint));
              kernel.launch(target, cl::NDRange(items), cl::NDRange(group));
              target.queue().finish();
            },
            [this, &target, histogram] {
              return difference(target.read<cl_uint>(histogram, expected_.size()), expected_);
            },
            {histogram}};
  }

  std::vector<float> descriptors_, columns_, centroids_;
  std::vector<cl_uint> expected_;
};

} // namespace

std::unique_ptr<Problem> makeTranspose(size_t descriptors) {
  return std::make_unique<TransposedRowsProblem>(descriptors);
}

std::unique_ptr<Problem> makeCentroids(size_t descriptors, size_t centroids) {
  return std::make_unique<CentroidsProblem>(descriptors, centroids);
}

} // namespace quern::bench
