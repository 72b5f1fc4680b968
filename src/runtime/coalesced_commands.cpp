#include "runtime/coalesced_commands.h"

#include <algorithm>

namespace quern::runtime {

const RecordedCommand* CoalescedCommands::find(uint64_t argumentsVersion,
                                               const device::NdRange& range) const {
  const size_t compared = std::min(count_, mostCompared);
  for (size_t i = 1; i <= compared; ++i)
    if (const RecordedCommand& command = *commands_[count_ - i];
        isLaunch(command, argumentsVersion, range))
      return &command;
  return nullptr;
}

void CoalescedCommands::clear() {
  for (size_t i = 0; i < count_; ++i)
    commands_[i].reset();
  count_ = 0;
}

} // namespace quern::runtime
