// Gravity among bodies: each pair costs a reciprocal square root and a few multiplications.
#include "output_problem.h"

#include "host/host.h"

namespace quern::bench {
namespace {

class BodiesProblem : public OutputProblem<float> {
public:
  explicit BodiesProblem(size_t bodies)
      : OutputProblem(4 * bodies), positions_(randomFloats(4 * bodies, 0.1f, 1, 1)) {}

  Work work() const override {
    const double bodies = static_cast<double>(positions_.size()) / 4;
    return {20 * bodies * bodies, 32 * bodies, 32 * bodies, bodies * bodies, "pair"};
  }

  void runHost() override {
    host::gravity(positions_.data(), expected_.data(), positions_.size() / 4, softening);
  }

  std::vector<std::string> variantNames() const override { return {"simple", "staged"}; }

private:
  Launch launchOf(Target& target, const std::string& variantName,
                  const cl::Buffer& output) const override {
    const cl::Program program = target.program("nbody.cl");
    const cl::Buffer positions = target.bufferFrom(positions_);
    const auto bodies = static_cast<cl_uint>(positions_.size() / 4);
    const cl::NDRange global(bodies), local(group);
    if (variantName == "simple")
      return {{program, "nbody", positions, output, bodies, softening}, global, local};
    return {{program, "nbody_staged", positions, output, bodies, softening,
             cl::Local(group * 4 * sizeof(float))},
            global,
            local};
  }

  /// Each term is below the largest distance times the mass over the softening's power, and the
  /// terms' roundings add up like their number's root at the most.
  std::string differenceFrom(const std::vector<float>& actual) const override {
    double scale = 0;
    for (const float value : expected_)
      scale = std::max(scale, std::abs(static_cast<double>(value)));
    return differenceBeyond(actual, expected_, 1e-4 * scale);
  }

  static constexpr size_t group = 64;
  static constexpr float softening = 0.01f;
  std::vector<float> positions_;
};

} // namespace

std::unique_ptr<Problem> makeBodies(size_t bodies) {
  return std::make_unique<BodiesProblem>(bodies);
}

} // namespace quern::bench
