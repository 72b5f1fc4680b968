#include "compiler/target/target_model.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/codegen/machine.h"
#include "compiler/il/boundary.h"

namespace quern::compiler {
namespace {

using TTI = llvm::TargetTransformInfo;

/// Of what LLVM cannot make: as bad as can be.
constexpr double impossible = 10000;
constexpr auto throughput = TTI::TCK_RecipThroughput;

} // namespace

bool hasMaskedNeighbours(const llvm::TargetTransformInfo& target, bool isLoad, llvm::Type* type,
                         llvm::Align alignment, unsigned space) {
  return isLoad ? target.isLegalMaskedLoad(type, alignment, space)
                : target.isLegalMaskedStore(type, alignment, space);
}

bool hasMaskedAnywhere(const llvm::TargetTransformInfo& target, bool isLoad,
                       llvm::FixedVectorType* type, llvm::Align alignment) {
  return isLoad ? target.isLegalMaskedGather(type, alignment) &&
                      !target.forceScalarizeMaskedGather(type, alignment)
                : target.isLegalMaskedScatter(type, alignment) &&
                      !target.forceScalarizeMaskedScatter(type, alignment);
}

TargetModel::TargetModel(const llvm::TargetMachine& machine, const llvm::Function& function)
    : costs_(machine.getTargetTransformInfo(function)),
      vectorBits_(quern::compiler::vectorBits(machine)),
      loopVectorBits_(static_cast<unsigned>(
          costs_.getRegisterBitWidth(TTI::RGK_FixedWidthVector).getFixedValue())),
      vectorRegisters_(costs_.getNumberOfRegisters(costs_.getRegisterClassForType(true))) {}

double TargetModel::number(llvm::InstructionCost cost) {
  return cost.isValid() ? std::min(static_cast<double>(cost.getValue()), impossible) : impossible;
}

llvm::Type* TargetModel::typeFor(llvm::Type* type, unsigned items) const {
  if (items <= 1 || type->isVoidTy())
    return type;
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return llvm::FixedVectorType::get(type->getScalarType(),
                                    vector ? vector->getNumElements() * items : items);
}

bool TargetModel::isFree(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return llvm::isa<llvm::PHINode, llvm::AllocaInst, llvm::FreezeInst>(instruction) ||
         instruction.isTerminator() || instruction.isDebugOrPseudoInst() ||
         isPacketBarrier(instruction) ||
         (call && (call->isAssumeLikeIntrinsic() || call->isLifetimeStartOrEnd()));
}

double TargetModel::operation(const llvm::Instruction& operation, unsigned items) const {
  const bool isVector = items > 1 || operation.getType()->isVectorTy();
  // Floating-point numbers take the units of vectors.
  const bool isOfVectorUnits = isVector || operation.getType()->isFloatingPointTy();
  const double unit = isOfVectorUnits ? 1 : scalarAlone;
  llvm::Type* type = typeFor(operation.getType(), items);
  const unsigned opcode = operation.getOpcode();
  if (llvm::isa<llvm::InsertElementInst, llvm::ExtractElementInst, llvm::ShuffleVectorInst>(
          operation))
    return items > 1 ? shuffle(operation, items)
                     : number(costs_.getInstructionCost(&operation, throughput));
  // Bits of masks, which one instruction joins.
  if (operation.getType()->isIntegerTy(1) && isVector && !llvm::isa<llvm::CmpInst>(operation))
    return 1;
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&operation)) {
    llvm::SmallVector<const llvm::Value*, 4> arguments;
    llvm::SmallVector<llvm::Type*, 4> types;
    for (const llvm::Use& argument : call->args()) {
      types.push_back(llvm::isVectorIntrinsicWithScalarOpAtArg(call->getIntrinsicID(),
                                                               argument.getOperandNo(), &costs_)
                          ? argument->getType()
                          : typeFor(argument->getType(), items));
      // A shift by a constant is another instruction than one by a number.
      if (call->getIntrinsicID() == llvm::Intrinsic::fshl ||
          call->getIntrinsicID() == llvm::Intrinsic::fshr)
        arguments.push_back(argument);
    }
    return unit * number(costs_.getIntrinsicInstrCost(
                      {call->getIntrinsicID(), type, arguments, types}, throughput));
  }
  if (operation.isBinaryOp() || operation.isUnaryOp())
    return unit * number(costs_.getArithmeticInstrCost(
                      opcode, type, throughput, TTI::getOperandInfo(operation.getOperand(0)),
                      operation.isBinaryOp() ? TTI::getOperandInfo(operation.getOperand(1))
                                             : TTI::OperandValueInfo{}));
  if (operation.isCast())
    return unit * number(costs_.getCastInstrCost(opcode, type,
                                                 typeFor(operation.getOperand(0)->getType(), items),
                                                 TTI::CastContextHint::None, throughput));
  if (const auto* comparison = llvm::dyn_cast<llvm::CmpInst>(&operation))
    return unit * number(costs_.getCmpSelInstrCost(
                      opcode, typeFor(comparison->getOperand(0)->getType(), items), type,
                      comparison->getPredicate(), throughput));
  if (llvm::isa<llvm::SelectInst>(operation))
    return unit * number(costs_.getCmpSelInstrCost(
                      opcode, type, typeFor(operation.getOperand(0)->getType(), items),
                      llvm::CmpInst::BAD_ICMP_PREDICATE, throughput));
  return unit;
}

/// In the program's vectors of all work-items. Bits of masks become bytes for it.
double TargetModel::shuffle(const llvm::Instruction& operation, unsigned items) const {
  auto* type = llvm::cast<llvm::VectorType>(typeFor(operation.getOperand(0)->getType(), items));
  const bool isOfBits = type->getScalarType()->isIntegerTy(1);
  if (isOfBits)
    type = llvm::VectorType::get(llvm::Type::getInt8Ty(type->getContext()), type);
  const auto cost = [&](TTI::ShuffleKind kind) {
    return number(costs_.getShuffleCost(kind, type, type, {}, throughput)) + (isOfBits ? 2 : 0);
  };
  if (llvm::isa<llvm::InsertElementInst>(operation))
    return cost(TTI::SK_PermuteSingleSrc) + cost(TTI::SK_Select);
  const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&operation);
  const bool hasTwo = shuffle && !shuffle->isSingleSource();
  return cost(hasTwo ? TTI::SK_PermuteTwoSrc : TTI::SK_PermuteSingleSrc);
}

bool TargetModel::hasMaskedAccess(const llvm::Instruction& access, unsigned items) const {
  return hasMaskedNeighbours(
      costs_, llvm::isa<llvm::LoadInst>(access), typeFor(llvm::getLoadStoreType(&access), items),
      llvm::getLoadStoreAlignment(&access), llvm::getLoadStoreAddressSpace(&access));
}

bool TargetModel::hasScatteredAccess(const llvm::Instruction& access, llvm::Type& type,
                                     unsigned items) const {
  return hasMaskedAnywhere(costs_, llvm::isa<llvm::LoadInst>(access),
                           llvm::cast<llvm::FixedVectorType>(typeFor(&type, items)),
                           llvm::getLoadStoreAlignment(&access));
}

double TargetModel::access(const llvm::Instruction& access, unsigned items, bool isMasked) const {
  llvm::Type* type = typeFor(llvm::getLoadStoreType(&access), items);
  const llvm::Align alignment = llvm::getLoadStoreAlignment(&access);
  const unsigned space = llvm::getLoadStoreAddressSpace(&access);
  if (!isMasked)
    return number(costs_.getMemoryOpCost(access.getOpcode(), type, alignment, space, throughput));
  if (!hasMaskedAccess(access, items))
    // As MaskedAccessesPass makes it: loads whole, stores where no element is off, and else one for
    // each element.
    return anyBranch + this->access(access, items, false) +
           (llvm::isa<llvm::LoadInst>(access) ? rare : packetsOnOneSide) *
               scatteredAccess(access, *type->getScalarType(),
                               llvm::cast<llvm::FixedVectorType>(type)->getNumElements());
  const llvm::Intrinsic::ID id = llvm::isa<llvm::LoadInst>(access) ? llvm::Intrinsic::masked_load
                                                                   : llvm::Intrinsic::masked_store;
  return number(costs_.getMemIntrinsicInstrCost(
      llvm::MemIntrinsicCostAttributes(id, type, alignment, space), throughput));
}

double TargetModel::scatteredAccess(const llvm::Instruction& access, llvm::Type& type,
                                    unsigned items) const {
  const bool isLoad = llvm::isa<llvm::LoadInst>(access);
  return number(costs_.getMemIntrinsicInstrCost(
      llvm::MemIntrinsicCostAttributes(
          isLoad ? llvm::Intrinsic::masked_gather : llvm::Intrinsic::masked_scatter,
          typeFor(&type, items), llvm::getLoadStorePointerOperand(&access), true,
          llvm::getLoadStoreAlignment(&access)),
      throughput));
}

double TargetModel::interleavedAccess(const llvm::Instruction& access, unsigned items,
                                      unsigned stride, llvm::ArrayRef<unsigned> members,
                                      bool isMasked) const {
  llvm::Type* type = llvm::FixedVectorType::get(llvm::getLoadStoreType(&access), items * stride);
  return number(costs_.getInterleavedMemoryOpCost(
      access.getOpcode(), type, stride, members, llvm::getLoadStoreAlignment(&access),
      llvm::getLoadStoreAddressSpace(&access), throughput, isMasked,
      llvm::isa<llvm::StoreInst>(access) && members.size() < stride));
}

double TargetModel::cacheConflicts(int64_t stride, unsigned items) {
  const uint64_t apart = std::gcd(static_cast<uint64_t>(std::abs(stride)), bytesOfWay);
  return items * apart > waysOfAccess * bytesOfWay ? items * lineFromCache : 0;
}

unsigned TargetModel::registers(llvm::Type* element, unsigned items) const {
  const uint64_t bits = typeFor(element, items)->getPrimitiveSizeInBits().getFixedValue();
  return static_cast<unsigned>(std::max<uint64_t>(1, llvm::divideCeil(bits, vectorBits_)));
}

double TargetModel::permutation(llvm::Type* element, unsigned items) const {
  auto* type = llvm::FixedVectorType::get(
      element->getScalarType(),
      items * (element->isVectorTy() ? llvm::cast<llvm::FixedVectorType>(element)->getNumElements()
                                     : 1));
  return number(costs_.getShuffleCost(TTI::SK_PermuteSingleSrc, type, type, {}, throughput));
}

} // namespace quern::compiler
