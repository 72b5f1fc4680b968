#pragma once

namespace quern::cuda {

/// Whether a tool of NVIDIA's watches the process, which then has put its library in the place that
/// NVTX names (NVTX_INJECTION64_PATH), and NVTX itself can be loaded.
bool nvtxIsOn();

/// While it lives, what the calling thread gives to the GPU belongs to a range of NVIDIA's tools.
class NvtxRange {
public:
  /// Does nothing where `name` is null.
  explicit NvtxRange(const char* name);
  ~NvtxRange();
  NvtxRange(const NvtxRange&) = delete;
  NvtxRange& operator=(const NvtxRange&) = delete;

private:
  const bool isOpen_;
};

} // namespace quern::cuda
