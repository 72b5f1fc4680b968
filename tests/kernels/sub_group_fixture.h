#pragma once

#include "kernels/kernel_fixture.h"

namespace quern::tests {

/// Tests of sub-groups: skipped where the device has none.
class SubGroups : public testing::Test {
protected:
  void SetUp() override { QUERN_NEEDS("OpenCL C 3.0.0", "__opencl_c_subgroups"); }

  /// Work-items of a full sub-group, as a kernel sees it in a work-group of `local` work-items.
  static size_t sizeIn(size_t local) {
    const Program program = build("kernel void k(global uint* out) { if (get_global_id(0) == 0) "
                                  "*out = get_max_sub_group_size(); }",
                                  openClC3);
    Buffer<cl_uint> out(1);
    run(program, "k", {{local}, {local}}, out);
    return out.read()[0];
  }
};

/// Calls `body(begin, end)` for each sub-group of `count` work-items in work-groups of `local`.
template <typename Body>
void forEachSubGroup(size_t count, size_t local, size_t size, const Body& body) {
  for (size_t group = 0; group < count; group += local)
    for (size_t begin = group; begin < std::min(group + local, count); begin += size)
      body(begin, std::min({begin + size, group + local, count}));
}

} // namespace quern::tests
