// What launching a kernel costs: one and a wait, many that are alike, and many that are not.
#include "cases.h"

#include "host/host.h"

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

  /// The host's counterpart of a launch: a piece of work for each thread, and a wait.
  void runHost() override {
    for (size_t i = 0; i < count_; ++i)
      host::wakeAll();
  }

  std::vector<std::string> variantNames() const override {
    return count_ == 1 ? std::vector<std::string>{"and finish"}
                       : std::vector<std::string>{"alike, then finish", differing};
  }

  Variant prepare(Target& target, const std::string& variantName) const override {
    const bool differs = variantName == differing;
    const cl::Buffer output = target.bufferOf<cl_uint>(items);
    auto kernel = std::make_shared<BoundKernel>(target.program("launch.cl"),
                                                differs ? "add" : "count", output);
    const auto run = [&target, kernel, differs, count = count_] {
      for (size_t i = 0; i < count; ++i) {
        if (differs)
          kernel->set(1, static_cast<cl_uint>(i));
        kernel->launch(target, cl::NDRange(items), cl::NDRange(items));
      }
      target.queue().finish();
    };
    const size_t sum = differs ? count_ * (count_ - 1) / 2 : count_;
    return {run,
            [&target, output, sum] {
              return difference(target.read<cl_uint>(output, items),
                                std::vector<cl_uint>(items, static_cast<cl_uint>(sum)));
            },
            {output},
            {},
            [&target, output] {
              target.queue().enqueueFillBuffer(output, cl_uint{0}, 0, items * sizeof(cl_uint));
            }};
  }

private:
  static constexpr const char* differing = "with other arguments, then finish";
  static constexpr size_t items = 64; ///< in one work-group

  size_t count_;
};

} // namespace

std::unique_ptr<Problem> makeLaunch(size_t count) {
  return std::make_unique<LaunchProblem>(count);
}

} // namespace quern::bench
