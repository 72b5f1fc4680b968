// What kernels cost that kernels enqueue.
#include "cases.h"

namespace quern::bench {
namespace {

class ChildrenProblem : public Problem {
public:
  explicit ChildrenProblem(size_t count) : expected_(count * items) {
    for (size_t i = 0; i < expected_.size(); ++i)
      expected_[i] = static_cast<cl_uint>(i / items);
  }

  Work work() const override {
    Work work;
    work.items = work.repeats = static_cast<double>(count());
    work.unit = "child";
    return work;
  }

  /// The host's counterpart of a child: a piece of work for each thread, and a wait.
  void runHost() override {
    for (size_t i = 0; i < count(); ++i)
      host::wakeAll();
  }

  std::vector<std::string> variantNames() const override {
    return {"side_by_side", "in_order", "nested"};
  }

  Variant prepare(Target& target, const std::string& variantName) const override {
    // PoCL 3.1 writes only the lower half of the bit-field, and ends the process when asked for a
    // queue that it does not have.
    const auto capabilities = target.device().getInfo<CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES>();
    if (!target.compilesSources() || (capabilities & CL_DEVICE_QUEUE_SUPPORTED) == 0)
      throw NotOffered();
    const cl::DeviceCommandQueue queue(target.context(), target.device());
    const cl::Buffer rows = target.bufferOf<cl_uint>(expected_.size());
    const cl::Program program =
        target.program("children.cl", "-cl-std=CL3.0 -D SIZE=" + std::to_string(items));
    auto kernel = std::make_shared<BoundKernel>(program, variantName.c_str(), queue, rows,
                                                static_cast<cl_uint>(count()));
    return {[&target, kernel, queue] {
              kernel->launch(target, cl::NDRange(1), cl::NDRange(1));
              target.queue().finish();
            },
            [this, &target, rows] {
              return difference(target.read<cl_uint>(rows, expected_.size()), expected_);
            },
            {rows}};
  }

private:
  static constexpr size_t items = 64; ///< of a child's one work-group

  size_t count() const { return expected_.size() / items; }

  std::vector<cl_uint> expected_;
};

} // namespace

std::unique_ptr<Problem> makeChildren(size_t count) {
  return std::make_unique<ChildrenProblem>(count);
}

} // namespace quern::bench
