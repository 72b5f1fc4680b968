#include "compiler/checks/check_races.h"

#include <optional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
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

/// What a plain store writes, where that is a number of at most 8 bytes.
llvm::Value* storedBits(llvm::IRBuilder<>& builder, const CheckedAccess& access) {
  auto* store = llvm::dyn_cast<llvm::StoreInst>(access.instruction);
  llvm::Type* type = store ? store->getValueOperand()->getType() : nullptr;
  constexpr uint64_t mostBytes = 8;
  if (!store || access.bytes > mostBytes || type->isAggregateType())
    return builder.getInt64(0);
  llvm::Value* value = store->getValueOperand();
  if (type->isPointerTy())
    return builder.CreatePtrToInt(value, builder.getInt64Ty());
  llvm::Type* integer = builder.getIntNTy(type->getPrimitiveSizeInBits());
  return builder.CreateZExt(builder.CreateBitCast(value, integer), builder.getInt64Ty());
}

/// Which arguments a kernel only reads. No other work-item can be in their way, unless the launch
/// has given the same memory for another argument.
class ReadOnlyArguments {
public:
  ReadOnlyArguments(llvm::Function& body, llvm::ArrayRef<CheckedAccess> accesses, Objects& objects)
      : body_(body) {
    for (const CheckedAccess& access : accesses)
      if (access.isWrite)
        note(objects.of(access.pointer, access.isOfProgram));
  }

  bool has(const Object& object) const {
    return object.kind == ObjectKind::Argument && object.argument < abi::overlapBits &&
           !writesAnywhere_ && !written_.contains(object.argument);
  }
  /// Of one that it has: whether the launch makes a difference after all.
  llvm::Value* mayBeWritten(const Object& object) {
    llvm::Value*& known = known_[object.argument];
    if (!known)
      known = launchBit(body_, offsetof(abi::CheckedLaunchInfo, overlaps), object.argument);
    return known;
  }

private:
  void note(const Object& object) {
    if (object.kind == ObjectKind::Argument)
      written_.insert(object.argument);
    else if (object.kind == ObjectKind::Memory || object.kind == ObjectKind::None)
      writesAnywhere_ = true;
  }

  llvm::Function& body_;
  llvm::DenseSet<unsigned> written_;
  bool writesAnywhere_ = false;
  llvm::DenseMap<unsigned, llvm::Value*> known_;
};

bool isPlainRead(const CheckedAccess& access) {
  return !access.isWrite && !access.isAtomic;
}

/// `token` is of a plain read in local memory (abi::checkAccessSymbol).
void tell(llvm::Instruction& before, const CheckedAccess& access, const Object& object,
          bool isFenced, llvm::Value* token = nullptr) {
  llvm::IRBuilder<> builder(&before);
  const uint64_t bits =
      (access.isWrite ? abi::checkedWrite : 0) | (access.isAtomic ? abi::checkedAtomic : 0) |
      (isLocal(object.kind) ? abi::checkedLocal : 0) | (isFenced ? abi::checkedFenced : 0);
  llvm::Value* bytes = access.length
                           ? builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, access.length,
                                                           builder.getInt64(UINT32_MAX))
                           : builder.getInt64(access.bytes);
  const abi::CheckSite site = {.fault =
                                   access.isWrite ? abi::Fault::RaceWrite : abi::Fault::RaceRead,
                               .object = object.kind,
                               .argument = object.argument,
                               .name = object.name.str(),
                               .bytes = access.bytes};
  tellDevice(builder, names::checkAccess, site, *access.instruction,
             {addressOf(builder, access.pointer),
              token ? builder.CreateZExt(token, builder.getInt64Ty()) : storedBits(builder, access),
              builder.CreateOr(bytes, bits)});
}

} // namespace

llvm::PreservedAnalyses CheckRacesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (llvm::Function* body : kernelFunctions(module)) {
    gatherVariables(*body);
    Objects objects(*body);
    const bool isFenced = hasFences(*body);
    const std::vector<CheckedAccess> accesses = checkedAccesses(*body);
    LocalTokens tokens(*body);
    ReadOnlyArguments readOnly(*body, accesses, objects);
    for (const CheckedAccess& access : accesses) {
      const Object object = objects.of(access.pointer, access.isOfProgram);
      const std::optional<LocalAccess> local =
          isLocal(object.kind) ? tokens.of(access) : std::nullopt;
      if (local)
        tell(branchBefore(*access.instruction, local->isNews), access, object, isFenced,
             isPlainRead(access) ? local->own : nullptr);
      else if (readOnly.has(object))
        tell(branchBefore(*access.instruction, readOnly.mayBeWritten(object)), access, object,
             isFenced);
      else if (isShared(object.kind))
        tell(*access.instruction, access, object, isFenced);
    }
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
