// Local memory in chunks: pieces as large as a vector, and as far aligned. Nobody but the
// work-group uses its local memory, which has room for whole chunks (abi/cpu_kernel.h). So accesses
// to places within chunks that are known may read all of them; and where the work-group is one
// packet, write all of them, which leaves what it keeps there in registers.
#include <array>

#include <llvm/Analysis/ValueTracking.h>

#include "compiler/il/address_space.h"
#include "compiler/il/group_shape.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/rematerialise.h"
#include "compiler/packets/access_pattern.h"
#include "compiler/packets/accesses/access_forms.h"
#include "compiler/packets/packet_part.h"
#include "compiler/target/target_model.h"

namespace quern::compiler {
namespace {

using llvm::Value;

/// What local memory is a multiple of.
constexpr uint64_t maxChunkBytes = 128;

/// The chunks that an access reaches, and where.
struct Chunks {
  AccessPattern pattern; ///< places from the first chunk's first element on
  uint64_t bytes;        ///< of a chunk
  int64_t start;         ///< bytes from the first work-item's element to the first chunk
  unsigned count;        ///< 1 or 2
  std::array<bool, 2> areOutside = {}; ///< of the group's local memory, where nobody reaches them
};

/// Which chunks only work-items reach that a mask switches off, because they lie outside of the
/// group's local memory; `offset` is that of the first one from its begin.
std::array<bool, 2> areOutside(const PacketAccess& access, int64_t offset, uint64_t bytes) {
  const uint64_t end =
      llvm::alignTo(numberAttribute(access.plan.region, names::localBytesAttribute), bytes);
  std::array<bool, 2> result;
  for (bool& isOutside : result) {
    isOutside = offset < 0 || static_cast<uint64_t>(offset) >= end;
    offset += static_cast<int64_t>(bytes);
  }
  return result;
}

std::optional<Chunks> chunksOf(const PacketAccess& access) {
  const PacketPlan& plan = access.plan;
  Value* pointer = access.pointer();
  const bool isOnlyVector = !access.shape().isPattern() && !groupsArePackets(plan.region);
  if (pointer->getType()->getPointerAddressSpace() != address_space::local || isOnlyVector ||
      plan.sharing.tile().columns > 1)
    return std::nullopt;
  std::optional<AccessPattern> pattern = accessPatternOf(access);
  const int64_t size = access.bytes();
  const uint64_t bytes = static_cast<uint64_t>(size) * plan.width;
  if (!pattern || bytes > maxChunkBytes || !llvm::isPowerOf2_64(bytes))
    return std::nullopt;
  const llvm::Argument* local = implicitArgument(plan.region, ImplicitArgument::Local);
  if (llvm::getUnderlyingObject(pointer) != local)
    return std::nullopt;
  const uint64_t low = bytes - 1;
  const std::optional<llvm::KnownBits> known = plan.shapes.bitsOfFirst(*pointer, *local);
  if (!known || ((known->One | known->Zero).getZExtValue() & low) != low)
    return std::nullopt;
  const auto place = static_cast<int64_t>(known->One.getZExtValue() & low);
  const int64_t lowest = place + pattern->lowest;
  const int64_t start =
      llvm::divideFloorSigned(lowest, static_cast<int64_t>(bytes)) * static_cast<int64_t>(bytes);
  if ((lowest - start) % size != 0)
    return std::nullopt;
  const auto skipped = static_cast<unsigned>((lowest - start) / size);
  for (unsigned item = 0; item < pattern->items; ++item)
    pattern->places[item] += skipped;
  pattern->span += skipped;
  if (pattern->span > 2 * plan.width)
    return std::nullopt;
  Chunks chunks{*pattern, bytes, start - place, pattern->span > plan.width ? 2u : 1u};
  if (access.isMasked()) {
    if (!known->isConstant())
      return std::nullopt;
    chunks.areOutside =
        areOutside(access, known->getConstant().getSExtValue() + chunks.start, bytes);
  }
  return chunks;
}

class ChunkEmitter : PacketPart {
public:
  ChunkEmitter(PacketValues& values, const Chunks& chunks, const PacketAccess& access)
      : PacketPart(values), chunks_(chunks), type_(vectorType(access.element())),
        first_(builder_.CreateConstGEP1_64(builder_.getInt8Ty(), rebuilt(access.pointer()),
                                           static_cast<uint64_t>(chunks.start))) {}

  Value* load();
  void store(Value* stored);

private:
  Value* rebuilt(Value* value);
  Value* addressOf(unsigned chunk) {
    return builder_.CreateConstGEP1_64(builder_.getInt8Ty(), first_, chunk * chunks_.bytes);
  }

  const Chunks& chunks_;
  llvm::VectorType* type_;
  Value* first_;
};

/// What `value` is for the packet's first work-item, made again from parameters, so that more is
/// known of it than of what comes from another block.
Value* ChunkEmitter::rebuilt(Value* value) {
  return rematerialise(builder_, value, [this](Value* part) {
    return llvm::isa<llvm::Instruction>(part) ? nullptr : scalar(part);
  });
}

Value* ChunkEmitter::load() {
  llvm::SmallVector<Value*, 2> parts;
  for (unsigned chunk = 0; chunk < chunks_.count; ++chunk)
    parts.push_back(
        chunks_.areOutside[chunk]
            ? llvm::cast<Value>(llvm::PoisonValue::get(type_))
            : builder_.CreateAlignedLoad(type_, addressOf(chunk), llvm::Align(chunks_.bytes)));
  const llvm::SmallVector<int, 16> places(chunks_.pattern.places.begin(),
                                          chunks_.pattern.places.end());
  return builder_.CreateShuffleVector(
      parts.front(), parts.size() > 1 ? parts[1] : llvm::PoisonValue::get(type_), places);
}

void ChunkEmitter::store(Value* stored) {
  for (unsigned chunk = 0; chunk < chunks_.count; ++chunk) {
    if (chunks_.areOutside[chunk])
      continue;
    const llvm::SmallVector<int, 32> writers =
        chunks_.pattern.owners(chunk * plan_.width, plan_.width, 0);
    Value* address = addressOf(chunk);
    const llvm::Align alignment(chunks_.bytes);
    Value* before = builder_.CreateAlignedLoad(type_, address, alignment);
    Value* after =
        builder_.CreateSelect(chunks_.pattern.ofOwners(builder_, values_.maskOrAll(), writers),
                              builder_.CreateShuffleVector(stored, writers), before);
    builder_.CreateAlignedStore(after, address, alignment);
  }
}

class ChunkAccess final : public AccessLowering {
public:
  ChunkAccess(const PacketAccess& access, Chunks chunks)
      : AccessLowering(access), chunks_(std::move(chunks)) {}

  const char* name() const override { return "in chunks"; }

  double cost(const TargetModel& target, bool /*isMasked*/) const override {
    const unsigned width = access_.plan.width;
    const double access = target.access(access_.instruction, width, false);
    const double permutation = target.permutation(access_.element(), width);
    // A store keeps what it does not write.
    return chunks_.count * (access_.isLoad() ? access + permutation : 2 * access + 2 * permutation);
  }

  void emit(PacketValues& values) const override {
    if (access_.isLoad()) {
      values.define(access_.instruction, ChunkEmitter(values, chunks_, access_).load());
      return;
    }
    Value* stored = values.vector(store().getValueOperand());
    ChunkEmitter(values, chunks_, access_).store(stored);
  }

private:
  Chunks chunks_;
};

} // namespace

std::unique_ptr<AccessLowering> chunkAccess(const PacketAccess& access) {
  // Otherwise a store would not keep anything in registers.
  if (!access.isLoad() && !groupsArePackets(access.plan.region))
    return nullptr;
  std::optional<Chunks> chunks = chunksOf(access);
  // Of several work-items that write one element the last one stays, unless it is off.
  if (!chunks || (!access.isLoad() && access.isMasked() && chunks->pattern.mostOwners() > 1))
    return nullptr;
  return std::make_unique<ChunkAccess>(access, std::move(*chunks));
}

} // namespace quern::compiler
