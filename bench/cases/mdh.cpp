// The multiple Debye-Hueckel sum: much arithmetic per byte, with sqrt, division and exp.
#include "cases.h"

#include "host/host.h"

#include <algorithm>
#include <cmath>

namespace quern::bench {
namespace {

constexpr size_t block = 64; ///< work-group size, and atoms staged at a time
constexpr float kappa = 0.1f;
constexpr float pre = 332.0f;

class MdhProblem : public Problem {
public:
  MdhProblem(size_t points, size_t atoms) : expected_(points) {
    for (unsigned axis = 0; axis < 3; ++axis) {
      atom_[axis] = randomFloats(atoms, -20, 20, axis);
      grid_[axis] =
          randomFloats(points, 25, 60, 3 + axis); // outside the molecule: no distance is 0
    }
    charge_ = randomFloats(atoms, -1, 1, 6);
    radius_ = randomFloats(atoms, 1, 2, 7);
  }

  Work work() const override {
    const double pairs =
        static_cast<double>(expected_.size()) * static_cast<double>(charge_.size());
    const double bytes =
        sizeof(float) * static_cast<double>(4 * expected_.size() + 5 * charge_.size());
    return {13 * pairs, bytes, bytes, pairs, "pair"};
  }

  void runHost() override {
    const host::Molecule molecule{atom_[0].data(), atom_[1].data(), atom_[2].data(),
                                  charge_.data(),  radius_.data(),  charge_.size()};
    host::mdh(molecule, grid_[0].data(), grid_[1].data(), grid_[2].data(), expected_.data(),
              expected_.size(), kappa, pre);
  }

  std::vector<std::string> variantNames() const override {
    return {"simple", "float4", "float8", "float16"};
  }

  Variant prepare(Target& target, const std::string& variantName) const override {
    const bool simple = variantName == "simple";
    const size_t width = simple ? 1 : std::stoul(variantName.substr(5));
    const std::string options =
        "-D WIDTH=" + std::to_string(simple ? 4 : width) + " -D BLOCK=" + std::to_string(block);
    const cl::Buffer potential = target.bufferOf<float>(expected_.size());
    const BoundKernel kernel(target.program("mdh.cl", options), simple ? "mdh_simple" : "mdh_local",
                             target.bufferFrom(atom_[0]), target.bufferFrom(atom_[1]),
                             target.bufferFrom(atom_[2]), target.bufferFrom(charge_),
                             target.bufferFrom(radius_), static_cast<cl_uint>(charge_.size()),
                             target.bufferFrom(grid_[0]), target.bufferFrom(grid_[1]),
                             target.bufferFrom(grid_[2]), potential,
                             static_cast<cl_uint>(expected_.size()), kappa, pre);
    return {[this, &target, kernel, width] {
              kernel.launch(target, cl::NDRange(expected_.size() / width), cl::NDRange(block));
              target.queue().finish();
            },
            [this, &target, potential] {
              return differenceBeyond(target.read<float>(potential, expected_.size()), expected_,
                                      allowedError());
            },
            {potential}};
  }

private:
  /// Rounding errors are in proportion to the terms, whose absolute values add up to at most this.
  /// Charges are at most 1, distances at least those between the molecule's corner and the grid's.
  double allowedError() const {
    const double nearest = std::sqrt(3.0) * 5;
    const double largestTerm = std::exp(-kappa * (nearest - 2)) / nearest;
    return 4e-6 * pre * largestTerm * static_cast<double>(charge_.size());
  }

  std::vector<float> atom_[3], grid_[3], charge_, radius_, expected_;
};

} // namespace

std::unique_ptr<Problem> makeMdh(size_t points, size_t atoms) {
  return std::make_unique<MdhProblem>(points, atoms);
}

} // namespace quern::bench
