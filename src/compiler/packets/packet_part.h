#pragma once

#include "compiler/packets/packet_values.h"

namespace quern::compiler {

/// What makes some of a packet's instructions from the region's values.
class PacketPart {
protected:
  explicit PacketPart(PacketValues& values)
      : values_(values), plan_(values.plan()), function_(values.function()),
        builder_(values.builder()) {}

  void setPacket(unsigned packet) { values_.setPacket(packet); }
  llvm::Value* scalar(llvm::Value* value) { return values_.scalar(value); }
  llvm::Value* vector(llvm::Value* value) { return values_.vector(value); }
  llvm::VectorType* vectorType(llvm::Type* element) const { return values_.vectorType(element); }
  Shape shapeOf(const llvm::Value* value) const { return plan_.shapes.of(value); }
  llvm::Value* mask() const { return values_.mask(); }

  PacketValues& values_;
  const PacketPlan& plan_;
  llvm::Function& function_;
  llvm::IRBuilder<>& builder_;
};

} // namespace quern::compiler
