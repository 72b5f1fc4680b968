#pragma once

#include <memory>
#include <vector>

#include "device/device.h"
#include "devices/cuda/gpu.h"

namespace quern::cuda {

/// PTX or machine code, loaded.
class Executable final : public device::Executable {
public:
  /// Fails with CL_INVALID_BINARY when the driver cannot make code of `image`. `gpu` is open.
  static Result<Ref<device::Executable>> load(const std::shared_ptr<Gpu>& gpu,
                                              const abi::ProgramImage& image);
  Executable(std::shared_ptr<Gpu> gpu, ModuleHandle module)
      : gpu_(std::move(gpu)), module_(module) {}
  ~Executable() override;

  device::KernelLimits limits(uint32_t kernel) const override;
  Status checkLaunch(uint32_t kernel, const device::NdRange& range,
                     uint64_t localArgumentBytes) const override;
  std::array<uint64_t, 3> suggestLocalSize(uint32_t kernel, const device::NdRange& range,
                                           bool mayBeNonUniform) const override;

  const std::string& name(uint32_t kernel) const { return kernels_[kernel].description.name; }
  bool prints(uint32_t kernel) const { return kernels_[kernel].description.prints; }
  /// When the grids of a launch may start: also while a kernel before them in the stream still
  /// runs, where the kernel's code waits for that by itself, or never.
  enum class Start : bool { Late, Early };
  /// Enqueues the grids of a launch. The GPU's context is current. `printBuffer` is 0 for kernels
  /// that do not print.
  Error enqueue(const device::LaunchKernel& launch, StreamHandle stream, Address printBuffer,
                Start start = Start::Early) const;
  /// Lets `node` of a graph, which is one grid, launch the one grid of `launch` from now on.
  Error replace(const device::LaunchKernel& launch, GraphExecHandle graph,
                GraphNodeHandle node) const;

private:
  struct Kernel {
    abi::KernelDescription description;
    FunctionHandle function = nullptr;
    uint64_t maxItems = 0, privateBytes = 0;
    uint64_t staticLocalBytes = 0; ///< beside those at the start of the dynamic memory
    uint64_t localBytes() const { return staticLocalBytes + description.localBytes; }
  };
  Status addKernel(const abi::KernelDescription& description);
  Error allowDynamicBytes(const Kernel& kernel, uint64_t bytes) const;
  /// Calls `onGrid(kernel, grid, bytes of local memory, parameters)` for each grid of `launch`,
  /// until one fails. The parameters, as the driver takes them, are valid during the call.
  template <typename Launch>
  Error forEachGridOf(const device::LaunchKernel& launch, Address printBuffer,
                      Launch&& onGrid) const;

  const std::shared_ptr<Gpu> gpu_;
  const ModuleHandle module_;
  std::vector<Kernel> kernels_;
};

} // namespace quern::cuda
