#pragma once

#include <vector>

namespace quern::compiler {

/// Which regions may be next, where work-items of one group wait for different regions and the
/// lowest number goes first, the end of the kernel (0) last. `exits` has for each region those that
/// a work-item of it may wait for then; all work-items begin in region 0. Returns in ascending
/// order, for each region, the lowest that work-items may wait for after it has run. Any two
/// positions at which two work-items may be at the same time are visited once.
std::vector<std::vector<unsigned>>
followingRegions(const std::vector<std::vector<unsigned>>& exits);

} // namespace quern::compiler
