#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "abi/checks.h"

/// What the passes of this room share: how code reports a fault.
namespace quern::compiler {

/// Completes `site` with the source line of `instruction`, whose fault it is, and calls
/// names::checkFault where `builder` is. The values are what abi::Fault says, as any numbers of at
/// most 64 bits.
void reportFault(llvm::IRBuilder<>& builder, abi::CheckSite site,
                 const llvm::Instruction& instruction, llvm::Value* first = nullptr,
                 llvm::Value* second = nullptr);

/// A branch before `instruction`, taken where `isFaulty`, which it rarely is; returns the end of
/// the block that it leads to, which goes on with `instruction`.
llvm::Instruction& branchBefore(llvm::Instruction& instruction, llvm::Value* isFaulty);

/// The same for another function of this kind (names::checkAccess and its like).
void tellDevice(llvm::IRBuilder<>& builder, llvm::StringRef function, abi::CheckSite site,
                const llvm::Instruction& instruction, llvm::ArrayRef<llvm::Value*> values);

/// Marks what a check has added, which other checks take no notice of.
void markAsOfChecks(llvm::Value* added);
bool isOfChecks(const llvm::Instruction& instruction);

/// `pointer` as a number, which changes nothing of what is known of it.
llvm::Value* addressOf(llvm::IRBuilder<>& builder, llvm::Value* pointer);

} // namespace quern::compiler
