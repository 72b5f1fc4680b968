#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "devices/united/plan.h"

namespace quern::united {

class UnitedQueue;

/// One run of a command: its pieces of work one after the other, each as parts that members run at
/// the same time. Deletes itself when the command has ended.
class CommandRun final : public Ordered {
public:
  /// Starts now, or when what it must wait for has ended.
  static void start(UnitedQueue& queue, device::Command& command);

private:
  class Part;

  CommandRun(UnitedQueue& queue, device::Command& command);
  void mayStart() override;
  size_t pieces() const;
  const device::Work& piece(size_t index) const;

  void runNext();
  void runPiece();
  void issue(Plan plan);
  void partStarted(uint64_t time);
  void partEnded(cl_int status, uint64_t time);
  void pieceEnded();
  void end();

  const Ref<UnitedQueue> queue_;
  device::Command& command_;
  size_t next_ = 0; ///< piece of work
  Plan plan_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::atomic<size_t> left_{0}; ///< parts, and who issues them
  std::atomic<cl_int> status_{CL_COMPLETE};
  std::atomic<bool> isStarted_{false};
  std::atomic<uint64_t> ended_{0};
};

} // namespace quern::united
