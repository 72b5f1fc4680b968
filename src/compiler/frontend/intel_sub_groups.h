#pragma once

#include "compiler/frontend/overloads.h"

namespace quern::compiler {

/// Declares the functions of Intel's extensions of sub-groups (cl_intel_subgroups,
/// cl_intel_subgroups_char, _short and _long, cl_intel_subgroup_local_block_io) by the name that
/// follows `intel_sub_group_`; none where no function has that name.
void declareIntelSubGroups(Overloads& overloads, llvm::StringRef name);

} // namespace quern::compiler
