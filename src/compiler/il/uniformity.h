#pragma once

#include <map>
#include <memory>
#include <optional>

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/CycleInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// The work-items that a question of uniformity is about.
struct UniformityRoot {
  enum class Of : uint8_t {
    WorkGroup, ///< in a work-item body: all of a group
    SubGroup,  ///< in a work-item body whose sub-groups are not lowered yet: those of a sub-group
    Row,       ///< in a region: those that differ only in their id in dimension 0
    Column,    ///< in a region: those that differ only in their id in dimension 1
  };
  Of of;
  /// Of Row: those between two multiples of this, as the work-items of a packet are whose width is
  /// one (il/aligned_ids.h). 1: all of a row, which no packet leaves. Of SubGroup: that sub-groups
  /// are such packets; 1: they are not known to be.
  uint64_t alignment = 1;

  static constexpr UniformityRoot workGroup() { return {Of::WorkGroup}; }
  static constexpr UniformityRoot subGroup(uint64_t alignment) { return {Of::SubGroup, alignment}; }
  static constexpr UniformityRoot row() { return {Of::Row}; }
  static constexpr UniformityRoot packet(uint64_t alignment) { return {Of::Row, alignment}; }
  static constexpr UniformityRoot column() { return {Of::Column}; }
  auto operator<=>(const UniformityRoot&) const = default;
};

/// Which values are the same for all of a root's work-items: LLVM's analysis, told what differs
/// (ids, private memory, results of atomics), and what it leaves out where paths join.
///
/// That work-items which diverge at a branch are together again where their paths join is true of
/// packets and of barriers of the work-group, which all reach together. Sub-groups may run ahead of
/// each other, so in a body where they meet and paths diverge at all, nothing counts as the same.
class Uniformity {
public:
  Uniformity(llvm::Function& function, UniformityRoot root, const llvm::DominatorTree& dominators,
             const llvm::CycleInfo& cycles);

  bool nothingIsUniform() const { return nothingIsUniform_; }

  /// Whether `value` is the same for those that compute it together.
  bool isUniform(const llvm::Value& value) const {
    return !nothingIsUniform_ && !info_->isDivergent(&value);
  }
  /// The same, also wherever it is used: nobody has left a loop with that of an earlier iteration.
  bool isUniformWhereUsed(const llvm::Instruction& value) const;
  /// The same of one use.
  bool isUniformAt(const llvm::Use& use) const;

  /// Whether such work-items may leave `block` in different directions.
  bool hasDivergentTerminator(const llvm::BasicBlock& block) const;

private:
  class Target;
  using Values = llvm::SmallPtrSet<const llvm::Value*, 4>;
  bool addExitValues(const llvm::CycleInfo& cycles);

  Values exitValues_; ///< differ where work-items left a cycle by different ways
  llvm::TargetTransformInfo target_;
  mutable std::optional<llvm::UniformityInfo> info_; // its queries are not const
  bool nothingIsUniform_ = false;
};

/// The uniformity of a function's values for each root that is asked for.
class Uniformities {
public:
  explicit Uniformities(llvm::Function& function);

  /// The same object for a packet and its row where nothing depends on the alignment. What is asked
  /// first must be asked before the function changes.
  const Uniformity& of(UniformityRoot root);

private:
  struct Structure {
    explicit Structure(llvm::Function& function);
    llvm::DominatorTree dominators;
    llvm::CycleInfo cycles;
  };
  llvm::Function* function_;
  std::unique_ptr<Structure> structure_;
  std::map<UniformityRoot, std::unique_ptr<Uniformity>> known_;
};

class UniformityAnalysis : public llvm::AnalysisInfoMixin<UniformityAnalysis> {
public:
  using Result = Uniformities;
  Uniformities run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return Uniformities(function);
  }

private:
  friend llvm::AnalysisInfoMixin<UniformityAnalysis>;
  static llvm::AnalysisKey Key;
};

} // namespace quern::compiler
