#pragma once

#include <cstdint>
#include <vector>

#include <llvm/IR/Module.h>

namespace quern::compiler {

/// Pointers to functions are numbers: one for each function whose address a program takes, other
/// than those of any module that it may be linked with. A call by a pointer is a call of a pointer
/// caller, a function that takes the number before the other arguments and has a case for each
/// function that may be meant.
struct AddressedFunction {
  llvm::Function* function = nullptr;
  uint64_t number = 0;
};

void addAddressedFunction(const AddressedFunction& addressed);
std::vector<AddressedFunction> addressedFunctions(const llvm::Module& module);
/// To be called when no caller will get more targets.
void dropAddressedFunctions(llvm::Module& module);

/// Gives `caller`, which has no body, one without cases: it returns zeros.
void definePointerCaller(llvm::Function& caller);
bool isPointerCaller(const llvm::Function& function);
/// A case for `target`, if `caller` has none and calls functions of that type.
void addTarget(llvm::Function& caller, const AddressedFunction& target);

} // namespace quern::compiler
