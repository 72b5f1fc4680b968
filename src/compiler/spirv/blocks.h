#pragma once

#include <map>
#include <string>

#include <llvm/IR/Constants.h>
#include <llvm/Support/Alignment.h>

#include "spirv/module.h"

namespace quern::compiler::spirv {

/// A function that kernels enqueue. Its kernel takes a copy of the bytes that the enqueuing kernel
/// points to, and passes the function the address of the copy.
struct Block {
  std::string kernel; ///< the name
  uint64_t literalBytes = 0;
  llvm::Align alignment;
};

/// The blocks of a module by the ids of their functions, as far as they have been met.
class Blocks {
public:
  explicit Blocks(const quern::spirv::Module& source) : source_(source) {}

  /// Adds a use with so many bytes, and returns what the built-in library knows the block by.
  llvm::Constant* use(uint32_t function, uint64_t literalBytes, llvm::Align alignment,
                      llvm::LLVMContext& context);

  const Block* find(uint32_t function) const;
  auto begin() const { return blocks_.begin(); }
  auto end() const { return blocks_.end(); }

private:
  /// No other module's, for those that this one is linked with.
  std::string nameFor(uint32_t function) const;

  const quern::spirv::Module& source_;
  std::map<uint32_t, Block> blocks_;
};

} // namespace quern::compiler::spirv
