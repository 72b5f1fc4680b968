// Code that is made again, better, for kernels that take long (QUERN_VARIANTS), with its own
// processes: the option is read once. Each checks its results itself.
#include "kernels/child_process.h"
#include "kernels/images/device_image.h"
#include "kernels/kernel_fixture.h"
#include "temporary_folder.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <tuple>

namespace quern::tests {
namespace {

constexpr const char* variantsSource = R"(
  kernel void sums(global const int* in, global int* out, local int* shared, int rounds) {
    size_t i = get_global_id(0), me = get_local_id(0), n = get_local_size(0);
    shared[me] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int round = 0; round < rounds; ++round)
      for (size_t j = 0; j < n; ++j)
        sum += shared[j] * (round + 1);
    out[i] = sum + (int)me;
  }
  kernel void shifted(global int* a, global int* b, int n) {
    for (int i = 0; i < n; ++i) {
      a[i] = b[0] + i;
      b[1] = a[0] + 7;
    }
    a[n] = b[1] + b[0];
  })";

constexpr const char* sourceWithConstants = R"(
  kernel void rows(global const int* in, global int* out, int width, ushort rounds, long factor) {
    int i = get_global_id(0), sum = 0;
    for (int k = 0; k < rounds; ++k)
      sum += in[i * factor + k];
    out[i] = sum + i % width * 1000 + i / width;
  })";

/// Launches `sums`; false where a result is wrong.
bool runSums(const Program& program, size_t global, size_t local, cl_int rounds) {
  std::vector<cl_int> in(global), expected(global);
  for (size_t i = 0; i < global; ++i)
    in[i] = static_cast<cl_int>(i % 13);
  for (size_t i = 0; i < global; ++i) {
    const size_t first = i / local * local, end = std::min(first + local, global);
    cl_int sum = 0;
    for (size_t j = first; j < end; ++j)
      sum += in[j] * (rounds * (rounds + 1) / 2);
    expected[i] = sum + static_cast<cl_int>(i - first);
  }
  const Buffer<cl_int> source(in), out(global);
  Kernel kernel(program, "sums");
  kernel.setAll(source, out, LocalBytes{local * sizeof(cl_int)}, rounds);
  check(clEnqueueNDRangeKernel(Device::get().queue, kernel.handle(), 1, nullptr, &global, &local, 0,
                               nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  return out.read() == expected;
}

size_t filesIn(const std::string& folder) {
  using Iterator = std::filesystem::recursive_directory_iterator;
  return static_cast<size_t>(std::count_if(
      Iterator(folder), Iterator(), [](const auto& entry) { return entry.is_regular_file(); }));
}

size_t countOf(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

/// Runs a kernel until the cache has its variant.
QUERN_CHILD(runUntilCompiledAgain) {
  const Program program = build(variantsSource, openClC3);
  if (!runSums(program, 4096, 64, 50))
    return 1;
  const size_t before = filesIn(arguments[0]);
  while (filesIn(arguments[0]) == before)
    if (!runSums(program, 4096, 64, 50))
      return 1;
  return runSums(program, 4096, 64, 3) && runSums(program, 100, 64, 3) ? 0 : 1;
}

QUERN_CHILD(runOnce) {
  const Program program = build(variantsSource, openClC3);
  if (!runSums(program, 4096, 64, 3) || !runSums(program, 100, 64, 3))
    return 1;
  return compilerIsLoaded() ? 2 : 0;
}

TEST(Variants, areMadeInTheBackgroundAndFoundByTheNextProcess) {
  // Only code for CPUs is compiled twice.
  QUERN_NEEDS("CL_DEVICE_TYPE CL_DEVICE_TYPE_CPU");
  TemporaryFolder folder;
  ChildRequest request{"runUntilCompiledAgain",
                       {folder.path()},
                       {{"QUERN_VARIANTS", "auto"},
                        {"QUERN_LOG", "info"},
                        {"QUERN_CACHE", "on"},
                        {"QUERN_CACHE_DIR", folder.path()}}};
  const ChildResult first = runChild(request);
  EXPECT_EQ(first.exitCode, 0) << first;
  request.name = "runOnce";
  const ChildResult second = runChild(request);
  EXPECT_EQ(second.exitCode, 0) << second;
  EXPECT_EQ(countOf(second.errors, "'sums' has code from the cache for work-groups of 64 x 1 x 1"),
            1u)
      << second;
}

/// Steps that a work-item takes depend on its number alone, so that a packet waits for the slowest.
constexpr const char* divergentSource = R"(
  kernel void steps(global uint* out) {
    uint n = get_global_id(0) + 1, steps = 0;
    while (n != 1) {
      n = n & 1 ? 3 * n + 1 : n / 2;
      ++steps;
    }
    out[get_global_id(0)] = steps;
  })";

/// Versions that the kernel of divergentSource is compared with: without packets, and in packets of
/// half the width where these are not too narrow. There are more where half the width is faster.
size_t versionsOf(const Program& program) {
  const Kernel kernel(program, "steps");
  size_t width = 0;
  check(clGetKernelWorkGroupInfo(kernel.handle(), Device::get().id,
                                 CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof(width),
                                 &width, nullptr),
        "clGetKernelWorkGroupInfo");
  return width >= 8 ? 2 : 1;
}

/// Runs such a kernel until as many versions have been compared, as the log says in a file.
QUERN_CHILD(runUntilMeasured) {
  const std::string log = arguments[0] + "/log";
  if (!std::freopen(log.c_str(), "w", stderr))
    return 1;
  constexpr cl_uint count = 30000;
  std::vector<cl_uint> expected(count);
  for (cl_uint i = 0; i < count; ++i)
    for (cl_uint n = i + 1; n != 1; ++expected[i])
      n = n % 2 == 1 ? 3 * n + 1 : n / 2;
  const Program program = build(divergentSource);
  const size_t versions = versionsOf(program);
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(50);
  while (countOf(test::readFile(log), "% of its time") < versions) {
    if (std::chrono::steady_clock::now() > limit)
      return 2;
    for (int i = 0; i < 20; ++i) {
      const Buffer<cl_uint> out(count);
      run(program, "steps", {{count}}, out);
      if (out.read() != expected)
        return 3;
    }
  }
  return 0;
}

TEST(Variants, areMeasuredWhereTheCompilerCannotTellWhichIsFaster) {
  // Only code for CPUs is compiled twice.
  QUERN_NEEDS("CL_DEVICE_TYPE CL_DEVICE_TYPE_CPU");
  TemporaryFolder folder;
  const ChildResult result =
      runChild({"runUntilMeasured",
                {folder.path()},
                {{"QUERN_VARIANTS", "auto"}, {"QUERN_LOG", "info"}, {"QUERN_CACHE", "off"}}});
  EXPECT_EQ(result.exitCode, 0) << result;
  const std::string log = test::readFile(folder.path() + "/log");
  EXPECT_EQ(countOf(log, "'steps' has been compiled again"), 1u) << log;
  EXPECT_EQ(countOf(log, "'steps' is measured without packets"), 1u) << log;
  const size_t measured = countOf(log, "'steps' is measured ");
  const size_t compared = countOf(log, "% of its time");
  // The first specialisation is compared with the baseline code.
  EXPECT_LE(compared, measured + 1) << log;
  EXPECT_GE(compared, measured) << log;
}

QUERN_CHILD(runManySizes) {
  const Program program = build(variantsSource, openClC3);
  for (size_t local : {4, 8, 16, 32, 64, 96, 128})
    for (size_t global : {size_t{384}, size_t{385}})
      if (!runSums(program, global, local, 4))
        return 1;
  return 0;
}

/// Runs `child` with a specialisation for each new kind of launches. `most` are made of `kernel`,
/// and the last one of them is for all launches.
void expectMade(const char* child, const std::string& kernel, size_t most) {
  // Only code for CPUs is compiled twice.
  QUERN_NEEDS("CL_DEVICE_TYPE CL_DEVICE_TYPE_CPU");
  const ChildResult result = runChild(
      {child, {}, {{"QUERN_VARIANTS", "now"}, {"QUERN_LOG", "info"}, {"QUERN_CACHE", "off"}}});
  EXPECT_EQ(result.exitCode, 0) << result;
  EXPECT_EQ(countOf(result.errors, "'" + kernel + "' has been compiled again"), most) << result;
  EXPECT_EQ(countOf(result.errors, "compiled again for all launches"), 1u) << result;
}

TEST(Variants, areFewAndTheLastRunsAllLaunches) {
  expectMade("runManySizes", "sums", 4);
}

/// Reads the middles of an image's elements: whatever the sampler, these are the elements.
QUERN_CHILD(runManySamplers) {
  constexpr size_t width = 16;
  const Program program = build("kernel void look(read_only image2d_t image, sampler_t s,"
                                "                 float scale, global float* out) {"
                                "  float2 at = (float2)(get_global_id(0) + 0.5f, 1.5f);"
                                "  at.x *= scale; at.y *= scale == 1 ? 1.0f : 0.25f;"
                                "  out[get_global_id(0)] = read_imagef(image, s, at).x; }");
  std::vector<HostSampler> samplers;
  for (const cl_filter_mode filter : {CL_FILTER_NEAREST, CL_FILTER_LINEAR})
    for (const cl_addressing_mode mode : {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP,
                                          CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT})
      for (const bool normalized : {true, false})
        if (normalized || mode == CL_ADDRESS_CLAMP_TO_EDGE || mode == CL_ADDRESS_CLAMP)
          samplers.push_back({normalized, mode, filter});
  for (const cl_channel_order order : {CL_R, CL_RGBA, CL_R}) {
    HostImage host(CL_MEM_OBJECT_IMAGE2D, {order, CL_FLOAT}, {width, 4, 1});
    host.randomize(3);
    const DeviceImage image(host);
    for (const HostSampler& sampler : samplers) {
      const DeviceSampler handle(sampler);
      const Buffer<cl_float> out(width);
      const cl_float scale = sampler.normalized ? 1.0f / width : 1;
      run(program, "look", {{width}}, image.handle(), handle.handle(), scale, out);
      const std::vector<cl_float> result = out.read();
      for (size_t x = 0; x < width; ++x)
        if (static_cast<double>(result[x]) != host.texel({x, 1, 0})[0])
          return 1;
    }
  }
  return 0;
}

/// One for each kind of sampler, as code for any kind takes many times as long.
TEST(Variants, areMoreWhereKernelsHaveSamplers) {
  expectMade("runManySamplers", "look", 16);
}

/// Launches `shifted` on buffers `a` and `b` and returns what is in `all`.
std::vector<cl_int> runShifted(const Program& program, cl_mem a, cl_mem b,
                               const Buffer<cl_int>& all) {
  Kernel kernel(program, "shifted");
  const cl_int n = 5;
  check(clSetKernelArg(kernel.handle(), 0, sizeof(a), &a), "clSetKernelArg");
  check(clSetKernelArg(kernel.handle(), 1, sizeof(b), &b), "clSetKernelArg");
  check(clSetKernelArg(kernel.handle(), 2, sizeof(n), &n), "clSetKernelArg");
  const size_t one = 1;
  check(clEnqueueNDRangeKernel(Device::get().queue, kernel.handle(), 1, nullptr, &one, &one, 0,
                               nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  return all.read();
}

/// The same on the host.
void shift(cl_int* a, cl_int* b) {
  for (int i = 0; i < 5; ++i) {
    a[i] = b[0] + i;
    b[1] = a[0] + 7;
  }
  a[5] = b[1] + b[0];
}

/// Buffers that overlap, wholly or in part, must not run code for disjoint ones.
QUERN_CHILD(runOverlapping) {
  const Program program = build(variantsSource, openClC3);
  const size_t step = Device::get().info<cl_uint>(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  const size_t ints = step / sizeof(cl_int);
  const Buffer<cl_int> all(4 * ints, 3);
  std::vector<cl_int> host(4 * ints, 3);
  const auto part = [&](size_t index, size_t parts) {
    const cl_buffer_region region = {index * step, parts * step};
    cl_int code = CL_SUCCESS;
    const cl_mem buffer = clCreateSubBuffer(all.handle(), CL_MEM_READ_WRITE,
                                            CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    check(code, "clCreateSubBuffer");
    return buffer;
  };
  const cl_mem low = part(0, 2), high = part(2, 2), both = part(0, 4);
  const auto runs = [&](cl_mem a, size_t atA, cl_mem b, size_t atB) {
    const std::vector<cl_int> result = runShifted(program, a, b, all);
    shift(host.data() + atA * ints, host.data() + atB * ints);
    return result == host;
  };
  const bool right = runs(low, 0, high, 2) && runs(high, 2, high, 2) && runs(low, 0, low, 0) &&
                     runs(both, 0, high, 2) && runs(low, 0, both, 0) && runs(high, 2, low, 0) &&
                     runs(all.handle(), 0, all.handle(), 0);
  for (cl_mem buffer : {low, high, both})
    clReleaseMemObject(buffer);
  return right ? 0 : 1;
}

TEST(Variants, forDisjointBuffersRunNoOthers) {
  // Only code for CPUs is compiled twice.
  QUERN_NEEDS("CL_DEVICE_TYPE CL_DEVICE_TYPE_CPU");
  const ChildResult result =
      runChild({"runOverlapping",
                {},
                {{"QUERN_VARIANTS", "now"}, {"QUERN_LOG", "info"}, {"QUERN_CACHE", "off"}}});
  EXPECT_EQ(result.exitCode, 0) << result;
  EXPECT_EQ(countOf(result.errors, "disjoint buffers"), 1u) << result;
}

/// Launches `rows`; false where a result is wrong.
bool runRows(const Program& program, cl_int width, cl_ushort rounds, cl_long factor) {
  constexpr size_t items = 30000;
  const std::vector<cl_int> in =
      tabulate<cl_int>(items * 5 + 64, [](size_t i) { return static_cast<cl_int>(i * 7 % 1013); });
  const Buffer<cl_int> source(in), out(items);
  run(program, "rows", {{items}}, source, out, width, rounds, factor);
  const std::vector<cl_int> result = out.read();
  for (size_t item = 0; item < items; ++item) {
    const auto i = static_cast<cl_int>(item);
    cl_int sum = i % width * 1000 + i / width;
    for (cl_int k = 0; k < rounds; ++k)
      sum += in[static_cast<size_t>(i * factor + k)];
    if (result[item] != sum)
      return false;
  }
  return true;
}

/// Runs a kernel until the cache has its variant for the values of its arguments, then with others.
QUERN_CHILD(runUntilMadeForArguments) {
  const Program program = build(sourceWithConstants);
  const size_t before = filesIn(arguments[0]);
  while (filesIn(arguments[0]) < before + 2)
    if (!runRows(program, 100, 7, 3))
      return 1;
  for (int i = 0; i < 20; ++i)
    for (const auto& [width, rounds, factor] : {std::tuple<cl_int, cl_ushort, cl_long>(100, 7, 3),
                                                {-100, 7, 3},
                                                {100, 8, 3},
                                                {100, 7, 4},
                                                {7, 60, 0},
                                                {1, 0, 1}})
      if (!runRows(program, width, rounds, factor))
        return 2;
  return 0;
}

QUERN_CHILD(runOnceWithArguments) {
  const Program program = build(sourceWithConstants);
  return runRows(program, 100, 7, 3) && runRows(program, 99, 7, 3) ? 0 : 1;
}

TEST(Variants, forArgumentsAreMadeWhenTheseStayTheSame) {
  // Only code for CPUs is compiled twice.
  QUERN_NEEDS("CL_DEVICE_TYPE CL_DEVICE_TYPE_CPU");
  TemporaryFolder folder;
  ChildRequest request{"runUntilMadeForArguments",
                       {folder.path()},
                       {{"QUERN_VARIANTS", "auto"},
                        {"QUERN_LOG", "info"},
                        {"QUERN_CACHE", "on"},
                        {"QUERN_CACHE_DIR", folder.path()}}};
  const std::string values = ", and 100 as argument 2, and 7 as argument 3, and 3 as argument 4";
  const ChildResult first = runChild(request);
  EXPECT_EQ(first.exitCode, 0) << first;
  EXPECT_EQ(countOf(first.errors, values), 1u) << first;
  EXPECT_EQ(countOf(first.errors, "as argument 2"), 1u) << first;
  request.name = "runOnceWithArguments";
  const ChildResult second = runChild(request);
  EXPECT_EQ(second.exitCode, 0) << second;
  EXPECT_EQ(countOf(second.errors, "'rows' has code from the cache"), 2u) << second;
  EXPECT_EQ(countOf(second.errors, values), 1u) << second;
}

QUERN_CHILD(runWithManyArguments) {
  const Program program = build(sourceWithConstants);
  for (int i = 0; i < 400; ++i)
    if (!runRows(program, 100 + i, 7, i % 4))
      return 1;
  return 0;
}

TEST(Variants, forArgumentsThatKeepChangingAreNotMade) {
  // Only code for CPUs is compiled twice.
  QUERN_NEEDS("CL_DEVICE_TYPE CL_DEVICE_TYPE_CPU");
  for (const auto& [variants, count] : {std::pair("auto", 0u), std::pair("now", 2u)}) {
    SCOPED_TRACE(variants);
    const ChildResult result =
        runChild({"runWithManyArguments",
                  {},
                  {{"QUERN_VARIANTS", variants}, {"QUERN_LOG", "info"}, {"QUERN_CACHE", "off"}}});
    EXPECT_EQ(result.exitCode, 0) << result;
    EXPECT_EQ(countOf(result.errors, "as argument 2"), count) << result;
  }
}

/// Releases everything while a kernel is compiled again, and ends.
QUERN_CHILD(releaseWhileCompiling) {
  for (int i = 0; i < 20; ++i)
    if (!runSums(build(variantsSource, "-D N=" + std::to_string(i)), 4096, 64, 200))
      return 1;
  return 0;
}

TEST(Variants, mayBeInTheMakingWhenProgramAndProcessEnd) {
  const ChildResult result =
      runChild({"releaseWhileCompiling", {}, {{"QUERN_VARIANTS", "auto"}, {"QUERN_CACHE", "off"}}});
  EXPECT_EQ(result.exitCode, 0) << result;
}

} // namespace
} // namespace quern::tests
