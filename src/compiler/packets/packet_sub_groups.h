#pragma once

#include "compiler/packets/packet_part.h"

namespace quern::compiler {

/// Makes the functions of a sub-group that is a packet.
class PacketSubGroups : PacketPart {
public:
  explicit PacketSubGroups(PacketValues& values) : PacketPart(values) {}

  llvm::Value* emit(llvm::CallInst& call);
  /// Once the function is complete: what was called of the built-in library becomes part of it.
  void finish();

private:
  llvm::Value* itemsOfPacket();
  llvm::Value* voted(llvm::CallInst& call, llvm::StringRef name);
  llvm::Value* fromFirst(llvm::CallInst& call);
  llvm::Value* picked(llvm::CallInst& call);
  llvm::Value* permuted(llvm::Value* values, llvm::Value* items);
  llvm::Value* taken(llvm::Value* values, llvm::Value* items);
  llvm::Value* combineInMemory(llvm::CallInst& call);

  llvm::SmallVector<llvm::CallInst*> combines_;
};

/// Makes a collective function of a work-group that is one packet (names::packetCollectivePrefix).
llvm::Value* emitGroupCollective(PacketValues& values, llvm::CallInst& call);

} // namespace quern::compiler
