#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "devices/cuda/gpu.h"

namespace quern::cuda {

/// Memory of one GPU, or of the host and pinned, that all GPUs reach, from a pool of the driver's:
/// to take some or to give it back takes a microsecond or two and, other than the driver's older
/// functions, waits for nothing that the GPU does. Where the driver has no pools, those functions
/// are called. Lives as long as the process. Thread-safe; the GPU is open and its context current.
class MemoryPool {
public:
  enum class Where : bool { Device, Host };

  MemoryPool(const Gpu& gpu, Where where) : gpu_(gpu), where_(where) {}

  /// Memory that can be used at once, by any queue. What the pool holds unused goes back to the
  /// system before the answer is that there is not enough.
  Error take(Address& address, uint64_t bytes);
  /// No command uses the memory any more.
  void giveBack(Address address, uint64_t bytes);

  /// What the pool holds unused goes back to the system.
  void returnUnused();

  const Gpu& gpu() const { return gpu_; }
  Where where() const { return where_; }

private:
  void open();
  Error takeFromDriver(Address& address, uint64_t bytes) const;
  void returnToSystem(uint64_t keptBytes);
  uint64_t askPool(PoolAttribute attribute) const;

  const Gpu& gpu_;
  const Where where_;
  std::once_flag opened_;
  PoolHandle pool_ = nullptr;     ///< null where the driver has none
  StreamHandle stream_ = nullptr; ///< orders what the pool does; no command is ever on it
  uint64_t mostUnused_ = 0;       ///< bytes that the pool may hold for later
  /// Bytes given back since it was last seen how much the pool holds.
  std::atomic<uint64_t> givenBack_{0};
};

} // namespace quern::cuda
