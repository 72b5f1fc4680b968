#pragma once

#include <llvm/IR/Function.h>

namespace quern::compiler {

/// Lets work-items of one group wait at different barriers. `region` then only acts for a work-item
/// whose slot (names::nextRegionOffsetAttribute, which is set) names it, and leaves there which
/// region is the work-item's next: conditions like those that the program has, so that packets and
/// their tiles treat them likewise. Region 0 acts for all work-items, whose slots say before that
/// they have ended.
void keepNextRegion(llvm::Function& region);

} // namespace quern::compiler
