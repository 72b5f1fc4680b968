#pragma once

#include <array>
#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/mutex_protected.h"
#include "base/ref.h"
#include "base/result.h"
#include "base/weak_anchor.h"
#include "runtime/memory.h"
#include "runtime/object.h"
#include "runtime/program.h"
#include "runtime/recorded_command.h"

namespace quern::runtime {

/// A kernel function and the values of its arguments. Setting arguments, enqueueing and cloning may
/// happen on several threads at once: each enqueue sees every argument as it was before or after a
/// concurrent change.
///
/// Buffers and images set as arguments are not kept alive (OpenCL 3.0, clSetKernelArg); one that is
/// gone at enqueue is an error there.
class Kernel final : public Object {
public:
  /// Fails as Program::attachKernel does.
  static Result<Ref<Kernel>> create(Program& program, const std::string& name);
  /// A kernel of its own with the same argument values.
  Result<Ref<Kernel>> clone() const;

  Program& program() const { return *program_; }
  Context& context() const { return program_->context(); }
  const Context* owningContext() const override { return &context(); }
  /// The same for all devices, without what only the kernel's code tells.
  const abi::KernelDescription& description() const { return places_.front().description(); }
  /// The kernel on `device` or, where the program was built only for a parent of it, on that; null
  /// when there is none. May take as long as a build, and fails as ProgramCode::kernel does.
  Result<const KernelOnDevice*> on(const Device& device) const;

  /// `data` has the argument's size.
  void setValue(uint32_t index, const void* data);
  /// A buffer, an image or a pipe, as the argument says. Null makes an argument that is a pointer a
  /// null pointer.
  void setMemory(uint32_t index, MemoryObject* memory);
  /// Whether a pointer must be to memory that the runtime knows (UnifiedMemory), or null, on
  /// devices that reach no other memory of the host.
  /// Any may be the address of a buffer on a device, too.
  enum class Pointer : bool { Known, Any };
  void setPointer(uint32_t index, const void* pointer, Pointer kind);
  void setLocalBytes(uint32_t index, uint64_t bytes);

  /// Changes whenever an argument may have; no two kernels ever have the same.
  uint64_t version() const { return version_.load(std::memory_order_acquire); }

  /// Memory that launches use besides that of the arguments; replaces what was given before for
  /// `list`.
  enum class PointerList : uint8_t { Svm, Intel, DeviceAddress };
  void setPointers(PointerList list, std::vector<const void*> pointers);
  /// Launches may also use any memory of `kind` that the runtime knows, or no longer do.
  void setIndirectAccess(UnifiedAllocation::Kind kind, bool isAllowed);

  /// The first argument that was never set.
  std::optional<uint32_t> firstUnsetArgument() const;
  /// Sum of what setLocalBytes was given.
  uint64_t localArgumentBytes() const;

  /// The local size that a device chose last, and for what: to choose one may take longer than all
  /// else that a launch does, and most launches have the size of the one before.
  struct LocalSizeChoice {
    const KernelOnDevice* place = nullptr;
    uint32_t workDim = 0;
    std::array<uint64_t, 3> global = {}, local = {};
  };
  MutexProtected<LocalSizeChoice>& lastLocalSize() const { return lastLocalSize_; }

  /// CL_MISALIGNED_SUB_BUFFER_OFFSET when an argument is a sub-buffer that `device` cannot address;
  /// CL_INVALID_KERNEL_ARGS when a buffer or image is gone.
  Status checkMemory(const Device& device) const;
  struct Snapshot {
    uint64_t localBytes = 0;     ///< of all local arguments
    bool disjointMemory = false; ///< abi::LaunchFacts
  };
  /// Puts the arguments as they are now, all of which are set, into `launch`, which is the work of
  /// `command`, and lets it use the buffers, images and shared virtual memory that they name. Fails
  /// as checkMemory does, and with CL_INVALID_OPERATION when the device cannot use a pointer that
  /// setPointer was given.
  Result<Snapshot> snapshot(device::LaunchKernel& launch, RecordedCommand& command) const;
  /// Likewise for a launch on `device` that may only use buffers and pipes of `kept`. Returns the
  /// bytes of all local arguments; nothing where it uses anything else.
  std::optional<uint64_t> snapshot(device::LaunchKernel& launch, const Device& device,
                                   const CommandUses& kept) const;

private:
  template <typename T, typename... Args> friend Ref<T> quern::makeRef(Args&&... args);

  struct Argument {
    bool isSet = false;
    uint64_t localBytes = 0; ///< as counted in the sum
    Ref<WeakAnchor<MemoryObject>>
        memory; ///< null for a null pointer and for what is neither a buffer nor an image
    const void* pointer = nullptr; ///< in `block` too; null when it was set otherwise
    Pointer pointerKind = Pointer::Known;
  };
  struct Arguments {
    /// As a launch needs it, but for the addresses of buffers and images.
    Bytes block;
    std::vector<Argument> list;
    uint64_t localBytes = 0;
    std::array<std::vector<const void*>, 3> pointers; ///< by PointerList
    std::array<bool, 4> indirectAccess = {};          ///< by UnifiedAllocation::Kind
  };

  Kernel(Program& program, std::vector<KernelPlace> places);
  ~Kernel() override;

  /// What `on` finds the code of.
  const KernelPlace* placeOn(const Device& device) const;
  const abi::KernelArgument& argument(uint32_t index) const {
    return description().arguments[index];
  }
  void markSet(Argument& argument);
  Status checkPointers(const Arguments& arguments, const Device& device) const;
  /// Likewise for what clSetKernelExecInfo was given.
  Status checkPointerLists(const Arguments& arguments, const Device& device) const;
  /// Whether launches use memory that the program knows by pointers.
  bool hasPointers(const Arguments& arguments) const;
  /// Lets `command` keep that.
  void usePointers(const Arguments& arguments, RecordedCommand& command) const;
  /// The arguments are going to change. Under the lock of `arguments_`.
  void changeVersion();
  /// Calls `use(index, object, its address on the device)` for each argument that is a buffer or
  /// image.
  template <typename Use>
  Status forEachMemory(const Arguments& arguments, const Device& device, Use&& use) const;

  const Ref<Program> program_;
  const std::vector<KernelPlace> places_;
  std::vector<uint32_t>
      memoryArguments_; ///< indices of the images, pipes and pointers to global and constant memory
  mutable MutexProtected<Arguments> arguments_;
  /// Changed under the lock of `arguments_`.
  std::atomic<size_t> unsetArguments_;
  std::atomic<uint64_t> version_; ///< likewise
  mutable MutexProtected<LocalSizeChoice> lastLocalSize_;
};

} // namespace quern::runtime
