#include <optional>

#include "compiler/packets/access_emitter.h"
#include "compiler/packets/accesses/access_forms.h"
#include "compiler/packets/accesses/speculation_test.h"
#include "compiler/packets/no_wrap_speculation.h"
#include "compiler/packets/packet_part.h"
#include "compiler/target/target_model.h"

namespace quern::compiler {
namespace {

using llvm::Value;

class GroupEmitter : PacketPart {
public:
  /// `speculation` of groups whose work-items have places of their own, or null.
  GroupEmitter(PacketValues& values, const InterleaveGroup& group,
               const NoWrapSpeculation* speculation)
      : PacketPart(values), group_(group), speculation_(speculation) {}

  void run();

private:
  using Vectors = AccessEmitter::Vectors;

  Vectors make(const Vectors& stored);
  Vectors makeStrided(const InterleaveGroup& group, Value* base, Value* mask,
                      const Vectors& stored);
  Vectors makeRows(llvm::ArrayRef<Value*> addresses, const Vectors& stored);
  Value* pointer() const { return llvm::getLoadStorePointerOperand(group_.place().access); }
  Value* lowestMember(Value* pointer);
  llvm::SmallVector<Value*, 16> rowAddresses();
  llvm::AllocaInst* unusedMemory();

  const InterleaveGroup& group_;
  const NoWrapSpeculation* speculation_;
};

void GroupEmitter::run() {
  Vectors stored(group_.isStore() ? group_.span : 0);
  if (group_.isStore())
    for (auto [access, offset] : group_.members)
      stored[offset] = vector(llvm::cast<llvm::StoreInst>(access)->getValueOperand());
  const Vectors loaded = make(stored);
  if (!group_.isStore())
    for (auto [access, offset] : group_.members)
      values_.define(*access, loaded[offset]);
}

/// What is loaded; nothing where all is `stored`.
GroupEmitter::Vectors GroupEmitter::make(const Vectors& stored) {
  if (group_.stride != 0)
    return makeStrided(group_, lowestMember(scalar(pointer())), mask(), stored);
  const llvm::SmallVector<Value*, 16> addresses = rowAddresses();
  if (!speculation_)
    return makeRows(addresses, stored);
  InterleaveGroup together = group_;
  together.stride = group_.span;
  SpeculationTest test(values_, *speculation_);
  Value* condition = test.noneWraps();
  Value* base = lowestMember(test.unwrapped(pointer()));
  Value* all = mask();
  return test.either(
      condition, [&] { return makeStrided(together, base, all, stored); },
      [&] { return makeRows(addresses, stored); });
}

GroupEmitter::Vectors GroupEmitter::makeStrided(const InterleaveGroup& group, Value* base,
                                                Value* mask, const Vectors& stored) {
  AccessEmitter emitter(builder_, group, plan_.width);
  if (!group.isStore())
    return emitter.loadStrided(base, mask);
  emitter.storeStrided(base, stored, mask);
  return {};
}

GroupEmitter::Vectors GroupEmitter::makeRows(llvm::ArrayRef<Value*> addresses,
                                             const Vectors& stored) {
  AccessEmitter emitter(builder_, group_, plan_.width);
  if (!group_.isStore())
    return emitter.loadRows(addresses);
  emitter.storeRows(addresses, stored);
  return {};
}

/// From the address, or the addresses, of the member at the group's place to those of the lowest
/// one.
Value* GroupEmitter::lowestMember(Value* pointer) {
  if (group_.place().offset == 0)
    return pointer;
  return builder_.CreateGEP(group_.element, pointer,
                            builder_.getInt64(-int64_t{group_.place().offset}));
}

/// The address of each work-item's lowest member; of one that is off, that of memory which nobody
/// needs.
llvm::SmallVector<Value*, 16> GroupEmitter::rowAddresses() {
  Value* pointer = this->pointer();
  const Shape shape = shapeOf(pointer);
  llvm::SmallVector<Value*, 16> addresses;
  if (!mask() && shape.isShifted()) {
    Value* base = lowestMember(scalar(pointer));
    for (unsigned lane = 0; lane < plan_.width; ++lane)
      addresses.push_back(
          builder_.CreateConstGEP1_64(builder_.getInt8Ty(), base, shape.offset(lane)));
    return addresses;
  }
  Value* all = lowestMember(vector(pointer));
  if (mask()) {
    llvm::AllocaInst* unused = unusedMemory();
    Value* other = builder_.CreateAddrSpaceCast(unused, pointer->getType());
    all = builder_.CreateSelect(mask(), all, builder_.CreateVectorSplat(plan_.width, other));
  }
  for (unsigned lane = 0; lane < plan_.width; ++lane)
    addresses.push_back(builder_.CreateExtractElement(all, lane));
  return addresses;
}

llvm::AllocaInst* GroupEmitter::unusedMemory() {
  llvm::IRBuilder<>::InsertPointGuard guard(builder_);
  llvm::BasicBlock& start = function_.getEntryBlock();
  builder_.SetInsertPoint(&start, start.begin());
  llvm::AllocaInst* memory =
      builder_.CreateAlloca(llvm::ArrayType::get(group_.element, group_.span), nullptr, "unused");
  memory->setAlignment(group_.alignment);
  return memory;
}

class InterleavedAccess final : public AccessLowering {
public:
  explicit InterleavedAccess(const PacketAccess& access)
      : AccessLowering(access), speculation_(speculationOf(*access.group, access.plan.shapes)) {}

  const char* name() const override {
    return group().stride ? "strided" : speculation_ ? "in rows or strided" : "in rows";
  }

  double cost(const TargetModel& target, bool isMasked) const override {
    const unsigned width = access_.plan.width;
    // As where the rows lie one behind the other, after the test.
    if (speculation_)
      return costOfStride(target, group().span, isMasked) + SpeculationTest::cost(*speculation_);
    if (group().stride)
      return costOfStride(target, group().stride, isMasked);
    // An access for each work-item, what joins these in vectors, and a transposition.
    const unsigned rounds = llvm::Log2_32_Ceil(std::max(group().span, 2u));
    const unsigned vectors = std::min(width, group().span);
    return width * TargetModel::rowAccess +
           (width - vectors + rounds * group().span) * target.permutation(access_.element(), width);
  }

  void emit(PacketValues& values) const override {
    GroupEmitter(values, group(), speculation_ ? &*speculation_ : nullptr).run();
  }

  unsigned varyingDimensions(const TileSharing& sharing) const override {
    unsigned all = 0;
    for (const InterleaveGroup::Member& member : group().members)
      all |= sharing.varyingDimensions(member.access);
    return all;
  }

private:
  const InterleaveGroup& group() const { return *access_.group; }

  double costOfStride(const TargetModel& target, unsigned stride, bool isMasked) const {
    llvm::SmallVector<unsigned, 16> members;
    for (const InterleaveGroup::Member& member : group().members)
      members.push_back(member.offset);
    return target.interleavedAccess(access_.instruction, access_.plan.width, stride, members,
                                    isMasked);
  }

  /// That rows whose places are not known follow each other.
  static std::optional<NoWrapSpeculation> speculationOf(const InterleaveGroup& group,
                                                        const Shapes& shapes) {
    if (group.stride != 0)
      return std::nullopt;
    const llvm::Instruction& access = *group.place().access;
    std::optional<NoWrapSpeculation> speculation =
        noWrapSpeculationOf(llvm::getLoadStorePointerOperand(&access), shapes);
    const uint64_t bytes =
        access.getDataLayout().getTypeStoreSize(group.element).getFixedValue() * group.span;
    return speculation && speculation->stride == static_cast<int64_t>(bytes) ? speculation
                                                                             : std::nullopt;
  }

  const std::optional<NoWrapSpeculation> speculation_;
};

} // namespace

std::unique_ptr<AccessLowering> interleavedAccess(const PacketAccess& access) {
  return access.group ? std::make_unique<InterleavedAccess>(access) : nullptr;
}

} // namespace quern::compiler
