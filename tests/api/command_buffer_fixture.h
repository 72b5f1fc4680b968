#pragma once

#include "program_fixture.h"

/// cl_khr_command_buffer 0.9.8, _multi_device 0.9.2 and _mutable_dispatch 0.9.5 for tests: what
/// older headers lack or have otherwise.
namespace quern::test {

inline constexpr cl_device_info supportedQueueProperties = 0x129A, numSyncDevices = 0x12AB,
                                syncDevices = 0x12AC;
inline constexpr cl_platform_info platformCommandBufferCapabilities = 0x0908;
inline constexpr cl_uint commandBufferContext = 0x1299, commandPropertiesArray = 0x12A2;
inline constexpr cl_properties bufferAsserts = 0x12B7, launchAsserts = 0x12B8;
inline constexpr cl_uint stateFinalized = 2;
inline constexpr cl_bitfield deviceSideSync = 1 << 2, multipleQueues = 1 << 4;

struct ChangedArgument {
  cl_uint index = 0;
  size_t size = 0;
  const void* value = nullptr;
};
struct ChangedExecInfo {
  cl_uint name = 0;
  size_t size = 0;
  const void* value = nullptr;
};
struct ChangedLaunch {
  cl_mutable_command_khr command = nullptr;
  cl_uint argumentCount = 0, svmArgumentCount = 0, execInfoCount = 0, workDim = 0;
  const ChangedArgument* arguments = nullptr;
  const ChangedArgument* svmArguments = nullptr;
  const ChangedExecInfo* execInfos = nullptr;
  const size_t *offset = nullptr, *global = nullptr, *local = nullptr;
};

/// The functions of the extensions: name, type of the result, parameters.
#define QUERN_RECORDING cl_command_buffer_khr, cl_command_queue, const cl_properties*
#define QUERN_WAITS cl_uint, const cl_sync_point_khr*, cl_sync_point_khr*, cl_mutable_command_khr*
#define QUERN_COMMAND_BUFFER_FUNCTIONS(F)                                                          \
  F(CreateCommandBuffer, cl_command_buffer_khr,                                                    \
    (cl_uint, const cl_command_queue*, const cl_properties*, cl_int*))                             \
  F(FinalizeCommandBuffer, cl_int, (cl_command_buffer_khr))                                        \
  F(RetainCommandBuffer, cl_int, (cl_command_buffer_khr))                                          \
  F(ReleaseCommandBuffer, cl_int, (cl_command_buffer_khr))                                         \
  F(EnqueueCommandBuffer, cl_int,                                                                  \
    (cl_uint, cl_command_queue*, cl_command_buffer_khr, cl_uint, const cl_event*, cl_event*))      \
  F(CommandBarrierWithWaitList, cl_int, (QUERN_RECORDING, QUERN_WAITS))                            \
  F(CommandCopyBuffer, cl_int,                                                                     \
    (QUERN_RECORDING, cl_mem, cl_mem, size_t, size_t, size_t, QUERN_WAITS))                        \
  F(CommandCopyBufferRect, cl_int,                                                                 \
    (QUERN_RECORDING, cl_mem, cl_mem, const size_t*, const size_t*, const size_t*, size_t, size_t, \
     size_t, size_t, QUERN_WAITS))                                                                 \
  F(CommandCopyBufferToImage, cl_int,                                                              \
    (QUERN_RECORDING, cl_mem, cl_mem, size_t, const size_t*, const size_t*, QUERN_WAITS))          \
  F(CommandCopyImage, cl_int,                                                                      \
    (QUERN_RECORDING, cl_mem, cl_mem, const size_t*, const size_t*, const size_t*, QUERN_WAITS))   \
  F(CommandCopyImageToBuffer, cl_int,                                                              \
    (QUERN_RECORDING, cl_mem, cl_mem, const size_t*, const size_t*, size_t, QUERN_WAITS))          \
  F(CommandFillBuffer, cl_int,                                                                     \
    (QUERN_RECORDING, cl_mem, const void*, size_t, size_t, size_t, QUERN_WAITS))                   \
  F(CommandFillImage, cl_int,                                                                      \
    (QUERN_RECORDING, cl_mem, const void*, const size_t*, const size_t*, QUERN_WAITS))             \
  F(CommandSVMMemcpy, cl_int, (QUERN_RECORDING, void*, const void*, size_t, QUERN_WAITS))          \
  F(CommandSVMMemFill, cl_int, (QUERN_RECORDING, void*, const void*, size_t, size_t, QUERN_WAITS)) \
  F(CommandNDRangeKernel, cl_int,                                                                  \
    (QUERN_RECORDING, cl_kernel, cl_uint, const size_t*, const size_t*, const size_t*,             \
     QUERN_WAITS))                                                                                 \
  F(GetCommandBufferInfo, cl_int, (cl_command_buffer_khr, cl_uint, size_t, void*, size_t*))        \
  F(RemapCommandBuffer, cl_command_buffer_khr,                                                     \
    (cl_command_buffer_khr, cl_bool, cl_uint, const cl_command_queue*, cl_uint,                    \
     const cl_mutable_command_khr*, cl_mutable_command_khr*, cl_int*))                             \
  F(UpdateMutableCommands, cl_int, (cl_command_buffer_khr, cl_uint, const cl_uint*, const void**)) \
  F(GetMutableCommandInfo, cl_int, (cl_mutable_command_khr, cl_uint, size_t, void*, size_t*))

/// The functions, each looked up by name when it is first called.
namespace khr {
void* function(const char* name);
#define QUERN_DECLARE(name, Return, parameters)                                                    \
  template <typename... Arguments> Return name(Arguments... arguments) {                           \
    static const auto found =                                                                      \
        reinterpret_cast<Return(CL_API_CALL*) parameters>(khr::function("cl" #name "KHR"));        \
    return found(arguments...);                                                                    \
  }
QUERN_COMMAND_BUFFER_FUNCTIONS(QUERN_DECLARE)
#undef QUERN_DECLARE
} // namespace khr

struct CommandBufferReleaser {
  void operator()(cl_command_buffer_khr buffer) const { khr::ReleaseCommandBuffer(buffer); }
};
using CommandBuffer =
    std::unique_ptr<std::remove_pointer_t<cl_command_buffer_khr>, CommandBufferReleaser>;

/// Adds command buffers to the fixture.
class CommandBufferTest : public ProgramTest {
protected:
  CommandBuffer makeCommandBuffer(const std::vector<cl_command_queue>& queues,
                                  cl_bitfield flags = 0) const;
  CommandBuffer makeCommandBuffer() const { return makeCommandBuffer({queue.get()}); }

  /// Records `kernel` over `items` work-items after `waits`; returns its sync point.
  cl_sync_point_khr launch(const CommandBuffer& buffer, const Kernel& kernel, size_t items,
                           const std::vector<cl_sync_point_khr>& waits = {},
                           cl_mutable_command_khr* handle = nullptr) const;
  void finalize(const CommandBuffer& buffer) const;
  /// Enqueues it to its own queues, after `wait` if that is given.
  Event enqueue(const CommandBuffer& buffer, const Event* wait = nullptr) const;
  /// The same, and waits.
  void run(const CommandBuffer& buffer) const;
  cl_uint stateOf(const CommandBuffer& buffer) const;
};

} // namespace quern::test
