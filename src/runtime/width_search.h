#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quern::runtime {

/// Which versions of a kernel's code are made and measured to find the fastest width of its
/// packets: those that the compiler names, the likely ones first, and half the width again as long
/// as that is faster. Not thread-safe.
class WidthSearch {
public:
  /// Nothing is searched for.
  WidthSearch() = default;
  /// What abi::KernelDescription::comparedWidths and likelyWidths have.
  WidthSearch(const std::vector<uint32_t>& compared, size_t likely);

  /// The widths that there is code for, or that `next` gave: the first version's first.
  const std::vector<uint32_t>& asked() const { return asked_; }
  /// The width of the next version, 1 for none; 0 where there shall be no other. `fastest`, one of
  /// `asked`, is what runs.
  uint32_t next(uint32_t fastest);
  /// Whether `next` gives one that is unlikely to be faster.
  bool isNextUnlikely(uint32_t fastest) const;

private:
  /// Half of `fastest` where that has not been asked for and is narrower than at first, or 0.
  uint32_t narrower(uint32_t fastest) const;

  std::vector<uint32_t> asked_;
  std::vector<uint32_t> wanted_, unlikely_; ///< not asked for yet, the next ones last
};

} // namespace quern::runtime
