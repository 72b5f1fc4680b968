#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace quern::compiler {

/// Parameters that a work-item body and the regions made from it take after the kernel's own.
/// Triples are in the order of the dimensions.
enum class ImplicitArgument : unsigned {
  Launch,  ///< ptr: abi::LaunchInfo
  Scratch, ///< ptr: abi::GroupScratch
  Local,   ///< ptr addrspace(3): local memory of the work-group
  Group,   ///< 3 x i64: group id
  Size =
      Group +
      3, ///< 3 x i64: size of this group, smaller than the enqueued size at the edge of an NDRange
  First = Size + 3, ///< 3 x i64: global id of the group's first work-item
  Item = First + 3, ///< 3 x i64: local id
  Count = Item + 3,
};

/// Whether Clang made `function` from a kernel of the program. Its own kernel for initialising
/// program-scope objects is none.
bool isClangKernel(const llvm::Function& function);

/// "kernel 'k'" or "function 'f(int)'", for messages to the program's author.
std::string describeFunction(const llvm::Function& function);

/// The symbol of the entry of the kernel `name`. The prefix keeps kernels apart from the few
/// functions that code may import.
std::string entrySymbol(llvm::StringRef name);

/// Types of the implicit arguments, in order.
std::vector<llvm::Type*> implicitArgumentTypes(llvm::LLVMContext& context);

/// Gives the implicit arguments of `function`, which start at `first`, their names and attributes.
void nameImplicitArguments(llvm::Function& function, unsigned first);

/// An implicit argument of a work-item body or region.
llvm::Argument* implicitArgument(llvm::Function& function, ImplicitArgument which,
                                 unsigned dimension = 0);

/// How many parameters of a work-item body or region are the kernel's own.
unsigned kernelArgumentCount(const llvm::Function& function);

/// Where code is inserted that comes before all else that a function does.
llvm::Instruction* startOf(llvm::Function& function);

/// Reads or writes one of the number attributes of il/names.h; absent reads as 0.
uint64_t numberAttribute(const llvm::Function& function, llvm::StringRef name);
void setNumberAttribute(llvm::Function& function, llvm::StringRef name, uint64_t value);

/// The functions of `module` that have a body and the attribute kernelAttribute, in module order.
std::vector<llvm::Function*> kernelFunctions(llvm::Module& module);

/// Whether programs keep values between launches in variables of their own. Only this code knows
/// where they are: code that is compiled later would have variables of its own. So it has code for
/// ids that packets cannot have (work-group-loops), from the general form of each kernel.
bool hasVariables(const llvm::Module& module);

/// Work-items of a full sub-group of a kernel, work-item body or region; at least 1.
uint64_t subGroupSize(const llvm::Function& function);

/// Whether a device may cut NDRanges in `dimension` as it likes (names::flatAttribute).
bool isFlat(const llvm::Function& function, unsigned dimension);

/// Whether NDRanges begin at id 0 in all dimensions (names::zeroOffsetAttribute).
bool hasZeroOffset(const llvm::Function& function);

/// Whether all work-groups have the size that is enqueued (-cl-uniform-work-group-size).
bool hasUniformGroups(const llvm::Function& kernel);
void setUniformGroups(llvm::Function& kernel);

/// The three numbers of reqd_work_group_size, or zeros.
std::array<uint64_t, 3> requiredWorkGroupSize(const llvm::Function& kernel);

} // namespace quern::compiler
