#pragma once

#include <array>
#include <vector>

#include "base/ref.h"

namespace quern::runtime {

/// References that a command holds until it has ended.
class Uses {
public:
  void add(Ref<RefCounted> object);
  void clear();

private:
  static constexpr size_t inlineCount = 3;
  std::array<Ref<RefCounted>, inlineCount> first_;
  size_t count_ = 0;
  std::vector<Ref<RefCounted>> more_;
};

} // namespace quern::runtime
