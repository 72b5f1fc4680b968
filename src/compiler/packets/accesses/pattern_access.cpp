// Accesses to elements that lie close together, in an order that is known: as vectors of all of
// them, of which the packet's work-items take theirs.
#include "compiler/packets/access_pattern.h"
#include "compiler/packets/accesses/access_forms.h"
#include "compiler/packets/packet_part.h"
#include "compiler/target/target_model.h"

namespace quern::compiler {
namespace {

using llvm::Value;

/// Work-items that read one element, beyond which the elements to read under a mask take longer to
/// find than a gather.
constexpr unsigned mostReaders = 4;

class PatternEmitter : PacketPart {
public:
  PatternEmitter(PacketValues& values, const AccessPattern& pattern, int64_t bytes)
      : PacketPart(values), pattern_(pattern), bytes_(bytes) {}

  Value* load(llvm::LoadInst& load);
  void store(llvm::StoreInst& store, Value* values);

private:
  unsigned partItems() const {
    return pattern_.span <= plan_.width ? llvm::bit_ceil(pattern_.span) : plan_.width;
  }
  Value* addressOf(Value* pointer, unsigned element) {
    return builder_.CreateConstGEP1_64(
        builder_.getInt8Ty(), pointer,
        static_cast<uint64_t>(pattern_.lowest + static_cast<int64_t>(element) * bytes_));
  }

  const AccessPattern& pattern_;
  int64_t bytes_;
};

Value* PatternEmitter::load(llvm::LoadInst& load) {
  Value* pointer = scalar(load.getPointerOperand());
  const unsigned count = partItems();
  llvm::SmallVector<Value*, 2> parts;
  for (unsigned begin = 0; begin < pattern_.span; begin += count) {
    llvm::VectorType* type = llvm::FixedVectorType::get(load.getType(), count);
    Value* address = addressOf(pointer, begin);
    Value* mask = nullptr;
    for (unsigned rank = 0; rank < pattern_.mostOwners(); ++rank) {
      Value* readers =
          pattern_.ofOwners(builder_, values_.maskOrAll(), pattern_.owners(begin, count, rank));
      mask = mask ? builder_.CreateOr(mask, readers) : readers;
    }
    const auto* constant = llvm::dyn_cast<llvm::Constant>(mask);
    parts.push_back(
        constant && constant->isAllOnesValue()
            ? builder_.CreateAlignedLoad(type, address, load.getAlign())
            : llvm::cast<Value>(builder_.CreateMaskedLoad(type, address, load.getAlign(), mask)));
  }
  if (parts.size() == 1)
    parts.push_back(llvm::PoisonValue::get(parts.front()->getType()));
  return builder_.CreateShuffleVector(
      parts[0], parts[1],
      llvm::SmallVector<int, 16>(pattern_.places.begin(), pattern_.places.end()));
}

void PatternEmitter::store(llvm::StoreInst& store, Value* values) {
  Value* pointer = scalar(store.getPointerOperand());
  const unsigned count = partItems();
  for (unsigned begin = 0; begin < pattern_.span; begin += count) {
    const llvm::SmallVector<int, 32> writers = pattern_.owners(begin, count, 0);
    Value* address = addressOf(pointer, begin);
    Value* part = builder_.CreateShuffleVector(values, writers);
    Value* mask = pattern_.ofOwners(builder_, values_.maskOrAll(), writers);
    if (const auto* constant = llvm::dyn_cast<llvm::Constant>(mask);
        constant && constant->isAllOnesValue())
      builder_.CreateAlignedStore(part, address, store.getAlign());
    else
      builder_.CreateMaskedStore(part, address, store.getAlign(), mask);
  }
}

class PatternAccess final : public AccessLowering {
public:
  PatternAccess(const PacketAccess& access, AccessPattern pattern)
      : AccessLowering(access), pattern_(std::move(pattern)) {}

  const char* name() const override { return "in a pattern"; }

  double cost(const TargetModel& target, bool isMasked) const override {
    const unsigned width = access_.plan.width, parts = pattern_.span > width ? 2 : 1;
    return parts * (target.access(access_.instruction, width, isMasked || !access_.isLoad()) +
                    target.permutation(access_.element(), width));
  }

  void emit(PacketValues& values) const override {
    PatternEmitter emitter(values, pattern_, access_.bytes());
    if (access_.isLoad())
      values.define(access_.instruction, emitter.load(load()));
    else
      emitter.store(store(), values.vector(store().getValueOperand()));
  }

private:
  AccessPattern pattern_;
};

} // namespace

std::unique_ptr<AccessLowering> patternAccess(const PacketAccess& access) {
  if (!access.shape().isPattern())
    return nullptr;
  std::optional<AccessPattern> pattern = accessPatternOf(access);
  if (!pattern)
    return nullptr;
  // Of several work-items that write one element the last one stays, unless it is off.
  const bool isSlow = access.isLoad()
                          ? access.masking == Masking::Some && pattern->mostOwners() > mostReaders
                          : access.isMasked() && pattern->mostOwners() > 1;
  return isSlow ? nullptr : std::make_unique<PatternAccess>(access, std::move(*pattern));
}

} // namespace quern::compiler
