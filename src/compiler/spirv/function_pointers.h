#pragma once

#include <map>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

#include "compiler/spirv/types.h"

namespace quern::compiler::spirv {

class ModuleReader;

/// Pointers to functions of a module (SPV_INTEL_function_pointers). What stands for an address is a
/// number of the function's own, and a call by way of a pointer compares it with those of the
/// functions that may be meant (il/function_pointers.h): all of the module with an address and the
/// right type, to which program/function_pointers.h adds those of the modules that it is linked
/// with. So whatever those do, barriers included, works as in any function that is called, on every
/// device, which need not have addresses of code.
class FunctionPointers {
public:
  explicit FunctionPointers(const quern::spirv::Module& source) : source_(source) {}

  /// Of the function that `instruction` names as its first operand.
  llvm::Constant* addressOf(const quern::spirv::Instruction& instruction, const Type& pointer);
  /// The function that takes a pointer, and calls with its other arguments the function of the type
  /// `type` to which that points. Gives zeros where it points to none.
  llvm::Function& callerOf(const Type& type, llvm::Module& module);
  /// To be called when all functions are known. Fails where an instruction names none.
  void defineCallers(const ModuleReader& reader) const;

private:
  uint64_t numberOf(uint32_t function) const;

  const quern::spirv::Module& source_;
  /// Those with an address, and an instruction that asks for it.
  std::map<uint32_t, const quern::spirv::Instruction*> functions_;
  std::map<llvm::FunctionType*, llvm::Function*> callers_;
};

} // namespace quern::compiler::spirv
