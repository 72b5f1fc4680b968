#include "compiler/checks/check_races.h"

#include <optional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/IR/InstIterator.h>

#include "abi/checked_launch.h"
#include "compiler/checks/accesses.h"
#include "compiler/checks/fault.h"
#include "compiler/checks/launch_bits.h"
#include "compiler/checks/local_tokens.h"
#include "compiler/checks/names.h"
#include "compiler/checks/objects.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

using abi::ObjectKind;

bool isShared(ObjectKind kind) {
  return kind == ObjectKind::Argument || kind == ObjectKind::LocalArgument ||
         kind == ObjectKind::Local || kind == ObjectKind::Variable || kind == ObjectKind::Memory;
}

bool isLocal(ObjectKind kind) {
  return kind == ObjectKind::LocalArgument || kind == ObjectKind::Local;
}

/// Whether the kernel makes accesses in an order that others see, beside that of barriers.
bool hasFences(llvm::Function& body) {
  return llvm::any_of(llvm::instructions(body), [](const llvm::Instruction& instruction) {
    if (llvm::isa<llvm::FenceInst>(instruction))
      return true;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return llvm::isAcquireOrStronger(load->getOrdering());
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return llvm::isReleaseOrStronger(store->getOrdering());
    if (const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      return llvm::isStrongerThanMonotonic(atomic->getOrdering());
    const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
    return exchange && llvm::isStrongerThanMonotonic(exchange->getSuccessOrdering());
  });
}

/// The numbers that the device is told of have so many bytes.
constexpr uint64_t valueBytes = 8;

/// What a plain store writes, where that is a number of at most 8 bytes.
llvm::Value* storedBits(llvm::IRBuilder<>& builder, const CheckedAccess& access) {
  auto* store = llvm::dyn_cast<llvm::StoreInst>(access.instruction);
  llvm::Type* type = store ? store->getValueOperand()->getType() : nullptr;
  if (!store || access.bytes > valueBytes || type->isAggregateType())
    return builder.getInt64(0);
  llvm::Value* value = store->getValueOperand();
  if (type->isPointerTy())
    return builder.CreatePtrToInt(value, builder.getInt64Ty());
  llvm::Type* integer = builder.getIntNTy(type->getPrimitiveSizeInBits());
  return builder.CreateZExt(builder.CreateBitCast(value, integer), builder.getInt64Ty());
}

/// What a kernel writes, where that is known: no other work-item can be in the way of a read of
/// anything else.
class Writes {
public:
  Writes(llvm::Function& body, llvm::ArrayRef<CheckedAccess> accesses, Objects& objects)
      : body_(body) {
    for (const CheckedAccess& access : accesses)
      if (access.isWrite)
        note(objects.of(access.pointer, access.isOfProgram));
  }

  /// Whether the launch makes a difference to `access`, which is a read of `object`: an argument
  /// that is not written may have the memory of one that is, and a pointer may lead there. Null
  /// where the device has to be told in any case.
  llvm::Value* mayMeet(const CheckedAccess& access, const Object& object) {
    if (access.isWrite || isAnywhere_)
      return nullptr;
    if (object.kind == ObjectKind::Argument && object.argument < abi::overlapBits &&
        !arguments_.contains(object.argument))
      return overlapOf(object.argument);
    constexpr unsigned mostCompared = 4;
    if (object.kind != ObjectKind::Memory || isInVariables_ || access.length ||
        arguments_.size() > mostCompared)
      return nullptr;
    return isInArguments(access);
  }

private:
  void note(const Object& object) {
    if (object.kind == ObjectKind::Argument)
      arguments_.try_emplace(object.argument, object);
    else if (object.kind == ObjectKind::Variable)
      isInVariables_ = true;
    else if (object.kind == ObjectKind::Memory || object.kind == ObjectKind::None)
      isAnywhere_ = true;
  }

  llvm::Value* overlapOf(unsigned argument) {
    llvm::Value*& known = overlaps_[argument];
    if (!known)
      known = launchBit(body_, offsetof(abi::CheckedLaunchInfo, overlaps), argument);
    return known;
  }

  llvm::Value* isInArguments(const CheckedAccess& access) const {
    llvm::IRBuilder<> builder(access.instruction);
    llvm::Value* end =
        builder.CreateAdd(addressOf(builder, access.pointer), builder.getInt64(access.bytes - 1));
    llvm::Value* any = builder.getFalse();
    for (const auto& [argument, object] : arguments_) {
      llvm::Value* room = builder.CreateAdd(object.bytes, builder.getInt64(access.bytes - 1));
      any =
          builder.CreateOr(any, builder.CreateICmpULT(builder.CreateSub(end, object.begin), room));
    }
    return any;
  }

  llvm::Function& body_;
  llvm::SmallMapVector<unsigned, Object, 4> arguments_;
  bool isAnywhere_ = false, isInVariables_ = false;
  llvm::DenseMap<unsigned, llvm::Value*> overlaps_;
};

bool isPlainRead(const CheckedAccess& access) {
  return !access.isWrite && !access.isAtomic;
}

/// abi::CheckedAccessBits of `access`. A compare-and-exchange that has failed, which is to be asked
/// behind it, has only read.
llvm::Value* kindOf(llvm::IRBuilder<>& builder, const CheckedAccess& access, const Object& object,
                    bool isFenced) {
  const uint64_t bits = (access.isAtomic ? abi::checkedAtomic : 0) |
                        (isLocal(object.kind) ? abi::checkedLocal : 0) |
                        (isFenced ? abi::checkedFenced : 0);
  if (!access.isWrite)
    return builder.getInt64(bits);
  if (llvm::isa<llvm::AtomicCmpXchgInst>(access.instruction))
    return builder.CreateSelect(builder.CreateExtractValue(access.instruction, 1),
                                builder.getInt64(bits | abi::checkedWrite), builder.getInt64(bits));
  return builder.getInt64(bits | abi::checkedWrite);
}

/// Of `size` bytes from byte `at` of `access` on.
void tellOfPart(llvm::IRBuilder<>& builder, const CheckedAccess& access, const Object& object,
                bool isFenced, llvm::Value* value, uint64_t at, uint64_t size) {
  llvm::Value* bytes = access.length
                           ? builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, access.length,
                                                           builder.getInt64(UINT32_MAX))
                           : builder.getInt64(size);
  llvm::Value* pointer = access.pointer;
  if (at != 0)
    pointer = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, at);
  const abi::CheckSite site = {.fault =
                                   access.isWrite ? abi::Fault::RaceWrite : abi::Fault::RaceRead,
                               .object = object.kind,
                               .argument = object.argument,
                               .name = object.name.str(),
                               .bytes = access.bytes};
  tellDevice(builder, names::checkAccess, site, *access.instruction,
             {addressOf(builder, pointer), value,
              builder.CreateOr(bytes, kindOf(builder, access, object, isFenced))});
}

/// A vector that is stored as numbers that the device is told of, or null.
llvm::Value* storedNumbers(llvm::IRBuilder<>& builder, const CheckedAccess& access) {
  auto* store = llvm::dyn_cast<llvm::StoreInst>(access.instruction);
  if (!store || !store->getValueOperand()->getType()->isVectorTy() || access.bytes <= valueBytes ||
      access.bytes % valueBytes != 0 ||
      store->getValueOperand()->getType()->getPrimitiveSizeInBits() != 8 * access.bytes)
    return nullptr;
  return builder.CreateBitCast(
      store->getValueOperand(),
      llvm::FixedVectorType::get(builder.getInt64Ty(), access.bytes / valueBytes));
}

/// `token` is of a plain read in local memory (abi::checkAccessSymbol).
void tell(llvm::Instruction& before, const CheckedAccess& access, const Object& object,
          bool isFenced, llvm::Value* token = nullptr) {
  llvm::IRBuilder<> builder(&before);
  if (llvm::Value* numbers = storedNumbers(builder, access)) {
    for (uint64_t i = 0; i < access.bytes / valueBytes; ++i)
      tellOfPart(builder, access, object, isFenced, builder.CreateExtractElement(numbers, i),
                 i * valueBytes, valueBytes);
    return;
  }
  llvm::Value* value =
      token ? builder.CreateZExt(token, builder.getInt64Ty()) : storedBits(builder, access);
  tellOfPart(builder, access, object, isFenced, value, 0, access.bytes);
}

} // namespace

llvm::PreservedAnalyses CheckRacesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (llvm::Function* body : kernelFunctions(module)) {
    gatherVariables(*body);
    Objects objects(*body);
    const bool isFenced = hasFences(*body);
    const std::vector<CheckedAccess> accesses = checkedAccesses(*body);
    LocalTokens tokens(*body);
    Writes writes(*body, accesses, objects);
    for (const CheckedAccess& access : accesses) {
      // What an exchange has done shows behind it.
      llvm::Instruction& place = llvm::isa<llvm::AtomicCmpXchgInst>(access.instruction)
                                     ? *access.instruction->getNextNode()
                                     : *access.instruction;
      const Object object = objects.of(access.pointer, access.isOfProgram);
      const std::optional<LocalAccess> local =
          isLocal(object.kind) ? tokens.of(access) : std::nullopt;
      if (local)
        tell(branchBefore(place, local->isNews), access, object, isFenced,
             isPlainRead(access) ? local->own : nullptr);
      else if (llvm::Value* mayMeet = writes.mayMeet(access, object))
        tell(branchBefore(place, mayMeet), access, object, isFenced);
      else if (isShared(object.kind))
        tell(place, access, object, isFenced);
    }
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
