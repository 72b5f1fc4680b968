#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Conditions such as `if (get_local_id(0) < s)` keep the first or the last work-items of each row
/// from doing anything. Makes a function of the parameters of `region` that says which ones may do
/// something: it returns the number of the first one of them in its lower 32 bits and the one after
/// the last in its upper. It looks at no ids, so that one call speaks of all rows. Null where
/// nothing is known.
///
/// The others may still have to be there for the group: values that the group has in common are
/// stored by any work-item.
llvm::Function* makeActiveRange(llvm::Function& region, llvm::FunctionAnalysisManager& analyses);

/// Whether a work-item that comes to `block` ends without having done anything that not all others
/// of its group do as well.
bool endsIdly(llvm::Function& region, const llvm::BasicBlock* block);

} // namespace quern::compiler
