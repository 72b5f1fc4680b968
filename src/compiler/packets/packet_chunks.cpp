// Local memory in chunks: pieces as large as a vector, and as far aligned. Nobody but the
// work-group uses its local memory, which has room for whole chunks (abi/cpu_kernel.h). So accesses
// to places within chunks that are known may read all of them; and where the work-group is one
// packet, write all of them, which leaves what it keeps there in registers.
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/ValueTracking.h>

#include "compiler/il/address_space.h"
#include "compiler/il/group_shape.h"
#include "compiler/il/kernel_function.h"
#include "compiler/packets/packet_values.h"

namespace quern::compiler {

using llvm::Value;

namespace {
/// What local memory is a multiple of.
constexpr uint64_t maxChunkBytes = 128;
} // namespace

/// The chunks that an access reaches, and where.
struct PacketValues::Chunks {
  AccessPattern pattern; ///< places from the first chunk's first element on
  llvm::VectorType* type;
  uint64_t bytes; ///< of a chunk
  Value* first;   ///< address of the first chunk
  unsigned count; ///< 1 or 2
};

std::optional<PacketValues::Chunks> PacketValues::chunksOf(llvm::Instruction& access) {
  Value* pointer = llvm::getLoadStorePointerOperand(&access);
  llvm::Type* element = llvm::getLoadStoreType(&access);
  const bool isOnlyVector =
      !plan_.shapes.of(pointer).isPattern() && !groupsArePackets(plan_.region);
  if (pointer->getType()->getPointerAddressSpace() != address_space::local || isOnlyVector ||
      plan_.sharing.tile().columns > 1 || access.isVolatile() || access.isAtomic())
    return std::nullopt;
  std::optional<AccessPattern> pattern = patternOf(access);
  const uint64_t size = function_.getDataLayout().getTypeStoreSize(element).getFixedValue();
  const uint64_t bytes = size * plan_.width;
  if (!pattern || bytes > maxChunkBytes || !llvm::isPowerOf2_64(bytes))
    return std::nullopt;
  Value* address = rebuilt(pointer, 0);
  if (!address ||
      llvm::getUnderlyingObject(address) != implicitArgument(function_, ImplicitArgument::Local))
    return std::nullopt;
  const llvm::KnownBits known = llvm::computeKnownBits(address, function_.getDataLayout());
  const uint64_t low = bytes - 1;
  if (((known.One | known.Zero).getZExtValue() & low) != low)
    return std::nullopt;
  const auto place = static_cast<int64_t>(known.One.getZExtValue() & low);
  const int64_t lowest = place + pattern->lowest;
  const int64_t start =
      llvm::divideFloorSigned(lowest, static_cast<int64_t>(bytes)) * static_cast<int64_t>(bytes);
  if ((lowest - start) % static_cast<int64_t>(size) != 0)
    return std::nullopt;
  const auto skipped = static_cast<unsigned>((lowest - start) / static_cast<int64_t>(size));
  for (unsigned item = 0; item < pattern->items; ++item)
    pattern->places[item] += skipped;
  pattern->span += skipped;
  if (pattern->span > 2 * plan_.width)
    return std::nullopt;
  address = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), address,
                                        static_cast<uint64_t>(start - place));
  return Chunks{*pattern, vectorType(element), bytes, address,
                pattern->span > plan_.width ? 2u : 1u};
}

/// What `value` is for the packet's first work-item, made again from parameters, so that more is
/// known of it than of what comes from another block. Null where it is made of something else.
Value* PacketValues::rebuilt(Value* value, unsigned depth) {
  constexpr unsigned maxDepth = 10;
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction)
    return current(value);
  if (depth > maxDepth || plan_.shapes.of(value).isVarying() ||
      !(llvm::isa<llvm::GetElementPtrInst, llvm::CastInst>(instruction) ||
        instruction->isBinaryOp()))
    return nullptr;
  llvm::SmallVector<Value*, 4> operands;
  for (Value* operand : instruction->operands())
    if (Value* made = rebuilt(operand, depth + 1))
      operands.push_back(made);
    else
      return nullptr;
  const llvm::SimplifyQuery query(function_.getDataLayout());
  if (Value* simple = llvm::simplifyInstructionWithOperands(instruction, operands, query))
    return simple;
  llvm::Instruction* copy = instruction->clone();
  for (unsigned i = 0; i < operands.size(); ++i)
    copy->setOperand(i, operands[i]);
  // The work-item may be one that does not run this.
  copy->dropPoisonGeneratingFlags();
  return builder_.Insert(copy);
}

/// Null where the places in chunks are not known.
Value* PacketValues::loadFromChunks(llvm::LoadInst& load) {
  const std::optional<Chunks> chunks = chunksOf(load);
  if (!chunks)
    return nullptr;
  llvm::SmallVector<Value*, 2> parts;
  for (unsigned chunk = 0; chunk < chunks->count; ++chunk)
    parts.push_back(builder_.CreateAlignedLoad(
        chunks->type,
        builder_.CreateConstGEP1_64(builder_.getInt8Ty(), chunks->first, chunk * chunks->bytes),
        llvm::Align(chunks->bytes)));
  const llvm::SmallVector<int, 16> places(chunks->pattern.places.begin(),
                                          chunks->pattern.places.end());
  return builder_.CreateShuffleVector(
      parts.front(), parts.size() > 1 ? parts[1] : llvm::PoisonValue::get(chunks->type), places);
}

/// False where that would not keep anything in registers.
bool PacketValues::storeToChunks(llvm::StoreInst& store, Value* values) {
  if (!groupsArePackets(plan_.region))
    return false;
  const std::optional<Chunks> chunks = chunksOf(store);
  // Of several work-items that write one element the last one stays, unless it is off.
  if (!chunks || (mask_ && chunks->pattern.mostOwners() > 1))
    return false;
  for (unsigned chunk = 0; chunk < chunks->count; ++chunk) {
    const llvm::SmallVector<int, 32> writers =
        chunks->pattern.owners(chunk * plan_.width, plan_.width, 0);
    Value* address =
        builder_.CreateConstGEP1_64(builder_.getInt8Ty(), chunks->first, chunk * chunks->bytes);
    const llvm::Align alignment(chunks->bytes);
    Value* before = builder_.CreateAlignedLoad(chunks->type, address, alignment);
    Value* after = builder_.CreateSelect(ofOwners(maskOrAll(), writers),
                                         builder_.CreateShuffleVector(values, writers), before);
    builder_.CreateAlignedStore(after, address, alignment);
  }
  return true;
}

} // namespace quern::compiler
