// Collective functions of a work-group that is one packet (names::packetCollectivePrefix).
#include "compiler/il/collective.h"
#include "compiler/il/collective_arithmetic.h"
#include "compiler/il/packet_operation.h"
#include "compiler/packets/packet_sub_groups.h"

namespace quern::compiler {

using llvm::Value;

/// One number where all work-items get the same, else a vector.
Value* emitGroupCollective(PacketValues& values, llvm::CallInst& call) {
  llvm::IRBuilder<>& builder = values.builder();
  const llvm::StringRef name = combineName(call);
  if (name == "any")
    return builder.CreateZExt(builder.CreateIsNotNull(values.holdingBits(call.getArgOperand(1))),
                              call.getType());
  if (name == "all")
    return builder.CreateZExt(
        builder.CreateICmpEQ(values.holdingBits(call.getArgOperand(1)), values.maskBits()),
        call.getType());
  if (name.starts_with("broadcast_")) {
    // All name the same one; one that is not there must not be read either.
    Value* item = builder.CreateFreeze(values.first(call.getArgOperand(2)));
    return builder.CreateExtractElement(values.vector(call.getArgOperand(1)),
                                        builder.CreateAnd(item, values.plan().width - 1));
  }
  Value* results = CollectiveArithmetic::parse(name)->emit(
      builder, values.vector(call.getArgOperand(1)), values.mask(), nullptr);
  return hasOneResult(call) ? builder.CreateExtractElement(results, uint64_t{0}) : results;
}

} // namespace quern::compiler
