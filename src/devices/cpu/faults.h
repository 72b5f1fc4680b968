#pragma once

#include <array>
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <string_view>

#include <sys/types.h>

namespace quern::cpu {

/// What becomes of a fault of the processor in a kernel (option QUERN_FAULTS).
enum class FaultHandling : uint8_t {
  Off,     ///< the program's affair alone
  Report,  ///< a sentence on standard error, and then the program's affair
  Recover, ///< the sentence, and the launch ends with CL_OUT_OF_RESOURCES
};

/// The same in every call. Other than Off, handlers for SIGSEGV and SIGBUS are installed before the
/// first kernel runs; the ones that were there before run when a fault is not a kernel's.
FaultHandling faultHandling();

/// The kernel that a thread runs, for who handles its faults.
class FaultFrame {
public:
  /// What of the NDRange the thread runs, in work-items.
  struct Position {
    uint32_t dimensions = 1;
    std::array<uint64_t, 3> first = {}, last = {};
  };

  /// `kernel` stays alive. `deadline` on `now`, 0 for none.
  FaultFrame(std::string_view kernel, uint64_t deadline);
  ~FaultFrame();
  FaultFrame(const FaultFrame&) = delete;
  FaultFrame& operator=(const FaultFrame&) = delete;

  /// The thread is in the kernel's code between these two, or in an Outside. Where the kernel is
  /// given up, `sigsetjmp` of `back`, called just before `enter` with no object to destroy between,
  /// returns again.
  void enter(const Position& position) {
    position_ = position;
    isInside_ = 1;
  }
  void leave() { isInside_ = 0; }
  bool isOverdue() const { return isOverdue_.load(std::memory_order_relaxed); }

  sigjmp_buf& back() { return back_; }

  /// While it lives the thread is not in the kernel's code but in a function of ours that the
  /// kernel has called, and cannot be taken out of it. The first object of each such function.
  class Outside {
  public:
    Outside();
    ~Outside();
    Outside(const Outside&) = delete;
    Outside& operator=(const Outside&) = delete;

  private:
    FaultFrame* const frame_;
  };

private:
  friend struct FaultHandlers;
  friend class KernelWatch;

  const std::string_view kernel_;
  const uint64_t deadline_;
  const pid_t thread_;
  FaultFrame* const outer_;
  Position position_;
  volatile std::sig_atomic_t isInside_ = 0;
  std::atomic<bool> isOverdue_{false};
  sigjmp_buf back_;
};

} // namespace quern::cpu
