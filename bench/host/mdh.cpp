#include "host.h"
#include "team.h"

#include <cmath>
#include <vector>

namespace quern::bench::host {

// Blocks of grid points in the inner loop: the compiler computes as many at once as a vector
// register holds.
void mdh(const Molecule& molecule, const float* x, const float* y, const float* z, float* potential,
         size_t points, float kappa, float pre) {
  constexpr size_t block = 64;
  std::vector<float> weights(molecule.atoms); // what does not depend on the point
  for (size_t j = 0; j < molecule.atoms; ++j)
    weights[j] = molecule.charge[j] * std::exp(kappa * molecule.radius[j]) /
                 (1.0f + kappa * molecule.radius[j]);
  parallel((points + block - 1) / block, 1, [=, weight = weights.data()](size_t begin, size_t end) {
    for (size_t b = begin; b < end; ++b) {
      const size_t first = b * block;
      const size_t count = points - first < block ? points - first : block;
      float sum[block] = {};
      for (size_t j = 0; j < molecule.atoms; ++j) {
        for (size_t i = 0; i < count; ++i) {
          const float dx = x[first + i] - molecule.x[j];
          const float dy = y[first + i] - molecule.y[j];
          const float dz = z[first + i] - molecule.z[j];
          const float distance = std::sqrt(dx * dx + dy * dy + dz * dz);
          sum[i] += weight[j] / distance * std::exp(-kappa * distance);
        }
      }
      for (size_t i = 0; i < count; ++i)
        potential[first + i] = pre * sum[i];
    }
  });
}

} // namespace quern::bench::host
