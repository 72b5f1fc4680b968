// What building a program costs, for sources of different lengths.
#include "cases.h"

#include <cmath>

namespace quern::bench {
namespace {

constexpr size_t linesOfShortSource = 20;
constexpr size_t items = 64;  ///< in one work-group
constexpr cl_uint count = 67; ///< the kernel's argument; its loops take count & 7 turns
/// A long source has something new every `step` lines, and `frame` lines around that.
constexpr size_t frame = 10, step = 8;

/// A kernel of twenty lines. The number is a part of what it computes.
std::string shortSource(unsigned number) {
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

std::vector<float> shortResult(const std::vector<float>& in, unsigned number) {
  float all = 0;
  for (const float value : in)
    all += value;
  std::vector<float> out;
  for (const float value : in) // whole numbers that add up to less than 100
    out.push_back(std::fma(all + value, value, static_cast<float>(number)));
  return out;
}

/// The same with `lines` lines: arithmetic, branches, short loops and stores, each of which needs
/// what came before.
std::string longSource(unsigned number, size_t lines) {
  const std::string seed = std::to_string(number);
  std::string text = "// build " + seed + R"(
kernel void blend(global const float* in, global float* out, uint count, local float* scratch) {
  size_t i = get_global_id(0);
  float value = in[i], sum = 0.0f;
  uint bits = count ^ )" +
                     seed + "u;\n";
  for (size_t k = 1; k * step + frame <= lines; ++k) {
    const std::string n = std::to_string(k);
    text += "  value = value * 0.5f + sum;\n";
    text += "  if (value > " + n + ") sum += value * 0.5f; else sum -= " + n + ".0f;\n";
    text += "  for (uint j = 0; j < (count & 7); ++j) {\n";
    text += "    value = value * 0.5f + in[(i + j + " + n + ") & 63];\n";
    text += "    bits += j ^ " + n + ";\n  }\n";
    text += "  sum = 0.125f * fabs(sum) + sqrt(fabs(value)) * (bits & 7);\n";
    text += "  out[i] = sum - value;\n";
  }
  return text + "  out[i] = value + sum + (bits & 255);\n}\n";
}

std::vector<float> longResult(const std::vector<float>& in, unsigned number, size_t lines) {
  std::vector<float> out;
  for (size_t i = 0; i < items; ++i) {
    float value = in[i], sum = 0;
    cl_uint bits = count ^ number;
    for (size_t k = 1; k * step + frame <= lines; ++k) {
      const auto n = static_cast<float>(k);
      value = value * 0.5f + sum;
      sum = value > n ? sum + value * 0.5f : sum - n;
      for (cl_uint j = 0; j < (count & 7); ++j) {
        value = value * 0.5f + in[(i + j + k) % items];
        bits += j ^ static_cast<cl_uint>(k);
      }
      sum = 0.125f * std::fabs(sum) + std::sqrt(std::fabs(value)) * static_cast<float>(bits & 7);
    }
    out.push_back(value + sum + static_cast<float>(bits & 255));
  }
  return out;
}

/// A program, the number in its source, and the memory of its kernel.
struct Build {
  cl::Buffer in, out;
  cl::Program program;
  unsigned number = 0;

  void launch(Target& target) const {
    const BoundKernel kernel(program, "blend", in, out, count, cl::Local(items * sizeof(float)));
    kernel.launch(target, cl::NDRange(items), cl::NDRange(items));
    target.queue().finish();
  }
};

class BuildProblem : public Problem {
public:
  explicit BuildProblem(size_t lines) : lines_(lines), in_(items) {
    for (size_t i = 0; i < items; ++i)
      in_[i] = static_cast<float>(i % 3) - 1;
  }

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
    const bool isNew = variantName != "known source";
    const bool launches = variantName == "new source + first launch";
    auto build = std::make_shared<Build>(
        Build{target.bufferFrom(in_), target.bufferOf<float>(items), {}, 0});
    return {[this, &target, build, isNew, launches] {
              build->number = isNew ? freshNumber() : 0;
              build->program = cl::Program(target.context(), source(build->number));
              build->program.build({target.device()}, "");
              if (launches)
                build->launch(target);
            },
            [this, &target, build, launches] {
              if (!build->program())
                return std::string("no program was built");
              if (!launches) { // then the program is the result, and what it computes tells
                target.spoil(build->out);
                build->launch(target);
              }
              return differenceFrom(target.read<float>(build->out, items), build->number);
            },
            launches ? std::vector<Output>{build->out} : std::vector<Output>{},
            {},
            [build] { build->program = {}; }};
  }

private:
  bool isShort() const { return lines_ == linesOfShortSource; }

  std::string source(unsigned number) const {
    return isShort() ? shortSource(number) : longSource(number, lines_);
  }

  /// A long program adds up what its steps round, and each step halves what it gets.
  std::string differenceFrom(const std::vector<float>& actual, unsigned number) const {
    return isShort() ? difference(actual, shortResult(in_, number))
                     : differenceBeyond(actual, longResult(in_, number, lines_), 0.1);
  }

  size_t lines_;
  std::vector<float> in_;
};

} // namespace

std::unique_ptr<Problem> makeBuild(size_t lines) {
  return std::make_unique<BuildProblem>(lines);
}

} // namespace quern::bench
