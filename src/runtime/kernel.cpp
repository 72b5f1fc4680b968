#include "runtime/kernel.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "abi/checked_launch.h"
#include "base/config.h"
#include "base/sentence.h"
#include "runtime/callback_thread.h"
#include "runtime/image.h"
#include "runtime/process.h"

namespace quern::runtime {

namespace {

/// The argument block of a kernel on a device of another kind, whose arguments may be at other
/// places.
Bytes moveArguments(const device::ArgumentBlock& block, const abi::KernelDescription& from,
                    const abi::KernelDescription& to) {
  Bytes moved(to.argumentBlockBytes);
  for (size_t i = 0; i < from.arguments.size(); ++i)
    std::memcpy(moved.data() + to.arguments[i].offset, block.data() + from.arguments[i].offset,
                from.arguments[i].bytes);
  return moved;
}

/// What a kernel may do with a memory object, as far as the host knows.
Access accessOf(const abi::KernelArgument& argument, const MemoryObject& memory) {
  // Who reads packets takes them out.
  if (argument.kind == abi::ArgumentKind::Pipe)
    return Access::ReadWrite;
  const bool onlyReads = argument.kind == abi::ArgumentKind::Constant ||
                         argument.accessQualifier == CL_KERNEL_ARG_ACCESS_READ_ONLY ||
                         (memory.flags() & CL_MEM_READ_ONLY);
  return onlyReads ? Access::Read : Access::ReadWrite;
}

/// Where the buffers of a launch are.
class Extents {
public:
  void add(const abi::KernelArgument& argument, uint64_t address, uint64_t bytes) {
    if (argument.kind == abi::ArgumentKind::Image || count_ == list_.size())
      isKnown_ = false;
    else
      list_[count_++] = {address, address + bytes};
  }

  /// False for images, whose memory may be that of a buffer, and where there are too many buffers
  /// to compare, or none to tell apart.
  bool areDisjoint() const {
    for (size_t i = 0; i < count_; ++i)
      for (size_t j = 0; j < i; ++j)
        if (list_[i].begin < list_[j].end && list_[j].begin < list_[i].end)
          return false;
    return isKnown_ && count_ > 1;
  }

private:
  struct Extent {
    uint64_t begin, end;
  };
  std::array<Extent, 16> list_;
  size_t count_ = 0;
  bool isKnown_ = true;
};

/// Whether kernels for `device` have checks, in this process: a pointer tells others nothing.
bool hasChecks(const Device& device) {
  static const bool areWanted = config().get(Option::Check) != "off";
  return areWanted && device.caps().hostUnifiedMemory &&
         device.caps().target.description.find(";checks=") != std::string::npos;
}

/// Puts what the checks in the kernel are told behind its arguments (abi/checked_launch.h).
void tellChecks(device::ArgumentBlock& block, uint64_t argumentBlockBytes, Context& context,
                std::span<const abi::MemoryExtent> extents) {
  const abi::CheckedArguments checked = {
      .report =
          [](void* receiver, std::string_view sentence) {
            // The command that runs keeps the context.
            Process::current().callbacks().post(
                [context = Ref<Context>(static_cast<Context*>(receiver)),
                 text = std::string(sentence)] { context->notify(text); });
          },
      .receiver = &context,
      .extentCount = extents.size()};
  Bytes bytes(block.data(), block.data() + block.size());
  bytes.resize(abi::checkedArgumentsOffset(argumentBlockBytes));
  const auto append = [&bytes](const void* data, size_t size) {
    const auto* begin = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), begin, begin + size);
  };
  append(&checked, sizeof(checked));
  append(extents.data(), extents.size_bytes());
  block.assign(bytes);
}

/// The object of `anchor` where that is among `kept`; null otherwise.
const MemoryObject* find(const WeakAnchor<MemoryObject>& anchor, const CommandUses& kept) {
  for (size_t i = 0; i < kept.size(); ++i)
    if (const MemoryObject* const object = anchor.lockIfSame(*kept[i].object))
      return object;
  return nullptr;
}

/// What a local argument counts for at most: more than any device has, and too little for the sum
/// over all arguments of a kernel to overflow.
constexpr uint64_t mostLocalBytes = uint64_t{1} << 48;

/// Counts the changes of all kernels' arguments.
std::atomic<uint64_t> lastVersion{0};

bool isMemory(const abi::KernelArgument& argument) {
  return argument.kind == abi::ArgumentKind::Global ||
         argument.kind == abi::ArgumentKind::Constant ||
         argument.kind == abi::ArgumentKind::Image || argument.kind == abi::ArgumentKind::Pipe;
}

} // namespace

Result<Ref<Kernel>> Kernel::create(Program& program, const std::string& name) {
  QUERN_ASSIGN(std::vector<KernelPlace> places, program.attachKernel(name));
  return makeRef<Kernel>(program, std::move(places));
}

Kernel::Kernel(Program& program, std::vector<KernelPlace> places)
    : Object(ObjectKind::Kernel), program_(&program), places_(std::move(places)),
      unsetArguments_(description().arguments.size()), version_(++lastVersion) {
  const abi::KernelDescription& kernel = description();
  for (uint32_t i = 0; i < kernel.arguments.size(); ++i)
    if (isMemory(kernel.arguments[i]))
      memoryArguments_.push_back(i);
  auto arguments = arguments_.lock();
  arguments->block.resize(kernel.argumentBlockBytes);
  arguments->list.resize(kernel.arguments.size());
}

Kernel::~Kernel() {
  program_->detachKernel();
}

Result<Ref<Kernel>> Kernel::clone() const {
  QUERN_ASSIGN(Ref<Kernel> copy, create(*program_, description().name));
  Arguments values = *arguments_.lock();
  copy->unsetArguments_ =
      static_cast<size_t>(std::ranges::count(values.list, false, &Argument::isSet));
  *copy->arguments_.lock() = std::move(values);
  return copy;
}

const KernelPlace* Kernel::placeOn(const Device& device) const {
  for (const Device* candidate = &device; candidate; candidate = candidate->parent())
    for (const KernelPlace& place : places_)
      if (&place.code->device() == candidate)
        return &place;
  return nullptr;
}

Result<const KernelOnDevice*> Kernel::on(const Device& device) const {
  const KernelPlace* const place = placeOn(device);
  return place ? place->code->kernel(place->index) : nullptr;
}

void Kernel::changeVersion() {
  version_.store(++lastVersion, std::memory_order_release);
}

void Kernel::markSet(Argument& argument) {
  if (!argument.isSet)
    --unsetArguments_;
  argument.isSet = true;
  changeVersion();
}

void Kernel::setValue(uint32_t index, const void* data) {
  auto arguments = arguments_.lock();
  std::memcpy(arguments->block.data() + argument(index).offset, data, argument(index).bytes);
  markSet(arguments->list[index]);
}

void Kernel::setMemory(uint32_t index, MemoryObject* memory) {
  // The address of a memory object is written by `snapshot`.
  constexpr uint64_t nullPointer = 0;
  Ref<WeakAnchor<MemoryObject>> anchor = memory ? memory->anchor() : nullptr;
  auto arguments = arguments_.lock();
  Argument& own = arguments->list[index];
  std::memcpy(arguments->block.data() + argument(index).offset, &nullPointer, sizeof(nullPointer));
  std::swap(own.memory, anchor);
  own.pointer = nullptr;
  markSet(own);
}

void Kernel::setPointer(uint32_t index, const void* pointer, Pointer kind) {
  Ref<WeakAnchor<MemoryObject>> before;
  const auto address = reinterpret_cast<uint64_t>(pointer);
  auto arguments = arguments_.lock();
  Argument& own = arguments->list[index];
  std::memcpy(arguments->block.data() + argument(index).offset, &address, sizeof(address));
  std::swap(own.memory, before);
  own.pointer = pointer;
  own.pointerKind = kind;
  markSet(own);
}

void Kernel::setPointers(PointerList list, std::vector<const void*> pointers) {
  auto arguments = arguments_.lock();
  changeVersion();
  std::swap(arguments->pointers[static_cast<size_t>(list)], pointers);
}

void Kernel::setIndirectAccess(UnifiedAllocation::Kind kind, bool isAllowed) {
  auto arguments = arguments_.lock();
  changeVersion();
  arguments->indirectAccess[static_cast<size_t>(kind)] = isAllowed;
}

void Kernel::setLocalBytes(uint32_t index, uint64_t bytes) {
  auto arguments = arguments_.lock();
  std::memcpy(arguments->block.data() + argument(index).offset, &bytes, sizeof(bytes));
  Argument& argument = arguments->list[index];
  const uint64_t counted = std::min(bytes, mostLocalBytes);
  arguments->localBytes += counted - std::exchange(argument.localBytes, counted);
  markSet(argument);
}

std::optional<uint32_t> Kernel::firstUnsetArgument() const {
  if (unsetArguments_ == 0)
    return std::nullopt;
  auto arguments = arguments_.lock();
  const auto unset = std::ranges::find(arguments->list, false, &Argument::isSet);
  if (unset == arguments->list.end())
    return std::nullopt;
  return static_cast<uint32_t>(unset - arguments->list.begin());
}

uint64_t Kernel::localArgumentBytes() const {
  return arguments_.lock()->localBytes;
}

template <typename Use>
Status Kernel::forEachMemory(const Arguments& arguments, const Device& device, Use&& use) const {
  const uint64_t alignment = device.caps().baseAddressAlignBits / 8;
  for (const uint32_t index : memoryArguments_) {
    if (!arguments.list[index].memory)
      continue;
    Ref<MemoryObject> object = arguments.list[index].memory->lock();
    if (!object)
      return Status::error(CL_INVALID_KERNEL_ARGS,
                           sentence("argument ", index, " of the kernel '", description().name,
                                    "' is a memory object that was deleted after it was set"));
    if (argument(index).kind == abi::ArgumentKind::Image) {
      const uint64_t handle = static_cast<Image&>(*object).handleOn(device);
      use(index, std::move(object), handle);
      continue;
    }
    if (object->origin() % alignment != 0)
      return Status::error(CL_MISALIGNED_SUB_BUFFER_OFFSET,
                           sentence("argument ", index, " of the kernel '", description().name,
                                    "' is a sub-buffer at offset ", object->origin(),
                                    ", which is not a multiple of ", alignment, " bytes"));
    const uint64_t address = object->addressOn(device);
    use(index, std::move(object), address);
  }
  return {};
}

Status Kernel::checkMemory(const Device& device) const {
  // The last reference to a memory object may be dropped here, under the lock.
  const CallbackThread::DeferringScope scope;
  return forEachMemory(*arguments_.lock(), device, [](uint32_t, Ref<MemoryObject>, uint64_t) {});
}

Result<Kernel::Snapshot> Kernel::snapshot(device::LaunchKernel& launch,
                                          RecordedCommand& command) const {
  const Device& device = command.device();
  // The last reference to a memory object may be dropped here, under the lock.
  const CallbackThread::DeferringScope scope;
  auto arguments = arguments_.lock();
  const bool usesPointers = hasPointers(*arguments);
  if (usesPointers)
    QUERN_TRY(checkPointers(*arguments, device));
  launch.arguments.assign(arguments->block);
  command.argumentsVersion = version_.load(std::memory_order_relaxed);
  Extents extents;
  std::vector<abi::MemoryExtent> told(hasChecks(device) ? arguments->list.size() : 0);
  QUERN_TRY(forEachMemory(
      *arguments, device, [&](uint32_t index, Ref<MemoryObject> memory, uint64_t address) {
        std::memcpy(launch.arguments.data() + argument(index).offset, &address, sizeof(address));
        extents.add(argument(index), address, memory->bytes());
        if (!told.empty() && argument(index).kind != abi::ArgumentKind::Image)
          told[index] = {address, memory->bytes(), (memory->flags() & CL_MEM_WRITE_ONLY) != 0,
                         (memory->flags() & CL_MEM_READ_ONLY) != 0};
        const Access access = accessOf(argument(index), *memory);
        command.use(std::move(memory), access);
      }));
  if (usesPointers)
    usePointers(*arguments, command);
  if (!told.empty()) [[unlikely]]
    for (const uint32_t index : memoryArguments_) {
      const void* const pointer = arguments->list[index].pointer;
      if (const Ref<UnifiedAllocation> allocation = context().unifiedMemory().find(pointer))
        told[index] = {reinterpret_cast<uint64_t>(pointer),
                       allocation->memory().bytes() - allocation->offsetOf(pointer)};
    }
  const abi::KernelDescription& there = placeOn(device)->description();
  if (&there != &description())
    launch.arguments.assign(moveArguments(launch.arguments, description(), there));
  if (!told.empty()) [[unlikely]]
    tellChecks(launch.arguments, there.argumentBlockBytes, context(), told);
  return Snapshot{arguments->localBytes, !usesPointers && extents.areDisjoint()};
}

std::optional<uint64_t> Kernel::snapshot(device::LaunchKernel& launch, const Device& device,
                                         const CommandUses& kept) const {
  const abi::KernelDescription& kernel = description();
  auto arguments = arguments_.lock();
  if (hasPointers(*arguments) || hasChecks(device) || &placeOn(device)->description() != &kernel)
    return std::nullopt;
  launch.arguments.assign(arguments->block);
  for (const uint32_t index : memoryArguments_) {
    const Ref<WeakAnchor<MemoryObject>>& anchor = arguments->list[index].memory;
    if (!anchor)
      continue;
    const MemoryObject* const object = find(*anchor, kept);
    if (!object || kernel.arguments[index].kind == abi::ArgumentKind::Image)
      return std::nullopt;
    const uint64_t address = object->addressOn(device);
    std::memcpy(launch.arguments.data() + kernel.arguments[index].offset, &address,
                sizeof(address));
  }
  return arguments->localBytes;
}

/// Of the devices of a context, not all may reach what clSetKernelArgSVMPointer and
/// clSetKernelArgMemPointerINTEL were given.
Status Kernel::checkPointers(const Arguments& arguments, const Device& device) const {
  const cl_device_svm_capabilities svm = device.caps().svm;
  const auto refused = [this](uint32_t index, const char* why) {
    return Status::error(CL_INVALID_OPERATION, sentence("argument ", index, " of the kernel '",
                                                        description().name, "' ", why));
  };
  for (const uint32_t index : memoryArguments_) {
    const void* const pointer = arguments.list[index].pointer;
    if (!pointer)
      continue;
    const bool mayBeAny = (svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) ||
                          arguments.list[index].pointerKind == Pointer::Any;
    if (svm == 0 && !mayBeAny)
      return refused(index, "is a pointer to shared virtual memory, which the device of the queue "
                            "does not have");
    const Ref<UnifiedAllocation> allocation = context().unifiedMemory().find(pointer);
    if (allocation && !allocation->isReachedBy(device))
      return refused(index, allocation->memory().hostPointer()
                                ? "points into memory that is not coarse-grain, and the device of "
                                  "the queue has no other shared virtual memory"
                                : "points into memory of another device than that of the queue");
    if (!allocation && !mayBeAny)
      return refused(index, "does not point into memory of clSVMAlloc, and the device of the queue "
                            "can use no other memory of the host");
  }
  return checkPointerLists(arguments, device);
}

Status Kernel::checkPointerLists(const Arguments& arguments, const Device& device) const {
  if (!device.caps().hasOwnSvm())
    return {};
  for (const void* const pointer : arguments.pointers[static_cast<size_t>(PointerList::Svm)])
    if (const Ref<UnifiedAllocation> allocation = context().unifiedMemory().find(pointer);
        allocation && !allocation->isReachedBy(device))
      return Status::error(CL_INVALID_OPERATION,
                           sentence("the kernel '", description().name,
                                    "' uses a pointer into memory that is not coarse-grain, and "
                                    "the device of the queue has no other shared virtual memory"));
  return {};
}

bool Kernel::hasPointers(const Arguments& arguments) const {
  return std::ranges::any_of(
             memoryArguments_,
             [&](uint32_t index) { return arguments.list[index].pointer != nullptr; }) ||
         !std::ranges::all_of(arguments.pointers, &std::vector<const void*>::empty) ||
         std::ranges::count(arguments.indirectAccess, true) != 0;
}

void Kernel::usePointers(const Arguments& arguments, RecordedCommand& command) const {
  const auto useKnown = [&](Ref<UnifiedAllocation> allocation, Access access) {
    const bool onlyReads = allocation->isReadOnly();
    command.use(std::move(allocation), onlyReads ? Access::Read : access);
  };
  const auto use = [&](const void* pointer, Access access) {
    if (Ref<UnifiedAllocation> allocation = context().unifiedMemory().find(pointer))
      useKnown(std::move(allocation), access);
    else if (Ref<MemoryObject> buffer = context().bufferAddresses().find(
                 command.device(), reinterpret_cast<uint64_t>(pointer)))
      command.use(std::move(buffer), Access::ReadWrite);
  };
  for (const uint32_t index : memoryArguments_)
    if (const void* const pointer = arguments.list[index].pointer)
      use(pointer,
          argument(index).kind == abi::ArgumentKind::Constant ? Access::Read : Access::ReadWrite);
  for (const std::vector<const void*>& list : arguments.pointers)
    for (const void* const pointer : list)
      use(pointer, Access::ReadWrite);
  if (arguments.indirectAccess[static_cast<size_t>(UnifiedAllocation::Kind::Svm)])
    for (Ref<UnifiedAllocation>& allocation : context().unifiedMemory().all())
      if (allocation->storage()) {
        useKnown(std::move(allocation), Access::ReadWrite);
        // There may be more of it at the next launch.
        command.argumentsVersion = 0;
      }
}

} // namespace quern::runtime
