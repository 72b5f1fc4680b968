#include "devices/cuda/executable.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "abi/nvptx_kernel.h"
#include "base/round_up.h"
#include "base/sentence.h"
#include "devices/cuda/grid.h"
#include "devices/cuda/local_size.h"

namespace quern::cuda {

namespace {

/// Of a work-item, on every GPU so far.
constexpr uint64_t maxPrivateBytes = 512 << 10;
/// Of a work-group, without asking for more.
constexpr uint64_t grantedLocalBytes = 48 << 10;

/// The list of parameters as the kernel reads it: a copy of the arguments with offsets in place of
/// the sizes of local arguments, and where the launch description goes.
class Parameters {
public:
  Parameters(const abi::KernelDescription& kernel, const device::ArgumentBlock& arguments)
      : launchOffset_(roundUp(kernel.argumentBlockBytes, alignof(abi::NvptxLaunch))),
        bytes_(kept()), localBytes_(kernel.localBytes) {
    bytes_.resize(launchOffset_ + sizeof(abi::NvptxLaunch));
    if (arguments.size() != 0)
      std::memcpy(bytes_.data(), arguments.data(), arguments.size());
    for (const abi::KernelArgument& argument : kernel.arguments)
      if (argument.kind == abi::ArgumentKind::Local)
        place(argument);
  }

  void setLaunch(const abi::NvptxLaunch& launch) {
    std::memcpy(bytes_.data() + launchOffset_, &launch, sizeof(launch));
  }
  void* data() { return bytes_.data(); }
  size_t bytes() const { return bytes_.size(); }
  uint64_t localBytes() const { return localBytes_; }

private:
  void place(const abi::KernelArgument& argument) {
    uint64_t bytes;
    std::memcpy(&bytes, bytes_.data() + argument.offset, sizeof(bytes));
    localBytes_ = roundUp(localBytes_, argument.alignment);
    std::memcpy(bytes_.data() + argument.offset, &localBytes_, sizeof(localBytes_));
    localBytes_ += bytes;
  }

  /// From one launch to the next, for its memory.
  static std::vector<std::byte>& kept() {
    thread_local std::vector<std::byte> bytes;
    return bytes;
  }

  const uint64_t launchOffset_;
  std::vector<std::byte>& bytes_;
  uint64_t localBytes_; ///< the kernel's own variables come first
};

abi::NvptxLaunch describe(const device::NdRange& range, const Grid& grid, Address printBuffer) {
  abi::NvptxLaunch launch = {.printBuffer = printBuffer, .workDim = range.workDim};
  for (size_t i = 0; i < 3; ++i) {
    launch.globalOffset[i] = range.offset[i];
    launch.globalSize[i] = range.global[i];
    launch.groupCount[i] = grid.allGroups[i];
    launch.localSize[i] = range.local[i];
    launch.firstGroup[i] = grid.firstGroup[i];
    launch.firstItem[i] = range.offset[i] + grid.firstGroup[i] * range.local[i];
  }
  return launch;
}

} // namespace

Result<Ref<device::Executable>> Executable::load(const std::shared_ptr<Gpu>& gpu,
                                                 const abi::ProgramImage& image) {
  const CurrentContext current(*gpu);
  std::array<char, 4096> log = {};
  JitOption options[] = {JitOption::ErrorLogBuffer, JitOption::ErrorLogBufferSizeBytes};
  void* values[] = {log.data(), reinterpret_cast<void*>(log.size() - 1)};
  ModuleHandle module = nullptr;
  const Error error =
      gpu->api.moduleLoadDataEx(&module, image.code.data(), std::size(options), options, values);
  QUERN_TRY(gpu->check(error,
                       sentence("the GPU's driver cannot load the program (", log.data(), ")"),
                       CL_INVALID_BINARY));
  auto executable = makeRef<Executable>(gpu, module);
  for (const abi::KernelDescription& description : image.kernels)
    QUERN_TRY(executable->addKernel(description));
  return Ref<device::Executable>(std::move(executable));
}

Status Executable::addKernel(const abi::KernelDescription& description) {
  Kernel kernel = {.description = description};
  QUERN_TRY(gpu_->check(
      gpu_->api.moduleGetFunction(&kernel.function, module_, description.entrySymbol.c_str()),
      sentence("the loaded program has no kernel '", description.name, "'"), CL_INVALID_BINARY));
  for (const auto& [value, which] :
       {std::pair{&kernel.maxItems, FunctionAttribute::MaxThreadsPerBlock},
        std::pair{&kernel.staticLocalBytes, FunctionAttribute::SharedSizeBytes},
        std::pair{&kernel.privateBytes, FunctionAttribute::LocalSizeBytes}}) {
    int attribute = 0;
    QUERN_TRY(gpu_->check(
        gpu_->api.funcGetAttribute(&attribute, which, kernel.function),
        sentence("the driver does not tell what the kernel '", description.name, "' needs"),
        CL_OUT_OF_RESOURCES));
    *value = static_cast<uint64_t>(attribute);
  }
  kernels_.push_back(std::move(kernel));
  return {};
}

Executable::~Executable() {
  const CurrentContext current(*gpu_);
  gpu_->api.moduleUnload(module_);
}

device::KernelLimits Executable::limits(uint32_t kernel) const {
  const Kernel& own = kernels_[kernel];
  return {.maxWorkGroupSize = own.maxItems,
          .preferredWorkGroupMultiple = warpItems,
          .localBytes = own.localBytes(),
          .privateBytes = own.privateBytes};
}

Status Executable::checkLaunch(uint32_t kernel, const device::NdRange&,
                               uint64_t localArgumentBytes) const {
  if (const uint64_t bytes = kernels_[kernel].privateBytes; bytes > maxPrivateBytes)
    return Status::error(CL_OUT_OF_RESOURCES,
                         sentence("a work-item of the kernel '", kernels_[kernel].description.name,
                                  "' needs ", bytes, " bytes of private memory; the device has ",
                                  maxPrivateBytes));
  const uint64_t bytes = kernels_[kernel].localBytes() + localArgumentBytes;
  const uint64_t limit = gpu_->localMemBytes;
  if (bytes <= limit && bytes >= localArgumentBytes)
    return {};
  return Status::error(CL_OUT_OF_RESOURCES,
                       sentence("a work-group of the kernel '", kernels_[kernel].description.name,
                                "' needs ", bytes, " bytes of local memory; the device has ",
                                limit));
}

std::array<uint64_t, 3> Executable::suggestLocalSize(uint32_t kernel, const device::NdRange& range,
                                                     bool mayBeNonUniform) const {
  return chooseLocalSize(range, kernels_[kernel].description.workGroupSizeHint,
                         kernels_[kernel].maxItems, mayBeNonUniform);
}

/// Without a call of the driver where every launch may have so many.
Error Executable::allowDynamicBytes(const Kernel& kernel, uint64_t bytes) const {
  if (kernel.staticLocalBytes + bytes <= grantedLocalBytes)
    return Error::Success;
  // All that there is: another thread may launch the same kernel with more.
  return gpu_->api.funcSetAttribute(
      kernel.function, FunctionAttribute::MaxDynamicSharedSizeBytes,
      static_cast<int>(gpu_->localMemBytes - kernel.staticLocalBytes));
}

template <typename Launch>
Error Executable::forEachGridOf(const device::LaunchKernel& launch, Address printBuffer,
                                Launch&& onGrid) const {
  const Kernel& kernel = kernels_[launch.kernel];
  Parameters parameters(kernel.description, launch.arguments);
  if (const Error error = allowDynamicBytes(kernel, parameters.localBytes());
      error != Error::Success)
    return error;
  size_t bytes = parameters.bytes();
  void* extra[] = {launchParamBufferPointer, parameters.data(), launchParamBufferSize, &bytes,
                   launchParamEnd};
  return forEachGrid(launch.range, launch.groups, [&](Grid grid) {
    parameters.setLaunch(describe(launch.range, grid, printBuffer));
    if (kernel.description.isBlock)
      grid.local = {grid.local[0] * grid.local[1] * grid.local[2], 1, 1};
    return onGrid(kernel, grid, static_cast<unsigned>(parameters.localBytes()), extra);
  });
}

Error Executable::enqueue(const device::LaunchKernel& launch, StreamHandle stream,
                          Address printBuffer, Start start) const {
  return forEachGridOf(
      launch, printBuffer,
      [&](const Kernel& kernel, const Grid& grid, unsigned localBytes, void** extra) {
        const auto& groups = grid.groups;
        const auto& local = grid.local;
        if (start == Start::Late || !kernel.description.startsEarly || !gpu_->api.launchKernelEx)
          return gpu_->api.launchKernel(kernel.function, groups[0], groups[1], groups[2], local[0],
                                        local[1], local[2], localBytes, stream, nullptr, extra);
        const LaunchConfiguration configuration = {groups[0],    groups[1], groups[2],  local[0],
                                                   local[1],     local[2],  localBytes, stream,
                                                   &startsEarly, 1};
        return gpu_->api.launchKernelEx(&configuration, kernel.function, nullptr, extra);
      });
}

Error Executable::replace(const device::LaunchKernel& launch, GraphExecHandle graph,
                          GraphNodeHandle node) const {
  return forEachGridOf(
      launch, /*printBuffer=*/0,
      [&](const Kernel& kernel, const Grid& grid, unsigned localBytes, void** extra) {
        const KernelNode changed = {.function = kernel.function,
                                    .gridX = grid.groups[0],
                                    .gridY = grid.groups[1],
                                    .gridZ = grid.groups[2],
                                    .blockX = grid.local[0],
                                    .blockY = grid.local[1],
                                    .blockZ = grid.local[2],
                                    .sharedBytes = localBytes,
                                    .arguments = nullptr,
                                    .extra = extra};
        return gpu_->api.graphExecKernelNodeSetParams(graph, node, &changed);
      });
}

} // namespace quern::cuda
