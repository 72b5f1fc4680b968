#include "runtime/width_search.h"

#include <algorithm>

#include "abi/program_image.h"

namespace quern::runtime {

WidthSearch::WidthSearch(const std::vector<uint32_t>& compared, size_t likely) {
  if (compared.empty())
    return;
  asked_.push_back(compared.front());
  const auto others = compared.begin() + 1;
  const auto unlikely = compared.begin() + static_cast<ptrdiff_t>(std::max<size_t>(likely, 1));
  wanted_.assign(std::reverse_iterator(unlikely), std::reverse_iterator(others));
  unlikely_.assign(compared.rbegin(), std::reverse_iterator(unlikely));
}

uint32_t WidthSearch::narrower(uint32_t fastest) const {
  if (asked_.empty() || fastest <= 1 || fastest >= asked_.front())
    return 0;
  const uint32_t half = fastest > abi::leastComparedWidth ? fastest / 2 : 1;
  return std::ranges::find(asked_, half) == asked_.end() ? half : 0;
}

bool WidthSearch::isNextUnlikely(uint32_t fastest) const {
  return narrower(fastest) == 0 && wanted_.empty() && !unlikely_.empty();
}

uint32_t WidthSearch::next(uint32_t fastest) {
  if (const uint32_t half = narrower(fastest)) {
    std::erase(wanted_, half);
    std::erase(unlikely_, half);
    wanted_.push_back(half);
  }
  std::vector<uint32_t>& rest = wanted_.empty() ? unlikely_ : wanted_;
  if (rest.empty())
    return 0;
  asked_.push_back(rest.back());
  rest.pop_back();
  return asked_.back();
}

} // namespace quern::runtime
