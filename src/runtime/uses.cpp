#include "runtime/uses.h"

namespace quern::runtime {

void Uses::add(Ref<RefCounted> object) {
  if (count_ < inlineCount)
    first_[count_++] = std::move(object);
  else
    more_.push_back(std::move(object));
}

void Uses::clear() {
  for (size_t i = 0; i < count_; ++i)
    first_[i].reset();
  count_ = 0;
  more_.clear();
}

} // namespace quern::runtime
