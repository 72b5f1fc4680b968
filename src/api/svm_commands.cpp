#include <bit>
#include <cstring>
#include <span>

#include "api/handle.h"
#include "api/invalid.h"
#include "api/svm.h"
#include "api/wait_list.h"
#include "runtime/callback_thread.h"
#include "runtime/command_queue.h"
#include "runtime/process.h"

namespace quern::api {

namespace {

using runtime::Access;
using runtime::CommandQueue;
using runtime::Context;
using runtime::Recorded;
using runtime::RecordedCommand;
using runtime::UnifiedAllocation;
using runtime::WaitList;

/// The queue of a command on shared virtual memory, which its device must have.
Status checkSvm(const CommandQueue& queue) {
  if (queue.device().caps().svm == 0)
    return Status::error(CL_INVALID_OPERATION,
                         "the device of the command-queue has no shared virtual memory");
  return {};
}

Result<CommandQueue*> svmQueue(cl_command_queue handle) {
  QUERN_ASSIGN(CommandQueue * queue, fromHandle<CommandQueue>(handle));
  QUERN_TRY(checkSvm(*queue));
  return queue;
}

void keep(const CommandQueue& queue, RecordedCommand& command, const void* pointer) {
  if (Ref<UnifiedAllocation> allocation = queue.context().unifiedMemory().find(pointer))
    command.use(Ref<RefCounted>(std::move(allocation)));
}

/// `command` does `access` to `bytes` at `pointer`, and keeps what is there.
void use(const CommandQueue& queue, RecordedCommand& command, const void* pointer, uint64_t bytes,
         Access access) {
  Ref<UnifiedAllocation> allocation = queue.context().unifiedMemory().find(pointer);
  if (!allocation)
    return;
  const uint64_t begin = allocation->offsetOf(pointer);
  command.use(std::move(allocation), access, {begin, begin + bytes});
}

/// CL_INVALID_VALUE for more bytes than there are, where there are copies of them.
Status checkExtent(const CommandQueue& queue, std::string_view name, const void* pointer,
                   uint64_t bytes) {
  const Ref<UnifiedAllocation> allocation = queue.context().unifiedMemory().find(pointer);
  if (!allocation || !allocation->storage())
    return {};
  const uint64_t available = allocation->memory().bytes() - allocation->offsetOf(pointer);
  if (bytes > available)
    return invalidValue(sentence(bytes, " bytes at ", name, " are more than the ", available,
                                 " bytes of shared virtual memory there"));
  return {};
}

/// CL_INVALID_OPERATION for memory of another device than that of the queue.
Result<device::Place> placeAt(const CommandQueue& queue, const void* pointer) {
  const Ref<UnifiedAllocation> allocation = queue.context().unifiedMemory().find(pointer);
  if (allocation && allocation->storage())
    return device::Place{.allocation = &allocation->storage()->allocationOn(queue.device()),
                         .offset = allocation->offsetOf(pointer)};
  // Devices see what the host sees at the same address.
  if (!allocation || allocation->memory().hostPointer())
    return device::Place{.host = static_cast<std::byte*>(const_cast<void*>(pointer))};
  if (!allocation->isReachedBy(queue.device()))
    return Status::error(CL_INVALID_OPERATION,
                         "a pointer is to memory of another device than that of the queue");
  return device::Place{.allocation = &allocation->memory(),
                       .offset = allocation->offsetOf(pointer)};
}

bool overlap(const void* first, const void* second, size_t bytes) {
  const auto a = reinterpret_cast<uintptr_t>(first), b = reinterpret_cast<uintptr_t>(second);
  return a < b ? b - a < bytes : a - b < bytes;
}

Status checkFill(const PointerFill& fill) {
  constexpr size_t maxPatternBytes = std::tuple_size_v<decltype(device::Fill::pattern)>;
  const auto& [pointer, pattern, patternBytes, bytes, type] = fill;
  if (!pointer)
    return invalidValue("the pointer to what is to be filled is NULL");
  // The pointer is misaligned for the pattern: only where the pattern's size makes sense.
  const bool sizeIsValid = std::has_single_bit(patternBytes) && patternBytes <= maxPatternBytes;
  if (sizeIsValid && reinterpret_cast<uintptr_t>(pointer) % patternBytes != 0)
    return invalidValue(
        sentence("the pointer is not aligned to the ", patternBytes, " bytes of pattern_size"));
  if (!pattern)
    return invalidValue("pattern is NULL");
  // pattern_size is zero, no power of two or more than 128.
  if (!sizeIsValid)
    return invalidValue(
        sentence("pattern_size ", patternBytes, " is not a power of two up to ", maxPatternBytes));
  if (bytes % patternBytes != 0)
    return invalidValue(
        sentence("size ", bytes, " is not a multiple of pattern_size ", patternBytes));
  return {};
}

Status checkMap(cl_map_flags flags, const void* pointer, size_t bytes) {
  constexpr cl_map_flags known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
  if (!pointer)
    return invalidValue("svm_ptr is NULL");
  if (bytes == 0)
    return invalidValue("a region of 0 bytes cannot be mapped");
  // Flags that mean nothing, or CL_MAP_WRITE_INVALIDATE_REGION together with another one.
  if ((flags & ~known) != 0 ||
      ((flags & CL_MAP_WRITE_INVALIDATE_REGION) && (flags & (CL_MAP_READ | CL_MAP_WRITE))))
    return invalidValue(sentence("map_flags ", flags, " are not a valid combination"));
  return {};
}

Access accessOf(cl_map_flags flags) {
  return flags == CL_MAP_READ                      ? Access::Read
         : flags == CL_MAP_WRITE_INVALIDATE_REGION ? Access::Write
                                                   : Access::ReadWrite;
}

Status checkMigrationFlags(cl_mem_migration_flags flags) {
  if (flags & ~(CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED))
    return invalidValue(sentence("migration flags ", flags, " contain bits that mean nothing"));
  return {};
}

Status checkMigration(const Context& context, std::span<const void* const> pointers,
                      const size_t* sizes, cl_mem_migration_flags flags) {
  QUERN_TRY(checkMigrationFlags(flags));
  // A range that is given by its size is not inside an allocation.
  for (size_t i = 0; sizes && i < pointers.size(); ++i)
    if (const uint64_t available = context.unifiedMemory().hostBytesFrom(pointers[i]);
        sizes[i] > available)
      return invalidValue(sentence("sizes[", i, "] is ", sizes[i],
                                   ", but the shared virtual memory at svm_pointers[", i, "] has ",
                                   available, " bytes"));
  return {};
}

/// `bytes` at `pointer`, or the whole allocation where that is 0.
void migrate(const CommandQueue& queue, RecordedCommand& command, const void* pointer,
             uint64_t bytes) {
  if (bytes != 0)
    use(queue, command, pointer, bytes, Access::Read);
  else if (Ref<UnifiedAllocation> allocation = queue.context().unifiedMemory().find(pointer))
    command.use(std::move(allocation), Access::Read);
}

/// A command about the memory at `pointer` that is a point in the order and nothing else.
Recorded recordHint(const CommandQueue& queue, cl_command_type type, const void* pointer) {
  auto command = makeRef<RecordedCommand>(queue.device(), type);
  keep(queue, *command, pointer);
  return command;
}

} // namespace

Result<Command> enqueueSvmFree(cl_command_queue queueHandle, cl_uint count, void* const* pointers,
                               SvmFreeFunction function, void* userData, WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, svmQueue(queueHandle));
  // The list and its length disagree.
  if ((count == 0) != (pointers == nullptr))
    return invalidValue(sentence("num_svm_pointers is ", count, " but svm_pointers is ",
                                 pointers ? "given" : "NULL"));
  QUERN_ASSIGN(const WaitList waitList, parseWaitList(queue->context(), wait.count, wait.events));
  auto command = makeRef<RecordedCommand>(queue->device(), CL_COMMAND_SVM_FREE);
  std::vector<void*> list(pointers, pointers + count);
  if (function)
    command->hostWork = std::make_unique<runtime::HostWork>(
        [=, list = std::move(list)]() mutable {
          function(queueHandle, count, list.data(), userData);
          return CL_COMPLETE;
        },
        [](std::function<void()> work) {
          runtime::Process::current().callbacks().post(std::move(work));
        });
  else
    command->hostWork =
        std::make_unique<runtime::HostWork>([&context = queue->context(), list = std::move(list)] {
          for (const void* pointer : list)
            freeSvm(context, pointer);
          return CL_COMPLETE;
        });
  return queue->enqueue(std::move(command), waitList);
}

Result<Recorded> recordMemcpy(CommandQueue& queue, const PointerCopy& copy) {
  QUERN_TRY(checkSvm(queue));
  if (!copy.destination)
    return invalidValue("dst_ptr is NULL");
  if (!copy.source)
    return invalidValue("src_ptr is NULL");
  if (overlap(copy.destination, copy.source, copy.bytes))
    return Status::error(CL_MEM_COPY_OVERLAP,
                         sentence("the ", copy.bytes, " bytes at dst_ptr and at src_ptr overlap"));
  QUERN_TRY(checkExtent(queue, "dst_ptr", copy.destination, copy.bytes));
  QUERN_TRY(checkExtent(queue, "src_ptr", copy.source, copy.bytes));
  QUERN_ASSIGN(const device::Place source, placeAt(queue, copy.source));
  QUERN_ASSIGN(const device::Place destination, placeAt(queue, copy.destination));
  auto command = makeRef<RecordedCommand>(queue.device(), copy.type);
  use(queue, *command, copy.source, copy.bytes, Access::Read);
  use(queue, *command, copy.destination, copy.bytes, Access::Write);
  if (copy.bytes != 0)
    command->work = device::Copy{.source = source, .destination = destination, .bytes = copy.bytes};
  return Recorded(std::move(command));
}

Result<Command> enqueueMemcpy(cl_command_queue queueHandle, cl_bool blocking,
                              const PointerCopy& copy, WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, svmQueue(queueHandle));
  QUERN_ASSIGN(Command command, enqueue(*queue, recordMemcpy(*queue, copy), wait));
  return finishIfBlocking(std::move(command), blocking);
}

Result<Recorded> recordMemFill(CommandQueue& queue, const PointerFill& fill) {
  QUERN_TRY(checkSvm(queue));
  QUERN_TRY(checkFill(fill));
  QUERN_TRY(checkExtent(queue, "svm_ptr", fill.destination, fill.bytes));
  QUERN_ASSIGN(const device::Place destination, placeAt(queue, fill.destination));
  auto command = makeRef<RecordedCommand>(queue.device(), fill.type);
  use(queue, *command, fill.destination, fill.bytes, Access::Write);
  if (fill.bytes != 0) {
    device::Fill work = {.destination = destination,
                         .patternBytes = static_cast<uint32_t>(fill.patternBytes),
                         .bytes = fill.bytes};
    std::memcpy(work.pattern.data(), fill.pattern, fill.patternBytes);
    command->work = work;
  }
  return Recorded(std::move(command));
}

Result<Command> enqueueMemFill(cl_command_queue queueHandle, const PointerFill& fill,
                               WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, svmQueue(queueHandle));
  return enqueue(*queue, recordMemFill(*queue, fill), wait);
}

Result<Command> enqueueSvmMap(cl_command_queue queueHandle, cl_bool blocking, cl_map_flags flags,
                              void* pointer, size_t bytes, WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, svmQueue(queueHandle));
  QUERN_TRY(checkMap(flags, pointer, bytes));
  QUERN_TRY(checkExtent(*queue, "svm_ptr", pointer, bytes));
  QUERN_ASSIGN(const WaitList waitList, parseWaitList(queue->context(), wait.count, wait.events));
  // Where the host sees the device's memory itself, there is nothing to bring.
  auto command = makeRef<RecordedCommand>(queue->device(), CL_COMMAND_SVM_MAP);
  use(*queue, *command, pointer, bytes, accessOf(flags));
  return finishIfBlocking(queue->enqueue(std::move(command), waitList), blocking);
}

Result<Command> enqueueSvmUnmap(cl_command_queue queueHandle, void* pointer, WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, svmQueue(queueHandle));
  if (!pointer)
    return invalidValue("svm_ptr is NULL");
  QUERN_ASSIGN(const WaitList waitList, parseWaitList(queue->context(), wait.count, wait.events));
  // What was mapped for writing is the host's since then.
  auto command = makeRef<RecordedCommand>(queue->device(), CL_COMMAND_SVM_UNMAP);
  keep(*queue, *command, pointer);
  return queue->enqueue(std::move(command), waitList);
}

Result<Command> enqueueSvmMigrateMem(cl_command_queue queueHandle, cl_uint count,
                                     const void* const* pointers, const size_t* sizes,
                                     cl_mem_migration_flags flags, WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, svmQueue(queueHandle));
  if (count == 0 || !pointers)
    return invalidValue("the list of SVM pointers is empty");
  const std::span<const void* const> list(pointers, count);
  QUERN_TRY(checkMigration(queue->context(), list, sizes, flags));
  QUERN_ASSIGN(const WaitList waitList, parseWaitList(queue->context(), wait.count, wait.events));
  auto command = makeRef<RecordedCommand>(queue->device(), CL_COMMAND_SVM_MIGRATE_MEM,
                                          (flags & CL_MIGRATE_MEM_OBJECT_HOST) != 0);
  // What is undefined is as good where it is, and there may be only one place.
  for (size_t i = 0; i < list.size(); ++i)
    if (flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)
      keep(*queue, *command, list[i]);
    else
      migrate(*queue, *command, list[i], sizes ? sizes[i] : 0);
  return queue->enqueue(std::move(command), waitList);
}

Result<Command> enqueueMigrateMem(cl_command_queue queueHandle, const void* pointer,
                                  cl_mem_migration_flags flags, WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, svmQueue(queueHandle));
  QUERN_TRY(checkMigrationFlags(flags));
  return enqueue(*queue, recordHint(*queue, CL_COMMAND_MIGRATEMEM_INTEL, pointer), wait);
}

Result<Command> enqueueMemAdvise(cl_command_queue queueHandle, const void* pointer,
                                 cl_mem_advice_intel advice, WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, svmQueue(queueHandle));
  // The extension has set these numbers aside for advice; what a device does not know it ignores.
  constexpr cl_mem_advice_intel first = 0x4208, last = 0x420F;
  if (advice != 0 && (advice < first || advice > last))
    return invalidValue(sentence("advice ", advice, " is none about memory"));
  return enqueue(*queue, recordHint(*queue, CL_COMMAND_MEMADVISE_INTEL, pointer), wait);
}

} // namespace quern::api
