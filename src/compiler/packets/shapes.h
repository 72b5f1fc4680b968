#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/KnownBits.h>

#include "compiler/il/aligned_ids.h"
#include "compiler/il/uniformity.h"
#include "compiler/packets/private_arrays.h"

namespace quern::compiler {

/// To an id below maxPacketId as much as maxIdSum can be added, or taken from it, in an `int`.
inline constexpr int64_t maxIdSum = int64_t{1} << 24;
inline constexpr int64_t maxPacketId = (int64_t{1} << 31) - maxIdSum;

/// How far back what is asked of a value looks at what the value is made from.
struct ShapeLimits {
  static constexpr unsigned range = 8;        ///< instructions, for how large it gets
  static constexpr unsigned bits = 10;        ///< for what is known of its bits
  static constexpr unsigned speculation = 16; ///< for what it is where nothing wraps
  static constexpr unsigned tests = 6;        ///< that such a speculation makes
  static constexpr unsigned bounds = 6;       ///< for its bounds where a region starts
  static constexpr unsigned parts = 8;        ///< parts of parts of a condition
};

/// How a value changes from one work-item to the next.
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
  /// Of Affine along a column: a uniform number that the stride is multiplied by, or null.
  const llvm::Value* factor = nullptr;

  static Shape uniform() { return {Form::Uniform, 0}; }
  static Shape affine(int64_t stride, const llvm::Value* factor = nullptr) {
    return stride == 0 ? uniform() : Shape{Form::Affine, stride, nullptr, factor};
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

/// The shapes of a region's values for the work-items of one root: how they evolve from one to the
/// next, and how large they get. An affine integer follows its stride modulo its type; a conversion
/// to a wider type is affine only where no work-item's value wraps.
///
/// Packets only run where local and global ids are below maxPacketId, which makes their conversion
/// to `int` exact, and that of their sums with small constants.
class Shapes {
public:
  /// Patterns are found for packets of `width` work-items; 0: none are.
  Shapes(llvm::Function& region, const Uniformity& uniformity, llvm::ScalarEvolution& evolution,
         UniformityRoot root, unsigned width);
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

  /// The shape that `instruction` has where its operands have those that `of` says.
  using Operands = llvm::function_ref<Shape(const llvm::Value*)>;
  Shape evolved(const llvm::Instruction& instruction, Operands of) const;

  /// Whether an integer of at most 32 bits can be computed in 64 bits without wrapping for every
  /// work-item of the packet that computes it, from ids, constants and uniform values.
  bool isExact(const llvm::Value* value) const { return isExact(value, 0); }

  /// What an integer can be in a work-item that computes it.
  llvm::ConstantRange range(const llvm::Value* value) const { return range(value, 0); }

  /// The greatest of these numbers, taken as unsigned; for what has at most 64 bits.
  uint64_t greatest(const llvm::Value* value) const;

  /// What is known of the bits that `value` has in the first work-item of a packet, if it is made
  /// of parameters and constants alone. Addresses count from the parameter `origin`.
  std::optional<llvm::KnownBits> bitsOfFirst(const llvm::Value& value,
                                             const llvm::Value& origin) const;

private:
  // bits.cpp
  using BitsOfLeaf = llvm::function_ref<std::optional<llvm::KnownBits>(const llvm::Value*)>;
  std::optional<llvm::KnownBits> bitsOf(const llvm::Value& value, BitsOfLeaf ofLeaf,
                                        unsigned depth) const;
  std::optional<llvm::KnownBits> bitsOfAddress(const llvm::GetElementPtrInst& address,
                                               BitsOfLeaf ofLeaf, unsigned depth) const;
  // ranges.cpp
  bool isExact(const llvm::Value* value, unsigned depth) const;
  llvm::ConstantRange range(const llvm::Value* value, unsigned depth) const;
  std::optional<llvm::ConstantRange> rangeOfResult(const llvm::Instruction& instruction,
                                                   unsigned depth) const;
  bool isSmall(const llvm::Value* value) const;
  bool isId(const llvm::Value* value) const;
  const llvm::Value* idOfSum(const llvm::Value* high) const;

  Shape fromOffsets(std::vector<int64_t> offsets) const;
  Shape combined(Shape a, Shape b,
                 llvm::function_ref<bool(int64_t, int64_t, int64_t&)> overflows) const;
  Shape scaled(Shape shape, int64_t factor) const;
  Shape ofPartOfId(const llvm::Instruction& instruction, Shape id) const;
  Shape ofConstants(const llvm::Instruction& instruction) const;
  Shape product(Shape shape, const llvm::Value* factor) const;
  Shape ofPhi(const llvm::PHINode& phi) const;
  Shape ofConversion(const llvm::CastInst& conversion, Operands of) const;
  Shape ofBinary(const llvm::Instruction& instruction, Operands of) const;
  Shape ofAddress(const llvm::GetElementPtrInst& address, Operands of) const;

  const llvm::Function& region_;
  bool isColumn_;
  const Uniformity& uniformity_;
  AlignedIds ids_;
  llvm::ScalarEvolution& evolution_;
  PrivateArrays arrays_;
  /// The id that grows by 1 from one work-item of the root to the next, and the local linear id,
  /// where that does, too.
  const llvm::Value *item_, *itemIndex_;
  std::array<const llvm::Value*, 3> itemsOfDimensions_, first_;
  unsigned width_;
  unsigned items_;
  bool startsAtZero_; ///< each row of the group is one packet
  bool isWholeRow_;
  mutable std::set<std::vector<int64_t>> offsets_;
  llvm::DenseMap<const llvm::Value*, Shape> shapes_;
};

/// By how much a number or an address grows from one work-item of a row to the next, where that is
/// a constant: before packets are made, also of what is no value of the region.
std::optional<llvm::APInt> strideInRow(const llvm::SCEV& number, llvm::Function& region,
                                       llvm::ScalarEvolution& evolution);

/// The shapes of a region's values for each root that is asked for.
class LaneShapes {
public:
  LaneShapes(llvm::Function& region, Uniformities& uniformities, llvm::ScalarEvolution& evolution)
      : region_(&region), uniformities_(&uniformities), evolution_(&evolution) {}

  /// What is asked first must be asked before the region changes.
  const Shapes& of(UniformityRoot root, unsigned width = 0);
  const Shapes& ofPackets(unsigned width) { return of(UniformityRoot::packet(width), width); }

  bool invalidate(llvm::Function& region, const llvm::PreservedAnalyses& preserved,
                  llvm::FunctionAnalysisManager::Invalidator& invalidator);

private:
  llvm::Function* region_;
  Uniformities* uniformities_;
  llvm::ScalarEvolution* evolution_;
  std::map<std::pair<UniformityRoot, unsigned>, std::unique_ptr<Shapes>> known_;
};

class ShapeAnalysis : public llvm::AnalysisInfoMixin<ShapeAnalysis> {
public:
  using Result = LaneShapes;
  LaneShapes run(llvm::Function& region, llvm::FunctionAnalysisManager& analyses);

private:
  friend llvm::AnalysisInfoMixin<ShapeAnalysis>;
  static llvm::AnalysisKey Key;
};

} // namespace quern::compiler
