#pragma once

#include <memory>

#include <llvm/IR/Instructions.h>

#include "compiler/packets/packet_tile.h"
#include "compiler/packets/shapes.h"

namespace quern::compiler {

struct InterleaveGroup;
struct PacketPlan;
class PacketValues;
class TargetModel;

/// How many of a packet's work-items run an access.
enum class Masking : uint8_t {
  All,
  Known, ///< those whose bits are constants, at the edge of groups of one size
  Some,
};

/// A load or a store of a region, or a group of them that a packet makes together, and what the
/// choice of its lowering looks at.
struct PacketAccess {
  llvm::Instruction& instruction; ///< where it is made
  const InterleaveGroup* group;   ///< null for one that is made alone
  Masking masking;
  const PacketPlan& plan;

  bool isLoad() const { return llvm::isa<llvm::LoadInst>(instruction); }
  bool isMasked() const { return masking != Masking::All; }
  llvm::Value* pointer() const { return llvm::getLoadStorePointerOperand(&instruction); }
  llvm::Type* element() const { return llvm::getLoadStoreType(&instruction); }
  int64_t bytes() const;
  Shape shape() const; ///< of the address
  /// -1 and 1 where the work-items' elements lie next to each other, else 0.
  int direction() const;
};

/// How a packet makes an access: one class for each form, which knows what its code costs and how a
/// report calls it.
class AccessLowering {
public:
  explicit AccessLowering(const PacketAccess& access) : access_(access) {}
  virtual ~AccessLowering() = default;

  /// As a report says it: "2 contiguous".
  virtual const char* name() const = 0;
  /// Makes it for the current packet of `values`.
  virtual void emit(PacketValues& values) const = 0;

  /// Whether each work-item makes its own.
  virtual bool isScattered() const { return false; }
  /// What it costs a packet, of which all work-items run it or those of a mask.
  virtual double cost(const TargetModel& target, bool isMasked) const = 0;
  /// The same where a loop comes back to lines of the cache, as where each work-item walks along a
  /// row of its own, and these do not stay there.
  double costOfConflicts(const TargetModel& target) const;

  bool isMasked() const { return access_.isMasked(); }
  const llvm::Instruction& place() const { return access_.instruction; }
  /// Between which packets it differs (TileSharing::varyingDimensions).
  virtual unsigned varyingDimensions(const TileSharing& sharing) const {
    return sharing.varyingDimensions(&access_.instruction);
  }

protected:
  llvm::LoadInst& load() const { return llvm::cast<llvm::LoadInst>(access_.instruction); }
  llvm::StoreInst& store() const { return llvm::cast<llvm::StoreInst>(access_.instruction); }

  PacketAccess access_;
};

/// The lowering of one form for an access, or null if the access has not that form.
using AccessForm = std::unique_ptr<AccessLowering> (*)(const PacketAccess& access);

} // namespace quern::compiler
