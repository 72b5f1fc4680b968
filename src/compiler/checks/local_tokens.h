#pragma once

#include <optional>

#include <llvm/IR/IRBuilder.h>

#include "compiler/checks/accesses.h"

namespace quern::compiler {

/// What there is to say of an access of local memory, as values before it.
struct LocalAccess {
  llvm::Value* isNews; ///< i1: whether the device has to be told of it
  llvm::Value* own;    ///< i32: an abi::AccessToken for OwnReads of the work-item
};

/// Finds out in the kernel's own code of which accesses of local memory the device need not be told
/// (abi::AccessToken): most of them, where work-items read what others have read since the last
/// barrier. What it reads is set by the device alone, and may be older than what another work-item
/// has just told, which changes nothing: what a token stands for holds until the next barrier.
class LocalTokens {
public:
  explicit LocalTokens(llvm::Function& body) : body_(body) {}

  /// Nothing where the device has to be told of `access`, which is one of local memory, in any
  /// case.
  std::optional<LocalAccess> of(const CheckedAccess& access);

private:
  void prepare();
  void countIntervals(llvm::IRBuilder<>& builder);
  llvm::Value* loadOfScratch(llvm::IRBuilder<>& builder, llvm::Type* type, uint64_t offset) const;
  /// Of the token that `address` points to.
  llvm::Value* isNews(llvm::IRBuilder<>& builder, const CheckedAccess& access, llvm::Value* address,
                      llvm::Value* interval, llvm::Value* own) const;

  llvm::Function& body_;
  llvm::AllocaInst* interval_ = nullptr; ///< its number, where that is in a token
  llvm::Value* item_ = nullptr;          ///< likewise
  llvm::Value* tokens_ = nullptr;        ///< of the first byte of local memory
};

} // namespace quern::compiler
