// Packets that one kernel writes into a pipe and the next one reads.
#include "cases.h"

#include <algorithm>

namespace quern::bench {
namespace {

class PipeProblem : public Problem {
public:
  explicit PipeProblem(size_t count) : count_(count) {}

  Work work() const override {
    Work work;
    work.items = static_cast<double>(count_);
    work.unit = "packet";
    return work;
  }

  bool hasHost() const override { return false; }
  void runHost() override {}

  std::vector<std::string> variantNames() const override { return {"items", "groups"}; }

  Variant prepare(Target& target, const std::string& variantName) const override {
    if (!target.compilesSources() || !target.device().getInfo<CL_DEVICE_PIPE_SUPPORT>())
      throw NotOffered();
    const cl::Pipe pipe(target.context(), sizeof(cl_uint), static_cast<cl_uint>(count_));
    const cl::Buffer packets = target.bufferOf<cl_uint>(count_);
    const cl::Program program = target.program("pipes.cl", "-cl-std=CL3.0");
    auto write = std::make_shared<BoundKernel>(program, ("write_" + variantName).c_str(), pipe);
    auto read =
        std::make_shared<BoundKernel>(program, ("read_" + variantName).c_str(), pipe, packets);
    return {[this, &target, write, read, pipe] {
              write->launch(target, cl::NDRange(count_), cl::NDRange(items));
              read->launch(target, cl::NDRange(count_), cl::NDRange(items));
              target.queue().finish();
            },
            [this, &target, packets] {
              // In any order.
              std::vector<cl_uint> actual = target.read<cl_uint>(packets, count_);
              std::ranges::sort(actual);
              std::vector<cl_uint> expected(count_);
              for (size_t i = 0; i < count_; ++i)
                expected[i] = static_cast<cl_uint>(i);
              return difference(actual, expected);
            },
            {packets}};
  }

private:
  static constexpr size_t items = 256; ///< of a work-group

  size_t count_; ///< a multiple of that
};

} // namespace

std::unique_ptr<Problem> makePipe(size_t count) {
  return std::make_unique<PipeProblem>(count);
}

} // namespace quern::bench
