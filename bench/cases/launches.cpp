#include "launches.h"

#include "host/host.h"

namespace quern::bench {

Work LaunchesProblem::work() const {
  Work work;
  work.items = work.repeats = static_cast<double>(count_);
  work.unit = "launch";
  return work;
}

void LaunchesProblem::runHost() {
  for (size_t i = 0; i < count_; ++i)
    host::wakeAll();
}

std::shared_ptr<BoundKernel> LaunchesProblem::makeKernel(Target& target, const cl::Buffer& output,
                                                         bool differs) const {
  return std::make_shared<BoundKernel>(target.program("launch.cl"), differs ? "add" : "count",
                                       output);
}

Variant LaunchesProblem::prepare(Target& target, const std::string& variantName) const {
  const bool differs = variantName != variants_.front();
  const cl::Buffer output = target.bufferOf<cl_uint>(items);
  const size_t sum = differs ? count_ * (count_ - 1) / 2 : count_;
  return {prepareRun(target, output, differs),
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

} // namespace quern::bench
