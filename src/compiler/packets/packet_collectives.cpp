// Collective functions of a work-group that is one packet (names::packetCollectivePrefix).
#include "compiler/il/collective.h"
#include "compiler/il/collective_arithmetic.h"
#include "compiler/il/packet_operation.h"
#include "compiler/packets/packet_values.h"

namespace quern::compiler {

using llvm::Value;

/// One number where all work-items get the same, else a vector.
Value* PacketValues::emitGroupCollective(llvm::CallInst& call) {
  const llvm::StringRef name = combineName(call);
  if (name == "any")
    return builder_.CreateZExt(builder_.CreateIsNotNull(holdingBits(call.getArgOperand(1))),
                               call.getType());
  if (name == "all")
    return builder_.CreateZExt(
        builder_.CreateICmpEQ(holdingBits(call.getArgOperand(1)), maskBits()), call.getType());
  if (name.starts_with("broadcast_")) {
    // All name the same one; one that is not there must not be read either.
    Value* item = builder_.CreateFreeze(first(call.getArgOperand(2)));
    return builder_.CreateExtractElement(vector(call.getArgOperand(1)),
                                         builder_.CreateAnd(item, plan_.width - 1));
  }
  Value* results = CollectiveArithmetic::parse(name)->emit(builder_, vector(call.getArgOperand(1)),
                                                           mask_, nullptr);
  return hasOneResult(call) ? builder_.CreateExtractElement(results, uint64_t{0}) : results;
}

} // namespace quern::compiler
