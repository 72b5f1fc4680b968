#include "compiler/checks/shared_shadows.h"

#include <llvm/IR/Module.h>

#include "abi/checked_launch.h"
#include "compiler/checks/fault.h"
#include "compiler/il/address_space.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

using abi::ObjectKind;

/// In an address space that is no work-item's own, or the region would not run in packets.
llvm::Type* shadowPointer(llvm::IRBuilder<>& builder) {
  return builder.getPtrTy(address_space::global);
}

llvm::LoadInst* loadAt(llvm::IRBuilder<>& builder, llvm::Type* type, llvm::Value* base,
                       uint64_t offset, const char* name) {
  llvm::LoadInst* value = builder.CreateAlignedLoad(
      type, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset), llvm::Align(8),
      name);
  value->setMetadata(llvm::LLVMContext::MD_invariant_load,
                     llvm::MDNode::get(builder.getContext(), {}));
  markAsOfChecks(value);
  return value;
}

/// The byte of `shadow`, which is of what begins at `begin`, for what `pointer` points at.
llvm::Value* step(llvm::IRBuilder<>& builder, llvm::Value* shadow, llvm::Value* begin,
                  llvm::Value* pointer) {
  llvm::Value* offset = builder.CreateSub(addressOf(builder, pointer), begin);
  return builder.CreateGEP(builder.getInt8Ty(), shadow, offset);
}

} // namespace

Shadow SharedShadows::of(llvm::IRBuilder<>& builder, llvm::Value* pointer) {
  const Object object = objects_.of(pointer, /*mayLookUp=*/false);
  if (object.kind == ObjectKind::Argument) {
    const Shadow first = ofArgument(object);
    return {step(builder, first.place, object.begin, pointer), first.isThere};
  }
  if (object.kind != ObjectKind::Local && object.kind != ObjectKind::LocalArgument)
    return {};
  llvm::Value* begin = addressOf(builder, implicitArgument(body_, ImplicitArgument::Local));
  return {step(builder, ofLocalMemory(), begin, pointer), nullptr};
}

Shadow SharedShadows::ofArgument(const Object& object) {
  Shadow& known = arguments_[object.argument];
  if (known)
    return known;
  llvm::IRBuilder<> builder(startOf(body_));
  llvm::Value* all = loadAt(builder, builder.getPtrTy(address_space::constant),
                            implicitArgument(body_, ImplicitArgument::Launch),
                            offsetof(abi::CheckedLaunchInfo, written), "written");
  llvm::Value* shadow = loadAt(builder, shadowPointer(builder), all,
                               object.argument * sizeof(std::byte*), "written.argument");
  known.isThere = builder.CreateIsNotNull(shadow);
  llvm::Value* own =
      builder.CreateAddrSpaceCast(body_.getArg(object.argument), shadowPointer(builder));
  known.place = builder.CreateSelect(known.isThere, shadow, own, "place");
  return known;
}

llvm::Value* SharedShadows::ofLocalMemory() {
  if (!local_) {
    llvm::IRBuilder<> builder(startOf(body_));
    local_ =
        loadAt(builder, shadowPointer(builder), implicitArgument(body_, ImplicitArgument::Scratch),
               offsetof(abi::CheckedScratch, written), "written.local");
    body_.addFnAttr(names::shadowsLocalAttribute);
  }
  return local_;
}

llvm::Value* SharedShadows::isAnyUnwritten() {
  if (!isAnyUnwritten_) {
    llvm::IRBuilder<> builder(startOf(body_));
    isAnyUnwritten_ = builder.CreateIsNotNull(
        loadAt(builder, builder.getInt64Ty(), implicitArgument(body_, ImplicitArgument::Launch),
               offsetof(abi::CheckedLaunchInfo, isAnyUnwritten), "unwritten"));
  }
  return isAnyUnwritten_;
}

void SharedShadows::noteUnknown(llvm::IRBuilder<>& builder, llvm::Value* pointer,
                                llvm::Value* bytes) {
  const Object object = objects_.of(pointer, /*mayLookUp=*/false);
  const unsigned space = pointer->getType()->getPointerAddressSpace();
  if (object.kind == ObjectKind::Private || object.kind == ObjectKind::Variable ||
      space == address_space::privateMemory)
    return;
  // A pointer to global memory only leads to local memory where it comes from elsewhere.
  if (space == address_space::global)
    builder.SetInsertPoint(&branchBefore(*builder.GetInsertPoint(), isAnyUnwritten()));
  llvm::Type* number = builder.getInt64Ty();
  llvm::FunctionCallee callee = body_.getParent()->getOrInsertFunction(
      llvm::StringRef(abi::checkWrittenSymbol),
      llvm::FunctionType::get(builder.getVoidTy(), {number, number}, false));
  llvm::cast<llvm::Function>(callee.getCallee())->addFnAttr(llvm::Attribute::NoUnwind);
  builder.CreateCall(callee,
                     {addressOf(builder, pointer), builder.CreateZExtOrTrunc(bytes, number)});
}

} // namespace quern::compiler
