#include "compiler/spirv/blocks.h"

#include <llvm/ADT/StringExtras.h>

#include "abi/child_records.h"
#include "base/hash.h"
#include "base/sentence.h"
#include "compiler/il/address_space.h"

namespace quern::compiler::spirv {

llvm::Constant* Blocks::use(uint32_t function, uint64_t literalBytes, llvm::Align alignment,
                            llvm::LLVMContext& context) {
  Block& block = blocks_[function];
  if (block.kernel.empty())
    block.kernel = nameFor(function);
  block.literalBytes = std::max(block.literalBytes, literalBytes);
  block.alignment = std::max(block.alignment, alignment);
  return llvm::ConstantExpr::getIntToPtr(
      llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), abi::blockId(block.kernel)),
      llvm::PointerType::get(context, address_space::generic));
}

const Block* Blocks::find(uint32_t function) const {
  const auto found = blocks_.find(function);
  return found == blocks_.end() ? nullptr : &found->second;
}

std::string Blocks::nameFor(uint32_t function) const {
  const uint64_t hash = contentHash(std::as_bytes(source_.words()));
  return sentence("__block_", llvm::utohexstr(hash), "_", function);
}

} // namespace quern::compiler::spirv
