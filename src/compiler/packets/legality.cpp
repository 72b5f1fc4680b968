#include "compiler/packets/legality.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/il/address_space.h"
#include "compiler/il/names.h"
#include "compiler/il/packet_operation.h"
#include "compiler/il/region_function.h"
#include "compiler/packets/each_item.h"
#include "compiler/packets/whole_vectors.h"

namespace quern::compiler {
namespace {

/// More code than this gains little from packets and takes long to compile.
constexpr unsigned maxInstructions = 4000;

bool isElement(const llvm::Type* type) {
  return type->isVoidTy() || type->isPointerTy() || type->isHalfTy() || type->isFloatTy() ||
         type->isDoubleTy() || type->isIntegerTy(1) || type->isIntegerTy(8) ||
         type->isIntegerTy(16) || type->isIntegerTy(32) || type->isIntegerTy(64);
}

bool isIgnored(const llvm::IntrinsicInst& call) {
  return call.isAssumeLikeIntrinsic() || call.isLifetimeStartOrEnd();
}

std::string whyNotCall(const llvm::CallInst& call) {
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    if (isIgnored(*intrinsic) || runsForEachItem(call) ||
        llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID()))
      return {};
    return "it uses " + llvm::Intrinsic::getBaseName(intrinsic->getIntrinsicID()).str();
  }
  if (!call.getCalledFunction())
    return "it calls a function that is not known";
  return {};
}

bool mayBePrivate(const llvm::Type& pointer) {
  const unsigned space = pointer.getPointerAddressSpace();
  return space == address_space::privateMemory || space == address_space::generic;
}

/// Memory that a work-item has for itself while it runs, but that lies at one place for all.
bool isReused(const llvm::Value* pointer, const llvm::Function& region) {
  const llvm::Value* object = llvm::getUnderlyingObject(pointer, 0);
  if (!mayBePrivate(*object->getType()))
    return false;
  const auto* argument = llvm::dyn_cast<llvm::Argument>(object);
  if (!argument)
    return true;
  auto& function = const_cast<llvm::Function&>(region);
  return argument == regionParameter(function, RegionParameter::Context);
}

std::string whyNotAccess(const llvm::Instruction& access, const llvm::Value* pointer,
                         const Shapes& shapes) {
  if (runsForEachItem(access))
    return {};
  if (!shapes.of(pointer).isUniform() ||
      pointer->getType()->getPointerAddressSpace() != address_space::privateMemory)
    return {};
  auto& region = const_cast<llvm::Function&>(*access.getFunction());
  if (isReused(pointer, region))
    return "it has private memory";
  const bool isUniformsOut = leadsInto(region, pointer, RegionParameter::UniformsOut);
  if (llvm::isa<llvm::StoreInst>(access) && !isUniformsOut)
    return "it writes to an argument";
  if (isUniformsOut && llvm::getLoadStoreType(&access)->isVectorTy())
    return "a whole vector is the result of its group";
  return {};
}

/// What is done for each work-item in turn may use memory of its own, but none that the work-items
/// use in turn.
bool usesReused(const llvm::Instruction& instruction, const Shapes& shapes) {
  return llvm::any_of(instruction.operands(), [&](const llvm::Use& operand) {
    const auto* type = llvm::dyn_cast<llvm::PointerType>(operand->getType());
    return type && !llvm::isa<llvm::Function>(operand) && mayBePrivate(*type) &&
           shapes.of(operand).isUniform() && isReused(operand, *instruction.getFunction());
  });
}

std::string whyNot(const llvm::Instruction& instruction, const Shapes& shapes) {
  const auto isOfElements = [&](const llvm::Value* value) {
    return isElement(value->getType()) ||
           llvm::isa<llvm::BasicBlock, llvm::Function, llvm::MetadataAsValue>(value);
  };
  const bool hasVectors =
      !isOfElements(&instruction) || !llvm::all_of(instruction.operands(), isOfElements);
  if (hasVectors && !canStayWhole(instruction))
    return "it has values of vector or aggregate type";
  if (runsForEachItem(instruction) && usesReused(instruction, shapes))
    return "it has private memory";
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
    return whyNotCall(*call);
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return whyNotAccess(*load, load->getPointerOperand(), shapes);
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return whyNotAccess(*store, store->getPointerOperand(), shapes);
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
    return variable->isStaticAlloca() ? "" : "it has private memory of no known size";
  if (instruction.isBinaryOp() || instruction.isUnaryOp() || instruction.isCast() ||
      llvm::isa<llvm::CmpInst, llvm::SelectInst, llvm::PHINode, llvm::GetElementPtrInst,
                llvm::FreezeInst, llvm::BranchInst, llvm::ReturnInst, llvm::AtomicRMWInst,
                llvm::FenceInst, llvm::InsertElementInst, llvm::ExtractElementInst,
                llvm::ShuffleVectorInst>(instruction))
    return {};
  return std::string("it has an instruction '") + instruction.getOpcodeName() + "'";
}

} // namespace

std::string whyTooLong(const llvm::Function& region, bool isPrepared) {
  if (region.getInstructionCount() <= (isPrepared ? maxInstructions : 2 * maxInstructions))
    return {};
  return "it has more than " + std::to_string(maxInstructions) + " instructions";
}

std::string whyNotPackets(llvm::Function& region, const Shapes& shapes, const MaskedBlocks& masked,
                          const llvm::LoopInfo& loops) {
  if (!masked.isValid())
    return "its control flow has no joins";
  if (std::string reason = whyTooLong(region, true); !reason.empty())
    return reason;
  if (mayWaitForOthers(region, loops))
    return "its work-items may wait for each other in a loop";
  for (const llvm::Instruction& instruction : llvm::instructions(region))
    if (std::string reason = whyNot(instruction, shapes); !reason.empty())
      return reason;
  return {};
}

} // namespace quern::compiler
