#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "device/command.h"
#include "runtime/recorded_command.h"

namespace quern::runtime {

/// Whether `command` is a launch with these arguments (RecordedCommand::argumentsVersion) on this
/// range.
inline bool isLaunch(const RecordedCommand& command, uint64_t argumentsVersion,
                     const device::NdRange& range) {
  const auto* launch = std::get_if<device::LaunchKernel>(&command.work);
  return command.argumentsVersion == argumentsVersion && launch && launch->range == range;
}

/// The commands that were appended to another one and are kept until that has ended: each of them
/// once, however often it runs.
class CoalescedCommands {
public:
  /// One of the latest that `isWanted`; null where there is none.
  template <typename Wanted> const RecordedCommand* findLatest(Wanted&& isWanted) const {
    const size_t compared = std::min(count_, mostCompared);
    for (size_t i = 1; i <= compared; ++i)
      if (const RecordedCommand& command = *commands_[count_ - i]; isWanted(command))
        return &command;
    return nullptr;
  }
  bool isFull() const { return count_ == commands_.size(); }
  void add(Recorded command) { commands_[count_++] = std::move(command); }
  /// Gives up all references; it can be used again.
  void clear() {
    for (size_t i = 0; i < count_; ++i)
      commands_[i].reset();
    count_ = 0;
  }

private:
  static constexpr size_t most = 64;
  /// So many are looked at for one that is wanted.
  static constexpr size_t mostCompared = 4;

  std::array<Recorded, most> commands_;
  size_t count_ = 0;
};

} // namespace quern::runtime
