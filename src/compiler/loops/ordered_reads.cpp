#include "compiler/loops/ordered_reads.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/il/address_space.h"

namespace quern::compiler {
namespace {

/// Bytes by which an iteration may go on; from there on, processors need no help to be in time.
constexpr uint64_t maxStep = 256;
/// Buffers read in order, beyond which fetches take more time than they save.
constexpr size_t maxBuffers = 4;
/// Instructions between a load and what is computed from it.
constexpr unsigned maxReadDepth = 8;

bool isInBuffer(const llvm::Value& pointer) {
  const unsigned space = pointer.getType()->getPointerAddressSpace();
  return space == address_space::global || space == address_space::constant;
}

/// The address of `load`, if it goes upwards by few bytes in each iteration of `loop`.
const llvm::SCEVAddRecExpr* courseIn(const llvm::Loop& loop, llvm::LoadInst& load,
                                     llvm::ScalarEvolution& evolution) {
  const auto* course =
      llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(load.getPointerOperand()));
  if (!course || course->getLoop() != &loop || !course->isAffine())
    return nullptr;
  const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(course->getStepRecurrence(evolution));
  return step && step->getAPInt().isStrictlyPositive() && step->getAPInt().ule(maxStep) ? course
                                                                                        : nullptr;
}

class LoopReads {
public:
  LoopReads(const llvm::Loop& loop, llvm::ScalarEvolution& evolution)
      : loop_(loop), evolution_(evolution) {}

  std::vector<OrderedReads> find() {
    for (llvm::BasicBlock* block : loop_.blocks())
      for (llvm::Instruction& instruction : *block)
        add(instruction);
    const bool pointsElsewhere =
        llvm::any_of(others_, [&](const llvm::Value* pointer) { return isFromReads(*pointer, 0); });
    if (!pointsElsewhere || found_.size() > maxBuffers)
      return {};
    std::erase_if(found_, [&](const OrderedReads& reads) { return !isOneOfMany(reads); });
    for (OrderedReads& reads : found_)
      llvm::sort(reads.loads, [](const OrderedReads::Load& a, const OrderedReads::Load& b) {
        return a.offset < b.offset;
      });
    return found_;
  }

private:
  void add(llvm::Instruction& instruction) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      const llvm::Value* pointer = load->getPointerOperand();
      if (load->isSimple() && isInBuffer(*pointer) && !addInOrder(*load) &&
          !load->getType()->isVectorTy())
        others_.push_back(pointer);
    } else if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
               call && call->getIntrinsicID() == llvm::Intrinsic::masked_gather) {
      others_.push_back(call->getArgOperand(0));
    }
  }

  bool addInOrder(llvm::LoadInst& load) {
    const llvm::SCEVAddRecExpr* course = courseIn(loop_, load, evolution_);
    if (!course)
      return false;
    ordered_.insert(&load);
    for (OrderedReads& reads : found_)
      if (const auto* above =
              llvm::dyn_cast<llvm::SCEVConstant>(evolution_.getMinusSCEV(course, reads.course))) {
        reads.loads.push_back({&load, above->getAPInt().getSExtValue()});
        return true;
      }
    const auto* step = llvm::cast<llvm::SCEVConstant>(course->getStepRecurrence(evolution_));
    found_.push_back({{{&load, 0}}, course, step->getAPInt().getZExtValue()});
    return true;
  }

  /// Whether addresses are computed from what the loop reads in order.
  bool isFromReads(const llvm::Value& value, unsigned depth) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || depth == maxReadDepth || !loop_.contains(instruction))
      return false;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction))
      return ordered_.contains(load);
    return !llvm::isa<llvm::PHINode>(instruction) &&
           llvm::any_of(instruction->operand_values(), [&](const llvm::Value* operand) {
             return isFromReads(*operand, depth + 1);
           });
  }

  bool isOneOfMany(const OrderedReads& reads) const {
    return isReadAround(*reads.course->getStart());
  }

  /// Whether a sum has a part that the loop around reads in order. The iterations that an unrolled
  /// loop leaves, parts of a length, are no such part.
  bool isReadAround(const llvm::SCEV& number) const {
    if (const auto* value = llvm::dyn_cast<llvm::SCEVUnknown>(&number))
      return isReadAround(*value->getValue(), 0);
    return llvm::isa<llvm::SCEVAddExpr, llvm::SCEVMulExpr, llvm::SCEVSignExtendExpr,
                     llvm::SCEVZeroExtendExpr, llvm::SCEVAddRecExpr>(&number) &&
           llvm::any_of(number.operands(),
                        [&](const llvm::SCEV* operand) { return isReadAround(*operand); });
  }

  bool isReadAround(llvm::Value& value, unsigned depth) const {
    const llvm::Loop& around = *loop_.getParentLoop();
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || depth == maxReadDepth || !around.contains(instruction))
      return false;
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction))
      return courseIn(around, *load, evolution_) != nullptr;
    const bool isSum = llvm::isa<llvm::PHINode, llvm::SExtInst, llvm::ZExtInst>(instruction) ||
                       instruction->getOpcode() == llvm::Instruction::Add;
    return isSum && llvm::any_of(instruction->operand_values(), [&](llvm::Value* operand) {
             return isReadAround(*operand, depth + 1);
           });
  }

  const llvm::Loop& loop_;
  llvm::ScalarEvolution& evolution_;
  std::vector<OrderedReads> found_;
  llvm::SmallPtrSet<const llvm::LoadInst*, 16> ordered_;
  llvm::SmallVector<const llvm::Value*> others_;
};

} // namespace

std::vector<OrderedReads> orderedReads(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  if (!loop.isInnermost() || !loop.getParentLoop() || !loop.getLoopPreheader())
    return {};
  return LoopReads(loop, evolution).find();
}

} // namespace quern::compiler
