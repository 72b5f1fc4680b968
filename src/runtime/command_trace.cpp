#include "runtime/command_trace.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "runtime/execution.h"
#include "runtime/recorded_command.h"

namespace quern::runtime {

namespace {

struct TypeName {
  cl_command_type type;
  std::string_view name;
};

/// Commands by what the specification calls them (CL_EVENT_COMMAND_TYPE). Launches of kernels have
/// the kernel's name.
constexpr TypeName typeNames[] = {
    {CL_COMMAND_NATIVE_KERNEL, "native kernel"},
    {CL_COMMAND_READ_BUFFER, "read buffer"},
    {CL_COMMAND_WRITE_BUFFER, "write buffer"},
    {CL_COMMAND_COPY_BUFFER, "copy buffer"},
    {CL_COMMAND_READ_IMAGE, "read image"},
    {CL_COMMAND_WRITE_IMAGE, "write image"},
    {CL_COMMAND_COPY_IMAGE, "copy image"},
    {CL_COMMAND_COPY_IMAGE_TO_BUFFER, "copy image to buffer"},
    {CL_COMMAND_COPY_BUFFER_TO_IMAGE, "copy buffer to image"},
    {CL_COMMAND_MAP_BUFFER, "map buffer"},
    {CL_COMMAND_MAP_IMAGE, "map image"},
    {CL_COMMAND_UNMAP_MEM_OBJECT, "unmap"},
    {CL_COMMAND_MARKER, "marker"},
    {CL_COMMAND_BARRIER, "barrier"},
    {CL_COMMAND_READ_BUFFER_RECT, "read buffer box"},
    {CL_COMMAND_WRITE_BUFFER_RECT, "write buffer box"},
    {CL_COMMAND_COPY_BUFFER_RECT, "copy buffer box"},
    {CL_COMMAND_MIGRATE_MEM_OBJECTS, "migrate"},
    {CL_COMMAND_FILL_BUFFER, "fill buffer"},
    {CL_COMMAND_FILL_IMAGE, "fill image"},
    {CL_COMMAND_SVM_FREE, "free SVM"},
    {CL_COMMAND_SVM_MEMCPY, "copy SVM"},
    {CL_COMMAND_SVM_MEMFILL, "fill SVM"},
    {CL_COMMAND_SVM_MAP, "map SVM"},
    {CL_COMMAND_SVM_UNMAP, "unmap SVM"},
    {CL_COMMAND_SVM_MIGRATE_MEM, "migrate SVM"},
    {CL_COMMAND_COMMAND_BUFFER_KHR, "command buffer"},
    {CL_COMMAND_SEMAPHORE_WAIT_KHR, "wait for semaphores"},
    {CL_COMMAND_SEMAPHORE_SIGNAL_KHR, "signal semaphores"},
};

trace::Name nameOf(cl_command_type type) {
  static const auto names = [] {
    std::array<trace::Name, std::size(typeNames)> all;
    std::ranges::transform(typeNames, all.begin(),
                           [](const TypeName& row) { return trace::nameOf(row.name); });
    return all;
  }();
  static const trace::Name other = trace::nameOf("command");
  const auto* const row = std::ranges::find(typeNames, type, &TypeName::type);
  return row == std::end(typeNames) ? other : names[static_cast<size_t>(row - typeNames)];
}

uint64_t bytesOfBox(const std::array<uint64_t, 3>& region) {
  return region[0] * region[1] * region[2];
}

/// That a transfer moves; 0 of anything else.
uint64_t bytesOf(const device::Work& work) {
  if (const auto* copy = std::get_if<device::Copy>(&work))
    return copy->bytes;
  if (const auto* fill = std::get_if<device::Fill>(&work))
    return fill->bytes;
  if (const auto* rect = std::get_if<device::CopyRect>(&work))
    return bytesOfBox(rect->region);
  const auto* box = std::get_if<device::FillRect>(&work);
  return box ? bytesOfBox(box->region) : 0;
}

/// Of all memory objects that the command may use: how much there is, not how much it touches.
uint64_t bytesOf(const CommandUses& uses) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < uses.size(); ++i)
    if (uses[i].storage)
      bytes += uses[i].bytes.bytes();
  return bytes;
}

} // namespace

void traceQueued(uint64_t number, trace::Track track, const RecordedCommand& command,
                 uint64_t time) {
  trace::Queued queued = {.command = number, .time = time, .track = track};
  if (const auto* launch = std::get_if<device::LaunchKernel>(&command.work)) {
    queued.category = "kernel";
    queued.name = command.kernelName;
    queued.bytes = bytesOf(command.uses());
    trace::record(trace::QueuedLaunch{.queued = queued,
                                      .global = launch->range.global,
                                      .local = launch->range.local,
                                      .dimensions = launch->range.workDim,
                                      .packetWidth = command.packetWidth});
    return;
  }
  queued.bytes = bytesOf(command.work);
  queued.category = queued.bytes != 0 ? "transfer" : "other";
  queued.name = nameOf(command.type());
  trace::record(queued);
}

void traceEnded(uint64_t number, const ProfilingTimes& times, int32_t status, bool isGrown) {
  // What failed before it started has no times of its own.
  const uint64_t end = times.ended != 0 ? times.ended : trace::now();
  trace::record(trace::Ended{.command = number,
                             .submitted = times.submitted,
                             .started = times.started != 0 ? times.started : end,
                             .ended = end,
                             .status = status,
                             .isGrown = isGrown});
}

} // namespace quern::runtime
