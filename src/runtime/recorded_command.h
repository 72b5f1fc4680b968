#pragma once

#include <functional>
#include <memory>

#include <CL/cl.h>

#include "base/ref.h"
#include "device/command.h"
#include "runtime/command_uses.h"
#include "runtime/device.h"
#include "runtime/pooled.h"
#include "trace/records.h"

namespace quern::runtime {

class MemoryObject;
class UnifiedAllocation;
struct KernelOnDevice;

/// What the runtime itself does in place of a device when the command's turn has come.
struct HostWork {
  /// Returns the status that the command ends with.
  std::function<cl_int()> function;
  /// Has its argument called by the thread that the function belongs on; null where any will do.
  std::function<void(std::function<void()>)> post;
  /// In the place of `function`: begins what ends when it calls what it is given, once, with
  /// CL_COMPLETE or a negative code. Never blocks.
  using Done = std::function<void(cl_int status)>;
  std::function<void(const Done&)> begin;
};

/// What a command does and uses on one device, whenever and however often it runs. Filled by the
/// thread that records it (`work` or `hostWork`, `use`) and never changed afterwards: then it is a
/// `Recorded`, and any number of Executions may run it, one after the other or at the same time.
class RecordedCommand final : public RefCounted, public Pooled<RecordedCommand, 4096> {
public:
  /// `device` lives as long as the command.
  RecordedCommand(const Device& device, cl_command_type type)
      : RecordedCommand(device, type, isAboutHostCopy(type)) {}
  /// `isAboutHostCopy`: it needs the bytes of memory objects in the host's memory.
  RecordedCommand(const Device& device, cl_command_type type, bool isAboutHostCopy)
      : type_(type), isAboutHostCopy_(isAboutHostCopy), device_(device) {}

  /// Most commands run once and have one reference, so that nothing has to be counted.
  // NOLINTNEXTLINE(bugprone-derived-method-shadowing-base-method)
  void dropRef() const {
    if (hasOneRef())
      delete this;
    else
      RefCounted::dropRef();
  }

  cl_command_type type() const { return type_; }
  const Device& device() const { return device_; }
  const CommandUses& uses() const { return uses_; }
  /// Some of the bytes that it uses can be in several places, so that they may have to be brought.
  bool mayNeedBytes() const { return mayNeedBytes_; }
  /// Some must be in the host's memory, though the device works in memory of its own: commands
  /// that come before this one on the same device may be writing the bytes to bring.
  bool needsBytesInHost() const { return isAboutHostCopy_ && mayNeedBytes_; }

  /// Keeps `object` as long as the command.
  void use(Ref<RefCounted> object) { uses_.add(std::move(object)); }
  /// Does `access` to `bytes` of `memory`, counted from its first one, and keeps it.
  void use(Ref<MemoryObject> memory, Access access, ByteRange bytes);
  /// To all of it.
  void use(Ref<MemoryObject> memory, Access access);
  /// Likewise to memory that the program knows by a pointer.
  void use(Ref<UnifiedAllocation> memory, Access access, ByteRange bytes);
  void use(Ref<UnifiedAllocation> memory, Access access);
  /// Like another command of the device.
  void use(const CommandUse& use);

  /// Of a launch: tells its arguments from any others (Kernel::version). 0 otherwise.
  uint64_t argumentsVersion = 0;
  /// Of a launch whose kernel enqueues others: that kernel. Null otherwise.
  std::shared_ptr<const KernelOnDevice> enqueuer;
  /// Of what a kernel has enqueued whose program asks for times: the number of its event there. 0
  /// otherwise.
  uint64_t childEvent = 0;
  /// Of a launch, for the timeline; 0 where there is none.
  trace::Name kernelName = 0;
  uint32_t packetWidth = 0;
  /// In the place of `work`, or null.
  std::unique_ptr<const HostWork> hostWork;

private:
  /// Maps, and what hands external memory over.
  static bool isAboutHostCopy(cl_command_type type);
  void add(Ref<RefCounted> keep, Storage& storage, Access access, ByteRange bytes);

  const cl_command_type type_;
  const bool isAboutHostCopy_;
  bool mayNeedBytes_ = false;
  const Device& device_;
  CommandUses uses_;

public:
  device::Work work;
};

using Recorded = Ref<const RecordedCommand>;

} // namespace quern::runtime
