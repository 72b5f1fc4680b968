#pragma once

#include <memory>
#include <vector>

#include "abi/child_records.h"
#include "base/ref.h"
#include "base/result.h"
#include "device/command.h"
#include "runtime/dependency.h"
#include "runtime/event.h"
#include "runtime/record_memory.h"

namespace quern::runtime {

class DeviceEnqueue;
class Execution;
struct KernelOnDevice;

/// One run of a kernel that enqueues others (OpenCL C 3.0, 6.15.18): gives it memory for its
/// records (abi/child_records.h) and, when it has ended, makes commands of them, whatever flags
/// they have: the specification lets no child wait for less. The kernel's own command ends when the
/// last of these has.
class ChildLaunches final : private DependencyNode {
public:
  /// For a run of `kernel` on `device` as `work` says. Null where there is no memory yet: then
  /// `waiting` is told when to ask again. Fails with CL_MEM_OBJECT_ALLOCATION_FAILURE.
  static Result<std::unique_ptr<ChildLaunches>>
  prepare(DeviceEnqueue& context, const Device& device, const KernelOnDevice& kernel,
          const device::Work& work, AwaitsMemory& waiting);
  ~ChildLaunches();

  /// What the device has to do: `work`, with the address of the memory.
  const device::Work& work() const { return work_; }
  /// The kernel of `parent` has ended. True when Execution::childrenEnded will be called, perhaps
  /// before this returns; false where there is nothing to wait for.
  bool begin(Execution& parent);

private:
  class TimesCapture;

  ChildLaunches(DeviceEnqueue& context, const Device& device, const KernelOnDevice& kernel,
                const device::Work& work, RecordMemory::Piece memory);
  void fillHead();
  void giveMemoryBack();
  void take(const abi::ChildRecord& record);
  void enqueue(const abi::ChildCommand& child);
  Result<Ref<Event>> tryEnqueue(const abi::ChildCommand& child);
  Status fill(RecordedCommand& command, const abi::ChildCommand& child) const;
  void setStatus(const abi::ChildRecord& record);
  void capture(const abi::ChildRecord& record);
  void ready(bool failed, Path path) override;

  DeviceEnqueue& context_;
  const Device& device_;
  const KernelOnDevice& kernel_;
  const bool areTimesAskedFor_; ///< by a kernel of the program: no other can know the events
  device::Work work_;
  RecordMemory::Piece memory_;
  Execution* parent_ = nullptr;
  cl_int status_ = CL_COMPLETE;
  std::vector<Ref<Event>> commands_;
  std::vector<std::unique_ptr<TimesCapture>> captures_;
};

} // namespace quern::runtime
