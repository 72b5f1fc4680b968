#include "compiler/checks/objects.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include "abi/checked_launch.h"
#include "compiler/checks/fault.h"
#include "compiler/checks/names.h"
#include "compiler/il/address_space.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

using abi::ObjectKind;

/// What Clang and the reader of SPIR-V say of an argument; empty where they do not.
llvm::StringRef metadataOf(const llvm::Function& body, llvm::StringRef kind, unsigned index) {
  const llvm::MDNode* all = body.getMetadata(kind);
  if (!all || index >= all->getNumOperands())
    return {};
  return llvm::cast<llvm::MDString>(all->getOperand(index))->getString();
}

llvm::StringRef argumentName(const llvm::Function& body, unsigned index) {
  const llvm::StringRef name = metadataOf(body, "kernel_arg_name", index);
  return name.empty() ? body.getArg(index)->getName() : name;
}

/// Images and pipes, whose memory is the library's.
bool isOpaque(const llvm::Function& body, unsigned index) {
  return metadataOf(body, "kernel_arg_base_type", index).starts_with("image") ||
         metadataOf(body, "kernel_arg_type_qual", index).contains("pipe");
}

ObjectKind kindOf(const llvm::GlobalVariable& variable) {
  switch (variable.getAddressSpace()) {
  case address_space::local:
    return ObjectKind::Local;
  case address_space::constant:
    return ObjectKind::Constant;
  default:
    return ObjectKind::Variable;
  }
}

/// What the objects of several ways have in common to say of both.
Object common(const Object& a, const Object& b) {
  Object both = a;
  if (a.kind != b.kind || a.argument != b.argument || a.name != b.name)
    both = {.kind = ObjectKind::Memory};
  return both;
}

/// Without casts and offsets; a global variable within a constant, too.
llvm::Value* rootOf(llvm::Value* pointer) {
  while (true) {
    pointer = pointer->stripPointerCasts();
    auto* address = llvm::dyn_cast<llvm::GEPOperator>(pointer);
    if (!address)
      return pointer;
    pointer = address->getPointerOperand();
  }
}

/// Of the memory that the address `asked` lies in. The device writes down what it finds
/// (abi::CheckedScratch::lookedUp), so that what was read there before is old.
llvm::Value* askDevice(llvm::IRBuilder<>& builder, std::string_view symbol, llvm::Value* asked) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  llvm::FunctionCallee callee = module.getOrInsertFunction(
      llvm::StringRef(symbol),
      llvm::FunctionType::get(builder.getInt64Ty(), {builder.getInt64Ty()}, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setWillReturn();
  function->setDoesNotThrow();
  return builder.CreateCall(callee, {asked});
}

} // namespace

Object Objects::of(llvm::Value* pointer, bool mayLookUp) {
  llvm::Value* root = rootOf(pointer);
  const std::pair key{root, unsigned{mayLookUp}};
  if (const auto known = found_.find(key); known != found_.end())
    return known->second;
  const Object object = find(root, mayLookUp);
  return found_[key] = object;
}

Object Objects::find(llvm::Value* root, bool mayLookUp) {
  llvm::IRBuilder<> builder(startOf(body_));
  const llvm::DataLayout& layout = body_.getDataLayout();
  if (auto* argument = llvm::dyn_cast<llvm::Argument>(root))
    return ofArgument(*argument);
  if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(root)) {
    if (!variable->hasMetadata(names::checkedMetadata))
      return {};
    return {.kind = kindOf(*variable),
            .name = variable->getName(),
            .begin = addressOf(builder, variable),
            .bytes = builder.getInt64(layout.getTypeAllocSize(variable->getValueType()))};
  }
  if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(root)) {
    const std::optional<llvm::TypeSize> bytes = variable->getAllocationSize(layout);
    if (!bytes)
      return {};
    builder.SetInsertPoint(variable->getParent(), std::next(variable->getIterator()));
    if (variable->getParent() == &body_.getEntryBlock())
      builder.SetInsertPoint(startOf(body_));
    return {.kind = ObjectKind::Private,
            .name = variable->getName(),
            .begin = addressOf(builder, variable),
            .bytes = builder.getInt64(bytes->getFixedValue())};
  }
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(root))
    return joined(*phi, mayLookUp);
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(root))
    return chosen(*select, mayLookUp);
  if (llvm::isa<llvm::ConstantPointerNull>(root))
    return {.kind = ObjectKind::Memory, .begin = builder.getInt64(0), .bytes = builder.getInt64(0)};
  if (mayLookUp && llvm::isa<llvm::Instruction>(root))
    return lookedUp(*root);
  return {};
}

Object Objects::ofArgument(llvm::Argument& argument) {
  const unsigned space = argument.getType()->isPointerTy()
                             ? argument.getType()->getPointerAddressSpace()
                             : address_space::privateMemory;
  if (!body_.hasFnAttribute(names::argumentsAttribute) ||
      argument.getArgNo() >= kernelArgumentCount(body_) || space == address_space::privateMemory ||
      isOpaque(body_, argument.getArgNo()))
    return {};
  llvm::IRBuilder<> builder(startOf(body_));
  llvm::Value* launch = implicitArgument(body_, ImplicitArgument::Launch);
  const auto load = [&](llvm::Type* type, llvm::Value* base, uint64_t offset, const char* name) {
    llvm::LoadInst* value = builder.CreateAlignedLoad(
        type, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset), llvm::Align(8),
        name);
    value->setMetadata(llvm::LLVMContext::MD_invariant_load,
                       llvm::MDNode::get(builder.getContext(), {}));
    return value;
  };
  // In an address space that is no work-item's own, or the region would not run in packets.
  llvm::Value* extents = load(builder.getPtrTy(address_space::constant), launch,
                              offsetof(abi::CheckedLaunchInfo, extents), "extents");
  const uint64_t offset =
      argument.getArgNo() * sizeof(abi::MemoryExtent) + offsetof(abi::MemoryExtent, bytes);
  return {.kind = space == address_space::local ? ObjectKind::LocalArgument : ObjectKind::Argument,
          .argument = argument.getArgNo(),
          .name = argumentName(body_, argument.getArgNo()),
          .begin = addressOf(builder, &argument),
          .bytes = load(builder.getInt64Ty(), extents, offset, "extent")};
}

Object Objects::joined(llvm::PHINode& phi, bool mayLookUp) {
  llvm::IRBuilder<> builder(&phi);
  const unsigned ways = phi.getNumIncomingValues();
  // A loop that only steps through an object comes back to the pointer itself.
  llvm::Value* only = nullptr;
  bool isOne = true;
  for (llvm::Value* way : phi.incoming_values()) {
    llvm::Value* root = rootOf(way);
    if (root == &phi || root == only)
      continue;
    isOne = only == nullptr;
    only = root;
    if (!isOne)
      break;
  }
  if (isOne && only)
    return of(only, mayLookUp);
  llvm::PHINode* begin = builder.CreatePHI(builder.getInt64Ty(), ways, phi.getName() + ".begin");
  llvm::PHINode* bytes = builder.CreatePHI(builder.getInt64Ty(), ways, phi.getName() + ".bytes");
  Object object = {.kind = ObjectKind::Memory, .begin = begin, .bytes = bytes};
  found_[{&phi, unsigned{mayLookUp}}] = object;
  for (unsigned way = 0; way < ways; ++way) {
    const Object part = of(phi.getIncomingValue(way), mayLookUp);
    const bool isKnown = part.kind != ObjectKind::None;
    // What is not known has any size.
    begin->addIncoming(isKnown ? part.begin : builder.getInt64(0), phi.getIncomingBlock(way));
    bytes->addIncoming(isKnown ? part.bytes : builder.getInt64(-1), phi.getIncomingBlock(way));
  }
  return object;
}

Object Objects::chosen(llvm::SelectInst& select, bool mayLookUp) {
  const Object onTrue = of(select.getTrueValue(), mayLookUp);
  const Object onFalse = of(select.getFalseValue(), mayLookUp);
  if (onTrue.kind == ObjectKind::None || onFalse.kind == ObjectKind::None)
    return {};
  if (onTrue == onFalse)
    return onTrue;
  llvm::IRBuilder<> builder(select.getNextNode());
  Object object = common(onTrue, onFalse);
  object.begin = builder.CreateSelect(select.getCondition(), onTrue.begin, onFalse.begin);
  object.bytes = builder.CreateSelect(select.getCondition(), onTrue.bytes, onFalse.bytes);
  return object;
}

Object Objects::lookedUp(llvm::Value& pointer) {
  auto& instruction = llvm::cast<llvm::Instruction>(pointer);
  std::optional<llvm::BasicBlock::iterator> place = instruction.getInsertionPointAfterDef();
  if (!place)
    return {};
  llvm::IRBuilder<> builder((*place)->getParent(), *place);
  llvm::Value* asked = addressOf(builder, &pointer);
  if (!body_.hasFnAttribute(names::argumentsAttribute))
    return {.kind = ObjectKind::Memory,
            .begin = askDevice(builder, abi::checkBeginSymbol, asked),
            .bytes = askDevice(builder, abi::checkBytesSymbol, asked)};
  const auto lookedUpLast = [&](uint64_t offset) {
    llvm::LoadInst* value = builder.CreateAlignedLoad(
        builder.getInt64Ty(),
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(),
                                           implicitArgument(body_, ImplicitArgument::Scratch),
                                           offsetof(abi::CheckedScratch, lookedUp) + offset),
        llvm::Align(8));
    markAsOfChecks(value);
    return value;
  };
  llvm::Value* first = lookedUpLast(offsetof(abi::LookedUpMemory, first));
  llvm::Value* length = lookedUpLast(offsetof(abi::LookedUpMemory, length));
  llvm::Value* lastBegin = lookedUpLast(offsetof(abi::LookedUpMemory, begin));
  llvm::Value* lastBytes = lookedUpLast(offsetof(abi::LookedUpMemory, bytes));
  llvm::Value* isElsewhere =
      builder.CreateICmpUGE(builder.CreateSub(asked, first), length, "elsewhere");
  llvm::BasicBlock* head = builder.GetInsertBlock();
  llvm::Instruction& next = **place;
  llvm::Instruction& end = branchBefore(next, isElsewhere);
  builder.SetInsertPoint(&end);
  llvm::Value* askedBegin = askDevice(builder, abi::checkBeginSymbol, asked);
  llvm::Value* askedBytes = askDevice(builder, abi::checkBytesSymbol, asked);
  builder.SetInsertPoint(next.getParent(), next.getParent()->begin());
  const auto either = [&](llvm::Value* last, llvm::Value* found) {
    llvm::PHINode* value = builder.CreatePHI(builder.getInt64Ty(), 2);
    value->addIncoming(last, head);
    value->addIncoming(found, end.getParent());
    return value;
  };
  return {.kind = ObjectKind::Memory,
          .begin = either(lastBegin, askedBegin),
          .bytes = either(lastBytes, askedBytes)};
}

} // namespace quern::compiler
