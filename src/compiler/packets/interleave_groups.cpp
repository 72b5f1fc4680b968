#include "compiler/packets/interleave_groups.h"

#include <algorithm>

#include "compiler/il/address_space.h"
#include "compiler/packets/access_pattern.h"

namespace quern::compiler {
namespace {

/// Elements from one work-item to the next up to which a packet reads or writes all between.
constexpr int64_t maxStride = 16;
/// The same for a single access, which needs one of them only.
constexpr int64_t maxStrideOfOne = 8;
/// Elements of a group whose work-items have places of their own.
constexpr unsigned maxRow = 16;

/// A group that may still grow.
struct Candidate {
  llvm::Instruction* first;
  const llvm::SCEV* address; ///< of the first member
  Shape shape;
  llvm::Type* element;
  std::vector<std::pair<llvm::Instruction*, int64_t>> members; ///< and bytes from the first

  /// Bytes from the first member to the lowest one and to the highest one.
  std::pair<int64_t, int64_t> reach() const {
    const auto [low, high] =
        std::ranges::minmax_element(members, {}, [](const auto& member) { return member.second; });
    return {low->second, high->second};
  }
};

unsigned spaceOf(const llvm::Instruction& access) {
  return llvm::getLoadStorePointerOperand(&access)->getType()->getPointerAddressSpace();
}

bool mayTouchSame(unsigned a, unsigned b) {
  return a == b || a == address_space::generic || b == address_space::generic;
}

bool isCandidate(const llvm::Instruction& access, const Shapes& shapes) {
  const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&access);
  if (!pointer || access.isVolatile() || access.isAtomic() || shapes.of(pointer).isUniform() ||
      shapes.arrays().isInterleaved(pointer))
    return false;
  const llvm::Type* type = llvm::getLoadStoreType(&access);
  return type->isFloatingPointTy() || (type->isIntegerTy() && type->getIntegerBitWidth() >= 8);
}

class BlockSearch {
public:
  BlockSearch(const Shapes& shapes, llvm::ScalarEvolution& evolution)
      : shapes_(shapes), evolution_(evolution) {}

  std::vector<Candidate> run(llvm::BasicBlock& block) {
    for (llvm::Instruction& instruction : block) {
      if (isCandidate(instruction, shapes_))
        add(instruction);
      // What was opened before must not move across this.
      if (instruction.mayWriteToMemory() || instruction.mayReadFromMemory())
        closeConflicting(instruction);
    }
    std::ranges::move(open_, std::back_inserter(done_));
    return std::move(done_);
  }

private:
  void add(llvm::Instruction& access) {
    llvm::Value* pointer = llvm::getLoadStorePointerOperand(&access);
    const llvm::SCEV* address = evolution_.getSCEV(pointer);
    const Shape shape = shapes_.of(pointer);
    for (Candidate& candidate : open_) {
      if (candidate.element != llvm::getLoadStoreType(&access) || candidate.shape != shape ||
          candidate.first->getOpcode() != access.getOpcode() ||
          spaceOf(*candidate.first) != spaceOf(access))
        continue;
      if (const auto bytes = evolution_.computeConstantDifference(address, candidate.address);
          bytes && bytes->isSignedIntN(32) && isNear(candidate, bytes->getSExtValue())) {
        candidate.members.emplace_back(&access, bytes->getSExtValue());
        return;
      }
    }
    open_.push_back({&access, address, shape, llvm::getLoadStoreType(&access), {{&access, 0}}});
  }

  /// Whether what lies so far from the first member may be in its group: before the next
  /// work-item's members, where those follow soon. What is unrolled has other groups behind.
  static bool isNear(const Candidate& candidate, int64_t bytes) {
    const auto [low, high] = candidate.reach();
    const llvm::DataLayout& layout = candidate.first->getDataLayout();
    const int64_t size = layout.getTypeStoreSize(candidate.element).getFixedValue();
    const int64_t stride = candidate.shape.isAffine() ? candidate.shape.stride : 0;
    const int64_t limit = stride > size ? std::min(stride, maxStride * size) : maxStride * size;
    return std::max(high, bytes) - std::min(low, bytes) < limit;
  }

  void closeConflicting(const llvm::Instruction& instruction) {
    const bool isAccess = llvm::getLoadStorePointerOperand(&instruction) != nullptr &&
                          !instruction.isVolatile() && !instruction.isAtomic();
    std::vector<Candidate> stillOpen;
    for (Candidate& candidate : open_) {
      const bool isOwn = candidate.members.back().first == &instruction;
      const bool conflicts =
          !isAccess || mayTouchSame(spaceOf(*candidate.first), spaceOf(instruction));
      const bool areLoads =
          llvm::isa<llvm::LoadInst>(candidate.first) && llvm::isa<llvm::LoadInst>(instruction);
      if (isOwn || areLoads || !conflicts)
        stillOpen.push_back(std::move(candidate));
      else
        done_.push_back(std::move(candidate));
    }
    open_ = std::move(stillOpen);
  }

  const Shapes& shapes_;
  llvm::ScalarEvolution& evolution_;
  std::vector<Candidate> open_, done_;
};

/// What becomes of a candidate; no members if each access is better made alone.
InterleaveGroup form(const Candidate& candidate, const llvm::DataLayout& layout,
                     const Shapes& shapes) {
  const int64_t size = layout.getTypeStoreSize(candidate.element).getFixedValue();
  if (isInPattern(candidate.shape, size, shapes))
    return {};
  if (llvm::any_of(candidate.members, [&](const auto& m) { return m.second % size != 0; }))
    return {};
  const auto [low, high] = candidate.reach();
  InterleaveGroup group;
  group.element = candidate.element;
  group.span = (high - low) / size + 1;
  std::vector<bool> taken(group.span);
  for (auto [access, bytes] : candidate.members) {
    const unsigned offset = (bytes - low) / size;
    if (taken[offset])
      return {};
    taken[offset] = true;
    if (offset == 0)
      group.alignment = llvm::getLoadStoreAlignment(access);
    group.members.push_back({access, offset});
  }
  const int64_t stride = candidate.shape.isAffine() ? candidate.shape.stride : 0;
  const int64_t limit = group.members.size() > 1 ? maxStride : maxStrideOfOne;
  const bool isDense = !group.isStore() || int64_t(group.members.size()) * 2 * size >= stride;
  if (stride > size && stride % size == 0 && stride <= limit * size && isDense &&
      group.span <= stride / size) {
    group.stride = stride / size;
    return group;
  }
  const bool areNeighbours = candidate.shape.isAffine() && std::abs(candidate.shape.stride) <= size;
  if (!areNeighbours && group.members.size() == group.span && group.span > 1 &&
      group.span <= maxRow && llvm::isPowerOf2_32(group.span))
    return group;
  return {};
}

} // namespace

InterleaveGroups::InterleaveGroups(llvm::Function& region, const Shapes& shapes,
                                   llvm::ScalarEvolution& evolution) {
  for (llvm::BasicBlock& block : region)
    for (const Candidate& candidate : BlockSearch(shapes, evolution).run(block)) {
      InterleaveGroup group = form(candidate, region.getDataLayout(), shapes);
      for (const InterleaveGroup::Member& member : group.members)
        numbers_[member.access] = groups_.size();
      if (!group.members.empty())
        groups_.push_back(std::move(group));
    }
}

} // namespace quern::compiler
