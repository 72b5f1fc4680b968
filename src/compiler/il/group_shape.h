#pragma once

#include <array>
#include <cstdint>

#include <llvm/IR/Function.h>

namespace quern::compiler {

/// The numbers of work-items of all work-groups in the dimensions that regions count them in
/// (ImplicitArgument::Item): those that the program requires, unless the step group-shapes has
/// chosen others. Zeros where they are not known. Groups at the edge of an NDRange may be smaller
/// where the numbers are the program's.
std::array<uint64_t, 3> groupShape(const llvm::Function& function);

/// Notes another shape on a work-item body; its regions inherit it. `shortRow`: work-items that
/// follow each other in dimension 0 and that only differ in the program's first dimension which has
/// several; 0 where these are all of a row.
void setGroupShape(llvm::Function& item, const std::array<uint64_t, 3>& shape, uint64_t shortRow);

/// Whether the shape is another one than the program's.
bool hasOwnShape(const llvm::Function& function);

/// `shortRow` of setGroupShape.
uint64_t shortRow(const llvm::Function& function);

/// Whether `function` belongs to the form of a kernel in which each work-group is one packet: what
/// work-items do to memory before a barrier comes before what they do behind it, and nothing else
/// is left of barriers.
bool groupsArePackets(const llvm::Function& function);

} // namespace quern::compiler
