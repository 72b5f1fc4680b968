#include "compiler/packets/legality.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/raw_ostream.h>

#include "compiler/il/address_space.h"
#include "compiler/il/names.h"
#include "compiler/il/packet_operation.h"
#include "compiler/il/region_function.h"
#include "compiler/packets/each_item.h"
#include "compiler/packets/prefetch.h"
#include "compiler/packets/preparation.h"
#include "compiler/packets/whole_vectors.h"

namespace quern::compiler {
namespace {

/// Integers of widths that no type of OpenCL C has come of what LLVM knows of numbers.
bool isElement(const llvm::Type* type) {
  constexpr unsigned maxBits = 64;
  return type->isVoidTy() || type->isPointerTy() || type->isHalfTy() || type->isFloatTy() ||
         type->isDoubleTy() || (type->isIntegerTy() && type->getIntegerBitWidth() <= maxBits);
}

bool isInMemory(const llvm::Type* type) {
  const auto* integer = llvm::dyn_cast<llvm::IntegerType>(type->getScalarType());
  return !integer || llvm::is_contained({1, 8, 16, 32, 64}, integer->getBitWidth());
}

/// Whether nothing needs what it says. Some of what LLVM counts among assumptions has a result.
bool isIgnored(const llvm::IntrinsicInst& call) {
  return call.getType()->isVoidTy() &&
         (call.isAssumeLikeIntrinsic() || call.isLifetimeStartOrEnd());
}

std::string describeType(const llvm::Type& type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

std::string whyNotCall(const llvm::CallInst& call) {
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    if (isIgnored(*intrinsic) || runsForEachItem(call) || isPrefetch(call) ||
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
  if (const llvm::Type* type = llvm::getLoadStoreType(&access); !isInMemory(type))
    return "it has accesses of type " + describeType(*type);
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

/// A value of the instruction, or the instruction itself, that no lane of a vector can hold. Null
/// where there is none.
const llvm::Value* notOfElements(const llvm::Instruction& instruction) {
  const auto isOfElements = [&](const llvm::Value* value) {
    return isElement(value->getType()) ||
           llvm::isa<llvm::BasicBlock, llvm::Function, llvm::MetadataAsValue>(value);
  };
  if (!isOfElements(&instruction))
    return &instruction;
  const auto* operand = llvm::find_if_not(instruction.operands(), isOfElements);
  return operand == instruction.op_end() ? nullptr : operand->get();
}

std::string whyNot(const llvm::Instruction& instruction, const Shapes& shapes) {
  if (const llvm::Value* value = notOfElements(instruction); value && !canStayWhole(instruction))
    return "it has values of type " + describeType(*value->getType());
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
  if (region.getInstructionCount() <= (isPrepared ? 1 : 2) * maxPacketInstructions)
    return {};
  return "it has more than " + std::to_string(maxPacketInstructions) + " instructions";
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
