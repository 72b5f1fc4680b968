#pragma once

#include <array>
#include <optional>
#include <set>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "compiler/il/aligned_ids.h"
#include "compiler/il/uniformity.h"
#include "compiler/packets/private_arrays.h"

namespace quern::compiler {

/// To an id below maxPacketId as much as maxIdSum can be added, or taken from it, in an `int`.
inline constexpr int64_t maxIdSum = int64_t{1} << 24;
inline constexpr int64_t maxPacketId = (int64_t{1} << 31) - maxIdSum;

/// How a value changes from one work-item of a packet to the next.
struct Shape {
  enum class Form : uint8_t {
    Uniform, ///< not at all
    Affine,  ///< by `stride`: a number, or bytes of an address
    Pattern, ///< by `offsets` from the first one's, as the ids of several short rows
    Varying, ///< in no known way
  };
  Form form = Form::Varying;
  int64_t stride = 0; ///< of Affine; not 0
  /// Of Pattern, for each work-item of the packet; kept, and only once, by the Shapes that made it.
  const std::vector<int64_t>* offsets = nullptr;

  static Shape uniform() { return {Form::Uniform, 0}; }
  static Shape affine(int64_t stride) {
    return stride == 0 ? uniform() : Shape{Form::Affine, stride};
  }
  static Shape varying() { return {Form::Varying, 0}; }

  /// From the packet's first work-item to another one; for all but Varying.
  int64_t offset(unsigned item) const {
    return offsets ? (*offsets)[item] : static_cast<int64_t>(static_cast<uint64_t>(stride) * item);
  }

  bool isVarying() const { return form == Form::Varying; }
  bool isAffine() const { return form == Form::Affine; }
  bool isPattern() const { return form == Form::Pattern; }
  bool isUniform() const { return form == Form::Uniform; }
  /// Each work-item's value differs from that of the first by a constant of its own.
  bool isShifted() const { return isAffine() || isPattern(); }
  bool operator==(const Shape&) const = default;
};

/// The shapes of a region's values. An affine integer follows its stride modulo its type; a
/// conversion to a wider type is affine only where no work-item's value wraps.
///
/// Packets only run where local and global ids are below maxPacketId, which makes their conversion
/// to `int` exact, and that of their sums with small constants.
class Shapes {
public:
  /// `evolution` tells how large uniform values get; without it they may be any number. Of
  /// work-items between two multiples of `alignment`. Patterns are found for packets of `width`
  /// work-items; 0: none are.
  Shapes(llvm::Function& region, Uniformities& uniformities,
         llvm::ScalarEvolution* evolution = nullptr, uint64_t alignment = 1, unsigned width = 0);
  Shapes(const Shapes&) = delete;
  Shapes& operator=(const Shapes&) = delete;

  /// Of the packets that patterns are found for; 0 for none.
  unsigned width() const { return width_; }
  /// Work-items of a packet that may lie in the work-group; the offsets of others mean nothing.
  unsigned items() const { return items_; }
  /// Whether every row of a group is one packet, and all groups are as large.
  bool isWholeRow() const { return isWholeRow_; }

  const PrivateArrays& arrays() const { return arrays_; }
  Shape of(const llvm::Value* value) const;

  /// Whether an integer of at most 32 bits can be computed in 64 bits without wrapping for every
  /// work-item of the packet that computes it, from ids, constants and uniform values.
  bool isExact(const llvm::Value* value) const { return range(value, 0).has_value(); }

  /// The greatest number that a value of at most 64 bits can be in a work-item that computes it,
  /// taken as unsigned.
  uint64_t greatest(const llvm::Value* value) const { return greatest(value, 0); }

  /// Whether a condition compares an affine integer of at least 32 bits with a uniform one.
  bool comparesAffine(const llvm::Value* condition) const;

private:
  /// The least and the greatest value that a work-item may have.
  struct Range {
    int64_t low, high;
  };
  std::optional<Range> range(const llvm::Value* value, unsigned depth) const;
  std::optional<Range> rangeOfUniform(const llvm::Value* value) const;
  static std::optional<Range> rangeOfPart(unsigned opcode, const std::optional<Range>& of,
                                          int64_t constant);
  std::optional<Range> rangeOfOperation(const llvm::BinaryOperator& operation,
                                        unsigned depth) const;
  uint64_t greatest(const llvm::Value* value, unsigned depth) const; // greatest.cpp
  std::optional<uint64_t> greatestOfOperation(const llvm::Instruction& instruction,
                                              unsigned depth) const;
  bool isSmall(const llvm::Value* value) const;
  bool isId(const llvm::Value* value) const;
  Shape fromOffsets(std::vector<int64_t> offsets) const;
  Shape combined(Shape a, Shape b,
                 llvm::function_ref<bool(int64_t, int64_t, int64_t&)> overflows) const;
  Shape scaled(Shape shape, int64_t factor) const;
  Shape ofPartOfId(const llvm::Instruction& instruction) const;
  Shape ofConstants(const llvm::Instruction& instruction) const;
  llvm::Constant* valueFor(const llvm::Value* value, unsigned item, unsigned depth) const;
  const llvm::Value* idOfSum(const llvm::Value* high) const;
  Shape compute(const llvm::Instruction& instruction) const;
  Shape ofPhi(const llvm::PHINode& phi) const;
  Shape ofBinary(const llvm::Instruction& instruction) const;
  Shape ofAddress(const llvm::GetElementPtrInst& address) const;

  const llvm::Function& region_;
  const Uniformity& uniformity_;
  AlignedIds ids_;
  llvm::ScalarEvolution* evolution_;
  PrivateArrays arrays_;
  const llvm::Value *item_, *itemIndex_; ///< in dimension 0; in all
  std::array<const llvm::Value*, 3> itemsOfDimensions_, first_;
  unsigned width_;
  unsigned items_;
  bool startsAtZero_; ///< each row of the group is one packet
  bool isWholeRow_;
  mutable std::set<std::vector<int64_t>> offsets_;
  llvm::DenseMap<const llvm::Value*, Shape> shapes_;
};

} // namespace quern::compiler
