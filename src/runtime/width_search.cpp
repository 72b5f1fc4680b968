#include "runtime/width_search.h"

#include <algorithm>

#include "abi/program_image.h"

namespace quern::runtime {

WidthSearch::WidthSearch(const std::vector<uint32_t>& compared) {
  if (compared.empty())
    return;
  asked_.push_back(compared.front());
  wanted_.assign(compared.rbegin(), compared.rend() - 1);
}

uint32_t WidthSearch::next(uint32_t fastest) {
  if (asked_.empty())
    return 0;
  if (fastest > 1 && fastest < asked_.front()) {
    const uint32_t narrower = fastest > abi::leastComparedWidth ? fastest / 2 : 1;
    if (std::ranges::find(asked_, narrower) == asked_.end()) {
      std::erase(wanted_, narrower);
      wanted_.push_back(narrower);
    }
  }
  if (wanted_.empty())
    return 0;
  asked_.push_back(wanted_.back());
  wanted_.pop_back();
  return asked_.back();
}

} // namespace quern::runtime
