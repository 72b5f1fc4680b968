#pragma once

#include <cstdint>

#include "trace/trace.h"

namespace quern::runtime {

class RecordedCommand;
struct ProfilingTimes;

/// Tells the timeline that `command` has been enqueued at `time`, as the command `number` (of
/// trace::nextCommand) of the queue that has `track`.
void traceQueued(uint64_t number, trace::Track track, const RecordedCommand& command,
                 uint64_t time);

/// Tells it how that ended. `isGrown`: other commands have become part of it.
void traceEnded(uint64_t number, const ProfilingTimes& times, int32_t status, bool isGrown);

} // namespace quern::runtime
