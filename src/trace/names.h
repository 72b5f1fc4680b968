#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "trace/records.h"

namespace quern::trace {

/// Values that are added one by one and stay. To read one takes no lock, so that whoever writes the
/// timeline keeps nobody from adding.
template <typename T, uint32_t most> class Kept {
public:
  /// 0 when it is full. Not thread-safe.
  uint32_t add(T value) {
    if (count_ == most)
      return 0;
    values_[count_].store(new T(std::move(value)), std::memory_order_release);
    return count_++;
  }
  /// Null where nothing was added.
  const T* find(uint32_t index) const { return values_[index].load(std::memory_order_acquire); }

private:
  std::array<std::atomic<const T*>, most> values_ = {};
  uint32_t count_ = 1;
};

/// What records name by numbers, for the whole life of the process. Thread-safe.
class Names {
public:
  struct Row {
    uint32_t group = 0; ///< rows of the same group have the same number
    std::string groupName;
    std::string name;
  };

  static Names& get();

  /// The same number for the same text; 0 for none, and when there are too many.
  Name add(std::string_view text);
  Track addRow(std::string_view group, std::string_view name);

  /// As it stands between the quotes of a string of JSON.
  std::string_view escaped(Name name) const;
  /// Null for 0.
  const Row* row(Track track) const { return rows_.find(track); }

private:
  Names();
  static constexpr uint32_t most = 1 << 16;

  std::mutex adding_;
  std::unordered_map<std::string, Name> known_;
  std::unordered_map<std::string, uint32_t> groups_;
  Kept<std::string, most> texts_;
  Kept<Row, most> rows_;
};

/// `text` as it stands between the quotes of a string of JSON.
std::string escape(std::string_view text);

} // namespace quern::trace
