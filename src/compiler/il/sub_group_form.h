#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace quern::compiler {

/// Kernels in which work-items of a sub-group meet have two forms. In the general one they meet
/// between regions. In the other, each sub-group is a packet: its functions are operations on
/// vectors, and no region ends at them. It only runs where sub-groups are made of neighbours in
/// dimension 0 as the form counts work-items: where the size of all work-groups there is a multiple
/// of that of a sub-group, or where they have no other dimension. Where the local size is known, it
/// counts them so (il/group_shape.h), and runs where all work-groups have that size.
///
/// Marks a work-item body as that form; its regions inherit the mark.
void setSubGroupsArePackets(llvm::Function& item);
bool subGroupsArePackets(const llvm::Function& function);

/// Whether all launches of a kernel run that form, where it has it, by what is known of their local
/// size.
bool alwaysRunsSubGroupPackets(const llvm::Function& kernel);

/// Whether `call` is a collective function as the built-in library calls it.
bool isLibraryCollective(const llvm::CallInst& call);

/// Whether `instruction` is such a call for sub-groups. Only between the steps work-item-bodies and
/// sub-groups, but in kernels whose sub-groups are packets until the packets are made.
bool isSubGroupOperation(const llvm::Instruction& instruction);

} // namespace quern::compiler
