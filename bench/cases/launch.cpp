// What launching a kernel costs: one and a wait, many that are alike, and many that are not.
#include "launches.h"

namespace quern::bench {
namespace {

class LaunchProblem final : public LaunchesProblem {
public:
  explicit LaunchProblem(size_t count) : LaunchesProblem(count, variantsOf(count)) {}

private:
  static std::vector<std::string> variantsOf(size_t count) {
    if (count == 1)
      return {"and finish"};
    return {"alike, then finish", "with other arguments, then finish"};
  }

  std::function<void()> prepareRun(Target& target, const cl::Buffer& output,
                                   bool differs) const override {
    return [&target, kernel = makeKernel(target, output, differs), differs, count = count()] {
      for (size_t i = 0; i < count; ++i) {
        if (differs)
          kernel->set(1, static_cast<cl_uint>(i));
        kernel->launch(target, cl::NDRange(items), cl::NDRange(items));
      }
      target.queue().finish();
    };
  }
};

} // namespace

std::unique_ptr<Problem> makeLaunch(size_t count) {
  return std::make_unique<LaunchProblem>(count);
}

} // namespace quern::bench
