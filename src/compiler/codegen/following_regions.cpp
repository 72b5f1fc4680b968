#include "compiler/codegen/following_regions.h"

#include <algorithm>
#include <utility>

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/SmallVector.h>

namespace quern::compiler {
namespace {

/// The pairs of regions that work-items of one group may wait for at the same time. The end counts
/// as the last region.
class WaitingPairs {
public:
  explicit WaitingPairs(const std::vector<std::vector<unsigned>>& exits)
      : exits_(exits), end_(static_cast<unsigned>(exits.size())),
        seen_(exits.size(), llvm::BitVector(end_ + 1)) {
    add(0, 0);
    while (!open_.empty()) {
      const auto [first, second] = open_.pop_back_val();
      for (unsigned exit : exits[first]) {
        if (first != second) {
          add(position(exit), second);
          continue;
        }
        for (unsigned other : exits[first])
          add(position(exit), position(other));
      }
    }
  }

  std::vector<unsigned> following(unsigned region) const {
    llvm::BitVector lowest(end_ + 1);
    unsigned highestExit = 0;
    for (unsigned exit : exits_[region]) {
      lowest.set(position(exit));
      highestExit = std::max(highestExit, position(exit));
    }
    for (unsigned waiting : seen_[region].set_bits())
      if (waiting > region && waiting < highestExit)
        lowest.set(waiting);
    std::vector<unsigned> numbers;
    for (unsigned position : lowest.set_bits())
      numbers.push_back(position == end_ ? 0 : position);
    std::ranges::sort(numbers);
    return numbers;
  }

private:
  unsigned position(unsigned exit) const { return exit == 0 ? end_ : exit; }

  /// The lower region runs first; nothing follows the end.
  void add(unsigned one, unsigned other) {
    const auto [first, second] = std::minmax(one, other);
    if (first == end_ || seen_[first].test(second))
      return;
    seen_[first].set(second);
    open_.emplace_back(first, second);
  }

  const std::vector<std::vector<unsigned>>& exits_;
  unsigned end_;
  std::vector<llvm::BitVector> seen_; ///< of a region, the later ones
  llvm::SmallVector<std::pair<unsigned, unsigned>> open_;
};

} // namespace

std::vector<std::vector<unsigned>>
followingRegions(const std::vector<std::vector<unsigned>>& exits) {
  const WaitingPairs pairs(exits);
  std::vector<std::vector<unsigned>> following;
  for (unsigned region = 0; region < exits.size(); ++region)
    following.push_back(pairs.following(region));
  return following;
}

} // namespace quern::compiler
