// Matrix multiplication in five versions, and the two simplest with work-groups of different sizes.
#include "cases.h"

#include "host/host.h"

namespace quern::bench {
namespace {

struct Version {
  const char* name;
  const char* kernel;
  size_t localColumns, localRows; ///< work-group size
  size_t tileColumns, tileRows;   ///< elements of C that a work-group computes
  bool anyShape;                  ///< otherwise sizes must be multiples of the tile, and k of 16
};

const std::vector<Version> versions = {
    {"NAIVE", "naive", 16, 16, 16, 16, true}, {"LOCAL", "local_tiles", 16, 16, 16, 16, true},
    {"FAST1", "fast1", 16, 1, 16, 16, false}, {"FAST2", "fast2", 64, 1, 64, 16, false},
    {"FAST3", "fast3", 64, 1, 64, 16, false},
};

class MatmulProblem : public Problem {
public:
  MatmulProblem(size_t m, size_t k, size_t n)
      : m_(m), k_(k), n_(n), a_(randomFloats(m * k, -1, 1, 1)), b_(randomFloats(k * n, -1, 1, 2)),
        expected_(m * n) {}

  Work work() const override {
    const double flops =
        2.0 * static_cast<double>(m_) * static_cast<double>(k_) * static_cast<double>(n_);
    const double bytes = sizeof(float) * static_cast<double>(m_ * k_ + k_ * n_ + m_ * n_);
    return {flops, bytes, bytes, flops, "FLOP"};
  }

  void runHost() override { host::matmul(a_.data(), b_.data(), expected_.data(), m_, n_, k_); }

  std::vector<std::string> variantNames() const override {
    std::vector<std::string> names;
    for (const Version& version : versions)
      if (version.anyShape ||
          (m_ % version.tileRows == 0 && n_ % version.tileColumns == 0 && k_ % 16 == 0))
        names.push_back(version.name);
    return names;
  }

  Variant prepare(Target& target, const std::string& variantName) const override {
    for (const Version& version : versions)
      if (variantName == version.name)
        return prepare(target, version);
    return {};
  }

protected:
  struct Launch {
    cl::Buffer a, b, c;
    BoundKernel kernel;
    cl::NDRange global, local;
  };

  Launch prepareLaunch(Target& target, const Version& version, const std::string& options) const {
    const cl::Buffer a = target.bufferFrom(a_);
    const cl::Buffer b = target.bufferFrom(b_);
    const cl::Buffer c = target.bufferOf<float>(m_ * n_);
    return {
        a,
        b,
        c,
        BoundKernel(target.program("matmul.cl", options), version.kernel, a, b, c,
                    static_cast<cl_uint>(m_), static_cast<cl_uint>(n_), static_cast<cl_uint>(k_)),
        cl::NDRange(roundUp(n_, version.tileColumns) / version.tileColumns * version.localColumns,
                    roundUp(m_, version.tileRows) / version.tileRows * version.localRows),
        cl::NDRange(version.localColumns, version.localRows)};
  }

  /// Each of the k additions of a sum rounds, on both sides.
  std::string differenceFrom(const std::vector<float>& c) const {
    return differenceBeyond(c, expected_, 4e-7 * static_cast<double>(k_));
  }
  std::vector<float> readBack(Target& target, const cl::Buffer& c) const {
    return target.read<float>(c, expected_.size());
  }

  size_t m_, k_, n_;
  std::vector<float> a_, b_, expected_;

private:
  Variant prepare(Target& target, const Version& version) const {
    const Launch launch = prepareLaunch(target, version, "");
    return {[&target, launch] {
              launch.kernel.launch(target, launch.global, launch.local);
              target.queue().finish();
            },
            [this, &target, launch] { return differenceFrom(readBack(target, launch.c)); },
            {launch.c}};
  }
};

class GroupSizeProblem : public MatmulProblem {
public:
  GroupSizeProblem(size_t n, size_t edge) : MatmulProblem(n, n, n), edge_(edge) {}

  std::vector<std::string> variantNames() const override { return {"NAIVE", "LOCAL"}; }

  Variant prepare(Target& target, const std::string& variantName) const override {
    const char* kernel = variantName == "NAIVE" ? "naive" : "local_tiles";
    const Version version{"", kernel, edge_, edge_, edge_, edge_, true};
    const Launch launch = prepareLaunch(target, version, "-D TILE=" + std::to_string(edge_));
    auto result = std::make_shared<std::vector<float>>(m_ * n_);
    return {[this, &target, launch, result] {
              const size_t bytes = result->size() * sizeof(float);
              target.queue().enqueueWriteBuffer(launch.a, CL_FALSE, 0, bytes, a_.data());
              target.queue().enqueueWriteBuffer(launch.b, CL_FALSE, 0, bytes, b_.data());
              launch.kernel.launch(target, launch.global, launch.local);
              target.queue().enqueueReadBuffer(launch.c, CL_TRUE, 0, bytes, result->data());
            },
            [this, result] { return differenceFrom(*result); },
            {result},
            {launch.c}};
  }

private:
  size_t edge_;
};

} // namespace

std::unique_ptr<Problem> makeMatmul(size_t m, size_t k, size_t n) {
  return std::make_unique<MatmulProblem>(m, k, n);
}

std::unique_ptr<Problem> makeGroupSize(size_t n, size_t edge) {
  return std::make_unique<GroupSizeProblem>(n, edge);
}

} // namespace quern::bench
