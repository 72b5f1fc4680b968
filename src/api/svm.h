#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "api/buffer_commands.h"

/// Shared virtual memory: allocation, and the commands on it and on other memory that programs know
/// by pointers (api/unified_memory.h).
namespace quern::api {

/// Memory of `bytes` bytes that begins at a multiple of `alignment` (0: of the largest data type).
/// The caller returns NULL for every failure; the codes are for the log.
Result<void*> svmAlloc(cl_context context, cl_svm_mem_flags flags, size_t bytes, cl_uint alignment);
/// Nothing happens for a pointer that is not from svmAlloc in `context`.
Status svmFree(cl_context context, void* pointer);
/// Likewise.
void freeSvm(runtime::Context& context, const void* pointer);

using SvmFreeFunction = void(CL_CALLBACK*)(cl_command_queue, cl_uint, void*[], void*);
/// Calls `function` or, where that is null, frees the pointers when the command's turn has come.
Result<Command> enqueueSvmFree(cl_command_queue queue, cl_uint count, void* const* pointers,
                               SvmFreeFunction function, void* userData, WaitArguments wait);

struct PointerCopy {
  void* destination;
  const void* source;
  size_t bytes;
  cl_command_type type = CL_COMMAND_SVM_MEMCPY;
};
struct PointerFill {
  void* destination;
  const void* pattern;
  size_t patternBytes;
  size_t bytes;
  cl_command_type type = CL_COMMAND_SVM_MEMFILL;
};
Result<Command> enqueueMemcpy(cl_command_queue queue, cl_bool blocking, const PointerCopy& copy,
                              WaitArguments wait);
Result<Command> enqueueMemFill(cl_command_queue queue, const PointerFill& fill, WaitArguments wait);
/// Record a command for the device of `queue`, for that or for a command buffer.
Result<runtime::Recorded> recordMemcpy(runtime::CommandQueue& queue, const PointerCopy& copy);
Result<runtime::Recorded> recordMemFill(runtime::CommandQueue& queue, const PointerFill& fill);

Result<Command> enqueueSvmMap(cl_command_queue queue, cl_bool blocking, cl_map_flags flags,
                              void* pointer, size_t bytes, WaitArguments wait);
Result<Command> enqueueSvmUnmap(cl_command_queue queue, void* pointer, WaitArguments wait);
/// `sizes` may be null: then whole allocations migrate.
Result<Command> enqueueSvmMigrateMem(cl_command_queue queue, cl_uint count,
                                     const void* const* pointers, const size_t* sizes,
                                     cl_mem_migration_flags flags, WaitArguments wait);
/// Of cl_intel_unified_shared_memory. Hints, which move nothing.
Result<Command> enqueueMigrateMem(cl_command_queue queue, const void* pointer,
                                  cl_mem_migration_flags flags, WaitArguments wait);
Result<Command> enqueueMemAdvise(cl_command_queue queue, const void* pointer,
                                 cl_mem_advice_intel advice, WaitArguments wait);

} // namespace quern::api
