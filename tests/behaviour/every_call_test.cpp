// Every function of the dispatch table with random arguments, valid and invalid, in random order:
// an error code or success, and no crash, hang or report of a sanitizer. What calls have made is
// used by later ones for some time, and given up in another order. What a program must not do by
// the specification is left out: to drop the last reference of what it uses, and to wait for what
// nobody ends.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "behaviour/random_arguments.h"
#include "kernels/child_process.h"
#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

struct RandomCall {
  const char* name;
  std::function<void(RandomArguments&)> call;
};

/// Drops what a call has made: each function's kind of result.
void drop(const cl_icd_dispatch& functions, cl_context object) {
  functions.clReleaseContext(object);
}
void drop(const cl_icd_dispatch& functions, cl_command_queue object) {
  functions.clReleaseCommandQueue(object);
}
void drop(const cl_icd_dispatch& functions, cl_mem object) {
  functions.clReleaseMemObject(object);
}
void drop(const cl_icd_dispatch& functions, cl_program object) {
  functions.clReleaseProgram(object);
}
void drop(const cl_icd_dispatch& functions, cl_kernel object) {
  functions.clReleaseKernel(object);
}
void drop(const cl_icd_dispatch& functions, cl_event object) {
  functions.clReleaseEvent(object);
}
void drop(const cl_icd_dispatch& functions, cl_sampler object) {
  functions.clReleaseSampler(object);
}

/// Of what a function has returned: objects take part in later calls.
template <typename Result>
void keep(const cl_icd_dispatch& functions, RandomArguments& random, Result result) {
  if constexpr (requires { drop(functions, result); }) {
    // Commands may wait for a user event. Others refuse.
    if constexpr (std::is_same_v<Result, cl_event>)
      functions.clSetUserEventStatus(result, CL_COMPLETE);
    if (const Result old = random.exchange(result); old)
      drop(functions, old);
  }
}

template <typename Result, typename... Args>
RandomCall randomCall(const cl_icd_dispatch& functions, const char* name,
                      Result(CL_API_CALL* function)(Args...)) {
  return {name, [&functions, function](RandomArguments& random) {
            if constexpr (std::is_void_v<Result>)
              function(random.make<Args>()...);
            else if (const Result result = function(random.make<Args>()...); result)
              keep(functions, random, result);
          }};
}

std::vector<RandomCall> allCalls(const cl_icd_dispatch& functions) {
  std::vector<RandomCall> calls;
#define QUERN_RANDOM_CALL(name)                                                                    \
  if (functions.name)                                                                              \
    calls.push_back(randomCall(functions, #name, functions.name));
#include "behaviour/every_call.def"
#undef QUERN_RANDOM_CALL
  return calls;
}

/// What is offered beside null and nonsense: one object of each kind that the device has.
void offerObjects(RandomArguments& random, const cl_icd_dispatch& functions) {
  const Device& device = Device::get();
  random.offer(device.platform);
  random.offer(device.id);
  random.offer(device.context);
  random.offer(device.queue);
  random.offer(functions.clCreateBuffer(device.context, 0, 4096, nullptr, nullptr));
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  cl_image_desc shape = {};
  shape.image_type = CL_MEM_OBJECT_IMAGE2D;
  shape.image_width = shape.image_height = 16;
  random.offer(functions.clCreateImage(device.context, 0, &format, &shape, nullptr, nullptr));
  random.offer(functions.clCreateSampler(device.context, CL_TRUE, CL_ADDRESS_CLAMP,
                                         CL_FILTER_NEAREST, nullptr));
  const cl_event event = functions.clCreateUserEvent(device.context, nullptr);
  functions.clSetUserEventStatus(event, CL_COMPLETE);
  random.offer(event);
  // Its pointer may become null.
  const char* source = "kernel void k(global int* out, int x) { if (out) out[0] = x; }";
  const cl_program program =
      functions.clCreateProgramWithSource(device.context, 1, &source, nullptr, nullptr);
  functions.clBuildProgram(program, 1, &device.id, nullptr, nullptr, nullptr);
  random.offer(program);
  random.offer(functions.clCreateKernel(program, "k", nullptr));
}

QUERN_CHILD(callEverythingAtRandom) {
  const auto& functions = **reinterpret_cast<cl_icd_dispatch* const*>(Device::get().platform);
  const std::vector<RandomCall> calls = allCalls(functions);
  const uint64_t count = std::stoull(arguments[0]), seed = std::stoull(arguments[1]);
  // What went wrong can be found again: the last line names it.
  const bool tells = std::getenv("QUERN_TEST_TELL") != nullptr;
  RandomArguments random(seed);
  offerObjects(random, functions);
  for (uint64_t i = 0; i < count; ++i) {
    const RandomCall& next = calls[random.below(calls.size())];
    if (tells)
      std::fprintf(stderr, "%llu %s\n", static_cast<unsigned long long>(i), next.name);
    next.call(random);
    if (const cl_event event = random.takeEvent(); event)
      keep(functions, random, event);
  }
  check(clFinish(Device::get().queue), "clFinish");
  std::printf("%zu functions", calls.size());
  return 0;
}

class EveryCall : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryCall, withRandomArgumentsDoesNoHarm) {
  const char* chosen = std::getenv("QUERN_TEST_CALLS");
  const std::string calls = chosen ? chosen : "20000";
  for (const char* seed : {"1", "2", "3"}) {
    const ChildResult result =
        runChild({"callEverythingAtRandom",
                  {calls, seed},
                  {{"QUERN_DEVICES", GetParam()}, {"LD_LIBRARY_PATH", QUERN_STAND_IN_DRIVER}},
                  std::chrono::seconds(chosen ? 7200 : 90),
                  /*mayLeak=*/true});
    EXPECT_EQ(result.exitCode, 0) << "seed " << seed << ": " << result;
    EXPECT_NE(result.output.find(" functions"), std::string::npos) << result;
  }
}

INSTANTIATE_TEST_SUITE_P(, EveryCall, ::testing::Values("cpu", "null", "cuda"),
                         [](const auto& info) { return std::string(info.param); });

} // namespace
} // namespace quern::tests
