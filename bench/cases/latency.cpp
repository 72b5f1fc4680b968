// What the driver itself costs: launching a kernel that does nothing, and building a program.
#include "cases.h"

#include "host/host.h"

#include <random>

namespace quern::bench {
namespace {

class LaunchProblem : public Problem {
public:
  explicit LaunchProblem(size_t count) : count_(count) {}

  Work work() const override {
    Work work;
    work.items = work.repeats = static_cast<double>(count_);
    work.unit = "launch";
    return work;
  }

  /// The host's counterpart of a launch: wake all threads and wait for them.
  void runHost() override {
    for (size_t i = 0; i < count_; ++i)
      host::wakeAll();
  }

  std::vector<std::string> variantNames() const override {
    return {count_ == 1 ? "and finish" : "in a row, then finish"};
  }

  Variant prepare(Target& target, const std::string& variantName) const override {
    const cl::Kernel kernel(target.program("empty.cl"), "empty");
    const size_t localSize = groupSize(kernel, target.device(), 64);
    return {variantName,
            [&target, kernel, localSize, count = count_] {
              for (size_t i = 0; i < count; ++i)
                target.queue().enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(localSize),
                                                    cl::NDRange(localSize));
              target.queue().finish();
            },
            [] { return std::string(); }};
  }

private:
  size_t count_;
};

constexpr size_t linesOfFreshSource = 20;

/// A kernel of twenty lines that no cache has seen before: the number is part of what it computes.
std::string freshSource(unsigned number) {
  return "// build " + std::to_string(number) + R"(
kernel void blend(global const float* in, global float* out, uint count, local float* scratch) {
  size_t i = get_global_id(0);
  size_t me = get_local_id(0);
  float value = i < count ? in[i] : 0.0f;
  scratch[me] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (size_t j = 0; j < get_local_size(0); ++j)
    sum += scratch[j] * (j == me ? 2.0f : 1.0f);
  if (sum > 100.0f)
    sum = sqrt(sum) + sin(value);
  else if (sum < -100.0f)
    sum = exp(sum) * value;
  else
    sum = fma(sum, value, )" +
         std::to_string(number) + R"(.0f);
  if (i < count)
    out[i] = sum;
}
)";
}

/// The same with `lines` lines, of which there is something new every eight: arithmetic, branches,
/// short loops and stores, each of which needs what came before.
std::string longSource(unsigned number, size_t lines) {
  constexpr size_t frame = 10, each = 8;
  std::string text = "// build " + std::to_string(number) + R"(
kernel void blend(global const float* in, global float* out, uint count, local float* scratch) {
  size_t i = get_global_id(0);
  float value = in[i], sum = )" +
                     std::to_string(number) + R"(.0f;
  uint bits = count;
)";
  for (size_t k = 1; k * each + frame <= lines; ++k) {
    const std::string n = std::to_string(k);
    text += "  value = value * 0." + n + "f + sum;\n";
    text += "  if (value > " + n + ") sum += value * 0.5f; else sum -= " + n + ".0f;\n";
    text += "  for (uint j = 0; j < (count & 7); ++j) {\n";
    text += "    value = value * 0.5f + in[(i + j + " + n + ") & 63];\n";
    text += "    bits += j ^ " + n + ";\n  }\n";
    text += "  sum = fabs(sum) + sqrt(fabs(value)) * (bits >> " + std::to_string(k % 20) + ");\n";
    text += "  out[i] = sum - value;\n";
  }
  return text + "  out[i] = value + sum + bits;\n}\n";
}

class BuildProblem : public Problem {
public:
  explicit BuildProblem(size_t lines)
      : lines_(lines), next_(std::make_shared<unsigned>(std::random_device()() % (1u << 30))) {}

  Work work() const override {
    Work work;
    work.items = 1;
    work.unit = "build";
    return work;
  }

  bool hasHost() const override { return false; }
  void runHost() override {}

  /// Drivers may put off a part of their work to the first launch; the second variant shows it.
  std::vector<std::string> variantNames() const override {
    return {"new source", "new source + first launch", "known source"};
  }

  Variant prepare(Target& target, const std::string& variantName) const override {
    if (!target.compilesSources())
      throw NotOffered();
    const bool fresh = variantName != "known source";
    const bool launch = variantName == "new source + first launch";
    const cl::Buffer buffer = target.bufferOf<float>(64);
    return {variantName,
            [&target, fresh, launch, buffer, lines = lines_, next = next_] {
              const unsigned number = fresh ? (*next)++ : 0;
              cl::Program program(target.context(), lines == linesOfFreshSource
                                                        ? freshSource(number)
                                                        : longSource(number, lines));
              program.build({target.device()}, "");
              if (!launch)
                return;
              const BoundKernel kernel(program, "blend", buffer, buffer, cl_uint{64},
                                       cl::Local(64 * sizeof(float)));
              kernel.launch(target, cl::NDRange(64), cl::NDRange(64));
              target.queue().finish();
            },
            [] { return std::string(); }};
  }

private:
  size_t lines_;
  std::shared_ptr<unsigned>
      next_; ///< the number of the next new source; a random start differs from earlier processes
};

} // namespace

std::unique_ptr<Problem> makeLaunch(size_t count) {
  return std::make_unique<LaunchProblem>(count);
}

std::unique_ptr<Problem> makeBuild(size_t lines) {
  return std::make_unique<BuildProblem>(lines);
}

} // namespace quern::bench
