#pragma once

#include <llvm/IR/Instructions.h>

namespace quern::compiler {

/// Replaces a collective function as the built-in library calls it (il/sub_group_form.h) by
/// `quern.collective.group` or its like for sub-groups: operands and result become private
/// variables, which are places that the function that combines them can find for every work-item.
void lowerCollective(llvm::CallInst& call);

/// Replaces a call of a barrier by the function `name`, with the scope of the call or else
/// `defaultScope`.
void lowerBarrier(llvm::CallInst& call, llvm::StringRef name, unsigned defaultScope);

/// Replaces a barrier by `quern.packet.barrier`, where the work-items that meet at it are one
/// packet.
void lowerBarrierOfPacket(llvm::CallInst& barrier);

/// Replaces what `lowerCollective` made of a collective function of the work-group by an operation
/// on a packet (names::packetCollectivePrefix), where the group is one packet. The private
/// variables become values.
void lowerCollectivesOfPacket(llvm::Function& item, llvm::ArrayRef<llvm::CallInst*> collectives);

/// Adds a barrier of the sub-group that orders no memory before `place`, in a work-item body.
void addSubGroupBarrier(llvm::Instruction& place);

} // namespace quern::compiler
