#pragma once

#include <array>
#include <optional>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>

#include "compiler/packets/packet_tile.h"
#include "compiler/packets/shapes.h"

namespace quern::compiler {

/// By how much a number or an address grows from one work-item of a tile to the next, in bytes for
/// addresses: `count`, times `factor` where that is not null: a number that the whole tile has in
/// common. As numbers wrap, so do sums of steps.
struct Step {
  int64_t count = 0;
  llvm::Value* factor = nullptr;
};

/// The steps of a region's values along dimension 0 (over all columns of a tile) and along
/// dimension 1. Unlike a shape, which speaks of the work-items of one packet.
class PacketSteps {
public:
  /// All are kept by the caller as long as this.
  PacketSteps(llvm::Function& region, const TileSharing& sharing, const Shapes& shapes)
      : region_(region), sharing_(sharing), shapes_(shapes) {}

  /// Nothing if it is not the same everywhere in the tile, or not known. 0 for what the tile has
  /// in common.
  std::optional<Step> of(const llvm::Value* value, unsigned dimension) {
    return of(value, dimension, 0);
  }

private:
  std::optional<Step> of(const llvm::Value* value, unsigned dimension, unsigned depth);
  std::optional<Step> compute(const llvm::Instruction& instruction, unsigned dimension,
                              unsigned depth);
  std::optional<Step> ofPhi(const llvm::PHINode& phi, unsigned dimension, unsigned depth);
  std::optional<Step> ofProduct(const llvm::Instruction& product, unsigned dimension,
                                unsigned depth);
  std::optional<Step> ofAddress(const llvm::GetElementPtrInst& address, unsigned dimension,
                                unsigned depth);

  llvm::Function& region_;
  const TileSharing& sharing_;
  const Shapes& shapes_;
  /// Of each dimension; and whose steps these are, in the order in which they became known.
  std::array<llvm::DenseMap<const llvm::Value*, std::optional<Step>>, 2> known_;
  std::array<std::vector<const llvm::Value*>, 2> order_;
};

} // namespace quern::compiler
