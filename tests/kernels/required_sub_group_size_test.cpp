// Kernels that require a size of their sub-groups (cl_intel_required_subgroup_size).
#include "kernels/kernel_fixture.h"

#include <numeric>

#include <CL/cl_ext.h>

namespace quern::tests {
namespace {

std::vector<size_t> requiredSizes() {
  size_t bytes = 0;
  check(clGetDeviceInfo(Device::get().id, CL_DEVICE_SUB_GROUP_SIZES_INTEL, 0, nullptr, &bytes),
        "clGetDeviceInfo");
  std::vector<size_t> list(bytes / sizeof(size_t));
  check(clGetDeviceInfo(Device::get().id, CL_DEVICE_SUB_GROUP_SIZES_INTEL, bytes, list.data(),
                        nullptr),
        "clGetDeviceInfo");
  return list;
}

constexpr const char* placesSource = R"(
  __attribute__((intel_reqd_sub_group_size(SIZE)))
  kernel void places(global const int* in, global int* sums, global int* ids, global int* neighbours,
                     global uint* votes) {
    size_t i = get_global_id(0);
    sums[i] = sub_group_scan_inclusive_add(in[i]);
    ids[i] = (int)(get_sub_group_local_id() + 1000 * get_sub_group_size() +
                   100000 * get_max_sub_group_size());
    neighbours[i] = sub_group_shuffle_xor(in[i], 1);
    votes[i] = sub_group_ballot(in[i] % 3 == 0).x;
  }
  kernel void usual(global int* out) {})";

size_t compiledSize(const Kernel& kernel) {
  size_t size = 0;
  check(clGetKernelSubGroupInfo(kernel.handle(), Device::get().id,
                                CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, nullptr, sizeof(size),
                                &size, nullptr),
        "clGetKernelSubGroupInfo");
  return size;
}

TEST(RequiredSubGroupSize, eachSizeOfTheDeviceIsKept) {
  QUERN_NEEDS("cl_intel_required_subgroup_size");
  constexpr size_t items = 256, local = 128;
  std::vector<cl_int> in(items);
  std::iota(in.begin(), in.end(), 7);
  ASSERT_FALSE(requiredSizes().empty());
  for (const size_t size : requiredSizes()) {
    SCOPED_TRACE(size);
    const Program program = build(placesSource, "-cl-std=CL3.0 -DSIZE=" + std::to_string(size));
    EXPECT_EQ(size, compiledSize(Kernel(program, "places")));
    EXPECT_EQ(0u, compiledSize(Kernel(program, "usual")));
    Buffer<cl_int> input(in), sums(items), ids(items), neighbours(items);
    Buffer<cl_uint> votes(items);
    run(program, "places", {{items}, {local}}, input, sums, ids, neighbours, votes);
    const auto sum = sums.read(), id = ids.read(), neighbour = neighbours.read();
    const auto vote = votes.read();
    for (size_t i = 0; i < items; ++i) {
      const size_t first = i / size * size;
      cl_int total = 0;
      for (size_t lane = first; lane <= i; ++lane)
        total += in[lane];
      EXPECT_EQ(total, sum[i]) << i;
      EXPECT_EQ(static_cast<cl_int>(i - first + 1000 * size + 100000 * size), id[i]) << i;
      EXPECT_EQ(in[i ^ 1], neighbour[i]) << i;
      cl_uint expected = 0;
      for (size_t lane = 0; lane < size; ++lane)
        expected |= (in[first + lane] % 3 == 0 ? 1u : 0u) << lane;
      EXPECT_EQ(expected, vote[i]) << i;
    }
  }
}

TEST(RequiredSubGroupSize, othersDoNotBuild) {
  QUERN_NEEDS("cl_intel_required_subgroup_size");
  for (const char* size : {"1", "5", "64"}) {
    const BuildOutcome outcome =
        tryBuild(placesSource, std::string("-cl-std=CL3.0 -DSIZE=") + size);
    EXPECT_EQ(CL_BUILD_PROGRAM_FAILURE, outcome.code) << size;
    EXPECT_NE(std::string::npos, outcome.log.find("places")) << outcome.log;
  }
}

} // namespace
} // namespace quern::tests
