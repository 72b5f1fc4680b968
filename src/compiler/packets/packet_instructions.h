#pragma once

#include "compiler/packets/accesses/access_plan.h"
#include "compiler/packets/packet_conditions.h"
#include "compiler/packets/packet_divisions.h"
#include "compiler/packets/packet_sub_groups.h"

namespace quern::compiler {

/// Makes the instructions of a tile of packets from those of its region.
class PacketInstructions : PacketPart {
public:
  PacketInstructions(PacketValues& values, const AccessPlan& accesses)
      : PacketPart(values), accesses_(accesses), conditions_(values), divisions_(values),
        subGroups_(values) {}

  void emit(llvm::Instruction& instruction);
  PacketConditions& conditions() { return conditions_; }
  /// Once the function is complete.
  void finish() { subGroups_.finish(); }

private:
  void emitOne(llvm::Instruction& instruction);
  llvm::Value* valueOf(llvm::Instruction& instruction);
  llvm::Value* fromOtherRow(llvm::Instruction& instruction);
  llvm::Value* emitScalar(llvm::Instruction& instruction);
  void emitPrefetch(llvm::CallInst& call);
  llvm::Value* emitWide(llvm::Instruction& instruction);
  llvm::Value* exact(llvm::Value* value);
  llvm::Value* emitVector(llvm::Instruction& instruction);
  llvm::Value* emitCondition(llvm::SelectInst& select);
  llvm::Value* emitComparison(llvm::CmpInst& comparison);
  bool isShortId(const llvm::Value* value) const;
  llvm::Value* shortened(llvm::Value* value);
  llvm::Value* emitAddress(llvm::GetElementPtrInst& address);
  llvm::Value* emitVariable(llvm::AllocaInst& variable);
  llvm::Value* emitInterleavedAddress(llvm::GetElementPtrInst& address);
  llvm::Value* emitCall(llvm::CallInst& call);

  const AccessPlan& accesses_;
  PacketConditions conditions_;
  PacketDivisions divisions_;
  PacketSubGroups subGroups_;
};

} // namespace quern::compiler
