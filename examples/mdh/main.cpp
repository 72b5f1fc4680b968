// mdh: the electric potential of a molecule on a grid, by the multiple Debye-Hueckel sum over all
// atoms.
//
// Shows: a kernel that computes much per byte, staging of shared data in local memory, and vectors
// of 4, 8 and 16 grid points per work-item; the speed beside that of one thread and of all threads
// of the host.
#include "gallery.h"

#include <algorithm>
#include <cmath>

namespace {

constexpr float kappa = 0.1f; ///< inverse Debye length
constexpr float pre = 332.0f; ///< from charges and distances to the unit of the potential

struct Points {
  std::vector<float> x, y, z;

  Points(size_t count, float low, float high, unsigned seed)
      : x(gallery::randomFloats(count, low, high, seed)),
        y(gallery::randomFloats(count, low, high, seed + 1)),
        z(gallery::randomFloats(count, low, high, seed + 2)) {}
};

struct Molecule {
  Points position;
  std::vector<float> charge, radius;
  size_t atoms() const { return charge.size(); }
};

/// The sum for one grid point. In double precision it is the reference, in float what a host
/// program would do. `magnitude` receives the sum of the terms' absolute values, to which rounding
/// errors are in proportion.
template <typename Real>
Real potentialAt(const Molecule& molecule, const Points& grid, size_t i, Real& magnitude) {
  Real sum = 0;
  magnitude = 0;
  for (size_t j = 0; j < molecule.atoms(); ++j) {
    const Real dx = static_cast<Real>(grid.x[i]) - molecule.position.x[j];
    const Real dy = static_cast<Real>(grid.y[i]) - molecule.position.y[j];
    const Real dz = static_cast<Real>(grid.z[i]) - molecule.position.z[j];
    const Real distance = std::sqrt(dx * dx + dy * dy + dz * dz);
    const Real radius = molecule.radius[j];
    const Real term = molecule.charge[j] / distance * std::exp(-kappa * (distance - radius)) /
                      (1 + kappa * radius);
    sum += term;
    magnitude += std::abs(term);
  }
  magnitude *= pre;
  return pre * sum;
}

struct Reference {
  std::vector<double> potential;
  double largestMagnitude = 0;
};

Reference referenceFor(const Molecule& molecule, const Points& grid) {
  std::vector<double> magnitude(grid.x.size());
  Reference reference{std::vector<double>(grid.x.size())};
  gallery::onAllCores(grid.x.size(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      reference.potential[i] = potentialAt<double>(molecule, grid, i, magnitude[i]);
  });
  reference.largestMagnitude = *std::max_element(magnitude.begin(), magnitude.end());
  return reference;
}

/// One kernel on the device; `width` grid points per work-item.
class Launcher {
public:
  Launcher(const cl::Context& context, const cl::Device& device, Molecule& molecule, Points& grid)
      : context_(context), device_(device), queue_(context, device), points_(grid.x.size()) {
    for (std::vector<float>* values :
         {&molecule.position.x, &molecule.position.y, &molecule.position.z, &molecule.charge,
          &molecule.radius, &grid.x, &grid.y, &grid.z})
      inputs_.emplace_back(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                           values->size() * sizeof(float), values->data());
    atoms_ = molecule.atoms();
  }

  std::vector<float> run(const cl::Program& program, const char* name, size_t width,
                         size_t localSize, size_t repeat, double& seconds) {
    const cl::Buffer potential(context_, CL_MEM_WRITE_ONLY, points_ * sizeof(float));
    cl::Kernel kernel(program, name);
    for (cl_uint i = 0; i < 5; ++i)
      kernel.setArg(i, inputs_[i]);
    kernel.setArg(5, static_cast<cl_uint>(atoms_));
    for (cl_uint i = 6; i < 9; ++i)
      kernel.setArg(i, inputs_[i - 1]);
    kernel.setArg(9, potential);
    kernel.setArg(10, static_cast<cl_uint>(points_));
    kernel.setArg(11, kappa);
    kernel.setArg(12, pre);
    seconds = gallery::medianSeconds(repeat, [&] {
      queue_.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(points_ / width),
                                  cl::NDRange(localSize));
      queue_.finish();
    });
    std::vector<float> result(points_);
    queue_.enqueueReadBuffer(potential, CL_TRUE, 0, points_ * sizeof(float), result.data());
    return result;
  }

private:
  cl::Context context_;
  cl::Device device_;
  cl::CommandQueue queue_;
  size_t points_;
  size_t atoms_ = 0;
  std::vector<cl::Buffer> inputs_;
};

} // namespace

int main(int argc, char** argv) try {
  constexpr size_t block = 64; // work-group size, and atoms staged at a time
  const gallery::CommandLine line(
      argc, argv, "The potential of a molecule on a grid (multiple Debye-Hueckel).",
      {{"size", "64Ki", "grid points, rounded up to a multiple of 1,024", "8Ki"},
       {"atoms", "1000", "atoms of the molecule", "500"}});
  const cl::Device device = gallery::chooseDevice(line);
  const size_t points = gallery::roundUp(line.number("size"), 16 * block);
  const size_t atoms = line.number("atoms");
  const size_t repeat = line.number("repeat");
  gallery::Report report(line, "mdh", device.getInfo<CL_DEVICE_NAME>());

  Molecule molecule{Points(atoms, -20, 20, 1), gallery::randomFloats(atoms, -1, 1, 4),
                    gallery::randomFloats(atoms, 1, 2, 5)};
  Points grid(points, 25, 60, 6); // outside the molecule, so that no distance is 0
  const Reference reference = referenceFor(molecule, grid);

  const std::string size = std::to_string(points) + "x" + std::to_string(atoms);
  const auto pairRate = [&](double seconds) {
    return gallery::rate(points * atoms / seconds, "pair/s");
  };
  const auto check = [&](const std::vector<float>& potential) {
    return gallery::closeTo(potential, reference.potential, 4e-6 * reference.largestMagnitude);
  };

  std::vector<float> hostResult(points);
  const auto hostRange = [&](size_t begin, size_t end) {
    float magnitude;
    for (size_t i = begin; i < end; ++i)
      hostResult[i] = potentialAt<float>(molecule, grid, i, magnitude);
  };
  const double serial = gallery::medianSeconds(1, [&] { hostRange(0, points); });
  report.add("host, one thread", size, serial, pairRate(serial), check(hostResult));
  const double threaded =
      gallery::medianSeconds(repeat, [&] { gallery::onAllCores(points, hostRange); });
  report.add("host threads", size, threaded, pairRate(threaded), check(hostResult));

  const cl::Context context(device);
  Launcher launcher(context, device, molecule, grid);
  for (const size_t width : {0, 4, 8, 16}) {
    double seconds = 0;
    const cl::Program program = gallery::buildProgram(
        context, device, "mdh.cl",
        width == 0 ? ""
                   : "-D WIDTH=" + std::to_string(width) + " -D BLOCK=" + std::to_string(block));
    const std::vector<float> potential =
        width == 0 ? launcher.run(program, "mdh_simple", 1, block, repeat, seconds)
                   : launcher.run(program, "mdh_local", width, block, repeat, seconds);
    report.add(width == 0 ? "simple" : "local memory, float" + std::to_string(width), size, seconds,
               pairRate(seconds), check(potential));
  }
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
