#include "compiler/packets/access_emitter.h"
#include "compiler/packets/accesses/access_forms.h"
#include "compiler/packets/packet_part.h"
#include "compiler/target/target_model.h"

namespace quern::compiler {
namespace {

using llvm::Value;

class GroupEmitter : PacketPart {
public:
  GroupEmitter(PacketValues& values, const InterleaveGroup& group)
      : PacketPart(values), group_(group) {}

  void run();

private:
  Value* pointer() const { return llvm::getLoadStorePointerOperand(group_.place().access); }
  Value* lowestMember(Value* pointer);
  llvm::SmallVector<Value*, 16> rowAddresses();
  llvm::AllocaInst* unusedMemory();

  const InterleaveGroup& group_;
};

void GroupEmitter::run() {
  AccessEmitter emitter(builder_, group_, plan_.width);
  AccessEmitter::Vectors vectors(group_.isStore() ? group_.span : 0);
  if (group_.isStore())
    for (auto [access, offset] : group_.members)
      vectors[offset] = vector(llvm::cast<llvm::StoreInst>(access)->getValueOperand());
  if (group_.stride == 0) {
    const llvm::SmallVector<Value*, 16> addresses = rowAddresses();
    if (group_.isStore())
      emitter.storeRows(addresses, vectors);
    else
      vectors = emitter.loadRows(addresses);
  } else {
    Value* base = lowestMember(scalar(pointer()));
    if (group_.isStore())
      emitter.storeStrided(base, vectors, mask());
    else
      vectors = emitter.loadStrided(base, mask());
  }
  if (!group_.isStore())
    for (auto [access, offset] : group_.members)
      values_.define(*access, vectors[offset]);
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
  using AccessLowering::AccessLowering;

  const char* name() const override { return group().stride ? "strided" : "in rows"; }

  double cost(const TargetModel& target, bool isMasked) const override {
    const unsigned width = access_.plan.width;
    llvm::SmallVector<unsigned, 16> members;
    for (const InterleaveGroup::Member& member : group().members)
      members.push_back(member.offset);
    if (group().stride)
      return target.interleavedAccess(access_.instruction, width, group().stride, members,
                                      isMasked);
    // An access for each work-item, what joins these in vectors, and a transposition.
    const unsigned rounds = llvm::Log2_32_Ceil(std::max(group().span, 2u));
    const unsigned vectors = std::min(width, group().span);
    return width * TargetModel::rowAccess +
           (width - vectors + rounds * group().span) * target.permutation(access_.element(), width);
  }

  void emit(PacketValues& values) const override { GroupEmitter(values, group()).run(); }

  unsigned varyingDimensions(const TileSharing& sharing) const override {
    unsigned all = 0;
    for (const InterleaveGroup::Member& member : group().members)
      all |= sharing.varyingDimensions(member.access);
    return all;
  }

private:
  const InterleaveGroup& group() const { return *access_.group; }
};

} // namespace

std::unique_ptr<AccessLowering> interleavedAccess(const PacketAccess& access) {
  return access.group ? std::make_unique<InterleavedAccess>(access) : nullptr;
}

} // namespace quern::compiler
