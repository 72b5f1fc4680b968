#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quern::runtime {

/// Which versions of a kernel's code are made and measured to find the fastest width of its
/// packets: those that the compiler names, and half the width again as long as that is faster. Not
/// thread-safe.
class WidthSearch {
public:
  /// Nothing is searched for.
  WidthSearch() = default;
  /// `compared` is what abi::KernelDescription::comparedWidths has.
  explicit WidthSearch(const std::vector<uint32_t>& compared);

  /// The widths that there is code for, or that `next` gave: the first version's first.
  const std::vector<uint32_t>& asked() const { return asked_; }
  /// The width of the next version, 1 for none; 0 where there shall be no other. `fastest`, one of
  /// `asked`, is what runs.
  uint32_t next(uint32_t fastest);

private:
  std::vector<uint32_t> asked_;
  std::vector<uint32_t> wanted_; ///< not asked for yet, the next one last
};

} // namespace quern::runtime
