// What launches cost in a command buffer (cl_khr_command_buffer), which is enqueued as one command.
// Kernels in CUDA C++ have CUDA graphs in its place (bench/cuda/replay.h).
#include "launches.h"

namespace quern::bench {
namespace {

/// The functions of the extension that are the same in all its versions.
class CommandBufferApi {
public:
  explicit CommandBufferApi(const cl::Device& device)
      : platform_(device.getInfo<CL_DEVICE_PLATFORM>()) {
    find(create, "clCreateCommandBufferKHR");
    find(release, "clReleaseCommandBufferKHR");
    find(finalize, "clFinalizeCommandBufferKHR");
    find(enqueue, "clEnqueueCommandBufferKHR");
    find(launch, "clCommandNDRangeKernelKHR");
  }

  clCreateCommandBufferKHR_fn create = nullptr;
  clReleaseCommandBufferKHR_fn release = nullptr;
  clFinalizeCommandBufferKHR_fn finalize = nullptr;
  clEnqueueCommandBufferKHR_fn enqueue = nullptr;
  clCommandNDRangeKernelKHR_fn launch = nullptr;

private:
  template <typename Function> void find(Function& function, const char* name) {
    function =
        reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform_, name));
    if (!function)
      throw NotOffered();
  }

  cl_platform_id platform_;
};

void check(cl_int code, const char* what) {
  if (code != CL_SUCCESS)
    throw cl::Error(code, what);
}

/// Launches, recorded one by one.
class Recording {
public:
  explicit Recording(Target& target) : api_(target.device()) {
    cl_command_queue queue = target.queue()();
    cl_int code = 0;
    buffer_ = api_.create(1, &queue, nullptr, &code);
    check(code, "clCreateCommandBufferKHR");
  }
  Recording(const Recording&) = delete;
  ~Recording() { api_.release(buffer_); }

  void launch(const std::shared_ptr<BoundKernel>& kernel, size_t items) {
    kernels_.push_back(kernel);
    check(api_.launch(buffer_, nullptr, nullptr, kernel->kernel()(), 1, nullptr, &items, &items, 0,
                      nullptr, nullptr, nullptr),
          "clCommandNDRangeKernelKHR");
  }
  void finalize() { check(api_.finalize(buffer_), "clFinalizeCommandBufferKHR"); }
  void run() {
    check(api_.enqueue(0, nullptr, buffer_, 0, nullptr, nullptr), "clEnqueueCommandBufferKHR");
  }

private:
  CommandBufferApi api_;
  std::vector<std::shared_ptr<BoundKernel>> kernels_; ///< and their buffers, kept
  cl_command_buffer_khr buffer_;
};

class RecordedProblem final : public LaunchesProblem {
public:
  explicit RecordedProblem(size_t count)
      : LaunchesProblem(count, {"alike", "with other arguments"}) {}

private:
  std::function<void()> prepareRun(Target& target, const cl::Buffer& output,
                                   bool differs) const override {
    return target.compilesSources() ? recorded(target, output, differs)
                                    : launched(target, output, differs);
  }

  std::shared_ptr<BoundKernel> bind(Target& target, const cl::Buffer& output, bool differs,
                                    size_t number) const {
    auto kernel = makeKernel(target, output, differs);
    if (differs)
      kernel->set(1, static_cast<cl_uint>(number));
    return kernel;
  }

  std::function<void()> recorded(Target& target, const cl::Buffer& output, bool differs) const {
    auto recording = std::make_shared<Recording>(target);
    for (size_t i = 0; i < count(); ++i)
      recording->launch(bind(target, output, differs, i), items);
    recording->finalize();
    return [&target, recording] {
      recording->run();
      target.queue().finish();
    };
  }

  /// What a tuned queue of CUDA makes a graph of.
  std::function<void()> launched(Target& target, const cl::Buffer& output, bool differs) const {
    std::vector<std::shared_ptr<BoundKernel>> kernels;
    for (size_t i = 0; i < count(); ++i)
      kernels.push_back(bind(target, output, differs, i));
    return [&target, kernels] {
      for (const std::shared_ptr<BoundKernel>& kernel : kernels)
        kernel->launch(target, cl::NDRange(items), cl::NDRange(items));
      target.queue().finish();
    };
  }
};

} // namespace

std::unique_ptr<Problem> makeRecorded(size_t count) {
  return std::make_unique<RecordedProblem>(count);
}

} // namespace quern::bench
