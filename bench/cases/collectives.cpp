// Collective functions of work-groups.
#include "output_problem.h"

#include "host/host.h"

namespace quern::bench {
namespace {

class CollectiveProblem : public OutputProblem<cl_int> {
public:
  CollectiveProblem(host::Collective collective, size_t count, size_t group)
      : OutputProblem(count), collective_(collective), group_(group),
        in_(randomInts(count, 1000, 1)) {}

  Work work() const override {
    const double bytes = 8 * static_cast<double>(in_.size());
    return {0, bytes, bytes, bytes, "B"};
  }

  void runHost() override {
    host::collect(collective_, in_.data(), expected_.data(), in_.size(), group_);
  }

  std::vector<std::string> variantNames() const override { return {name()}; }

private:
  const char* name() const {
    switch (collective_) {
    case host::Collective::Reduce:
      return "sum";
    case host::Collective::Scan:
      return "scan";
    case host::Collective::Broadcast:
      return "broadcast";
    default:
      return "find_any";
    }
  }

  Launch launchOf(Target& target, const std::string&, const cl::Buffer& output) const override {
    const cl::Program program =
        target.program("collectives.cl", "-cl-std=CL3.0 -D SIZE=" + std::to_string(group_));
    return {{program, name(), target.bufferFrom(in_), output},
            cl::NDRange(in_.size()),
            cl::NDRange(group_)};
  }

  std::string differenceFrom(const std::vector<cl_int>& actual) const override {
    return difference(actual, expected_);
  }

  host::Collective collective_;
  size_t group_;
  std::vector<cl_int> in_;
};

} // namespace

std::unique_ptr<Problem> makeCollective(host::Collective collective, size_t count, size_t group) {
  return std::make_unique<CollectiveProblem>(collective, count, group);
}

} // namespace quern::bench
