#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "base/byte_range.h"
#include "base/ref.h"
#include "runtime/storage.h"

namespace quern::runtime {

/// One thing that a command uses.
struct CommandUse {
  Ref<RefCounted> object; ///< kept
  /// Of a memory object; it keeps it. Null for anything else.
  Storage* storage = nullptr;
  ByteRange bytes;   ///< of the storage
  uint32_t copy = 0; ///< the one of the storage's that the command works on
  Access access = Access::Read;
};

/// All that a command uses. Nearly all use few things: for those, a list costs no memory of its
/// own, and to make it or drop it costs nothing for what is not there.
class CommandUses {
public:
  CommandUses() {}
  CommandUses(const CommandUses&) = delete;
  CommandUses& operator=(const CommandUses&) = delete;
  ~CommandUses() {
    for (size_t i = 0; i < count_; ++i)
      std::destroy_at(&first_[i]);
  }

  /// The new use, to be filled in.
  CommandUse& add(Ref<RefCounted> object) {
    if (count_ < few)
      return *std::construct_at(&first_[count_++], std::move(object));
    return more_.emplace_back(std::move(object));
  }
  size_t size() const { return count_ + more_.size(); }
  const CommandUse& operator[](size_t index) const {
    return index < few ? first_[index] : more_[index - few];
  }

private:
  static constexpr size_t few = 3;
  size_t count_ = 0;
  std::vector<CommandUse> more_;
  union {
    CommandUse first_[few]; ///< `count_` of them
  };
};

} // namespace quern::runtime
