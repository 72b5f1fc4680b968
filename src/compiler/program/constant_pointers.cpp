#include "compiler/program/constant_pointers.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/il/address_space.h"
#include "compiler/target/nvptx/remap_address_spaces.h"

namespace quern::compiler {
namespace {

using llvm::Instruction;
using Pointers = llvm::SmallSetVector<Instruction*, 8>;

bool isMask(const Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && call->getIntrinsicID() == llvm::Intrinsic::ptrmask;
}

/// The pointers that a pointer is made of, or a number that becomes one.
llvm::SmallVector<llvm::Use*, 4> sourcesOf(Instruction& pointer) {
  llvm::SmallVector<llvm::Use*, 4> sources;
  if (llvm::isa<llvm::PHINode>(pointer)) {
    for (llvm::Use& incoming : pointer.operands())
      sources.push_back(&incoming);
  } else if (llvm::isa<llvm::SelectInst>(pointer)) {
    sources = {&pointer.getOperandUse(1), &pointer.getOperandUse(2)};
  } else {
    sources = {&pointer.getOperandUse(0)};
  }
  return sources;
}

/// Whether `constant` is no variable, nor leads into one, so that it may be in any address space.
bool isAnywhere(const llvm::Value* constant) {
  while (const auto* address = llvm::dyn_cast<llvm::GEPOperator>(constant))
    constant = address->getPointerOperand();
  return llvm::isa<llvm::Constant>(constant) && !llvm::isa<llvm::GlobalValue>(constant) &&
         llvm::Operator::getOpcode(constant) != Instruction::AddrSpaceCast;
}

bool isNull(const llvm::Value* constant) {
  return llvm::isa<llvm::UndefValue>(constant) ||
         llvm::cast<llvm::Constant>(constant)->isNullValue();
}

class Search {
public:
  Search(llvm::Function& function, unsigned genericAddressSpace) : generic_(genericAddressSpace) {
    for (Instruction& instruction : llvm::instructions(function))
      if (isMade(instruction))
        pointers_.insert(&instruction);
  }

  /// The pointers that are made of constants that may be anywhere alone.
  Pointers ofConstants() {
    return without(pointers_, [&](Instruction& pointer) {
      return llvm::any_of(sourcesOf(pointer), [&](const llvm::Use* source) {
        auto* instruction = llvm::dyn_cast<Instruction>(source->get());
        return !(instruction && pointers_.contains(instruction)) && !isAnywhere(source->get());
      });
    });
  }

  /// Those of `ofConstants` that are null whatever happens.
  static Pointers alwaysNull(const Pointers& ofConstants) {
    return without(ofConstants, [](Instruction& pointer) {
      return llvm::isa<llvm::GetElementPtrInst>(pointer) || isMask(pointer) ||
             llvm::any_of(sourcesOf(pointer), [](const llvm::Use* source) {
               return llvm::isa<llvm::Constant>(source->get()) && !isNull(source->get());
             });
    });
  }

private:
  /// Whether InferAddressSpaces looks for the address space of `instruction` in what it is made of,
  /// or does so through it.
  bool isMade(const Instruction& instruction) const {
    if (const auto* number = llvm::dyn_cast<llvm::PtrToIntInst>(&instruction))
      return isGeneric(number->getOperand(0));
    if (!isGeneric(&instruction))
      return false;
    if (llvm::isa<llvm::IntToPtrInst>(instruction))
      return llvm::isa<llvm::PtrToIntInst>(instruction.getOperand(0));
    return llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::GetElementPtrInst>(instruction) ||
           isMask(instruction);
  }

  bool isGeneric(const llvm::Value* value) const {
    const llvm::Type* type = value->getType()->getScalarType();
    return type->isPointerTy() && type->getPointerAddressSpace() == generic_;
  }

  /// `pointers` without those that `leaves` holds for and those that are made of these.
  static Pointers without(const Pointers& pointers, llvm::function_ref<bool(Instruction&)> leaves) {
    Pointers left;
    for (Instruction* pointer : pointers)
      if (leaves(*pointer))
        left.insert(pointer);
    for (size_t i = 0; i < left.size(); ++i)
      for (llvm::User* user : left[i]->users())
        if (auto* made = llvm::cast<Instruction>(user); pointers.contains(made))
          left.insert(made);
    Pointers rest;
    for (Instruction* pointer : pointers)
      if (!left.contains(pointer))
        rest.insert(pointer);
    return rest;
  }

  unsigned generic_;
  Pointers pointers_;
};

void replaceByNull(const Pointers& pointers) {
  for (Instruction* pointer : pointers)
    pointer->replaceAllUsesWith(llvm::Constant::getNullValue(pointer->getType()));
  for (Instruction* pointer : pointers)
    pointer->eraseFromParent();
}

void hideConstants(llvm::Function& function, const Pointers& pointers) {
  llvm::IRBuilder<> start(&*function.getEntryBlock().getFirstInsertionPt());
  llvm::DenseMap<llvm::Value*, llvm::Value*> hidden;
  for (Instruction* pointer : pointers)
    for (llvm::Use* source : sourcesOf(*pointer))
      if (llvm::isa<llvm::Constant>(source->get())) {
        llvm::Value*& known = hidden[source->get()];
        if (!known)
          known = start.CreateFreeze(source->get());
        source->set(known);
      }
}

} // namespace

ConstantPointersPass::ConstantPointersPass(const PassSettings& settings)
    : genericAddressSpace_(settings.machine.getTargetTriple().isNVPTX() ? nvptx_space::generic
                                                                        : address_space::generic) {}

llvm::PreservedAnalyses ConstantPointersPass::run(llvm::Function& function,
                                                  llvm::FunctionAnalysisManager&) {
  bool changed = llvm::removeUnreachableBlocks(function);
  Search search(function, genericAddressSpace_);
  if (const Pointers ofConstants = search.ofConstants(); !ofConstants.empty()) {
    const Pointers null = Search::alwaysNull(ofConstants);
    Pointers others;
    for (Instruction* pointer : ofConstants)
      if (!null.contains(pointer))
        others.insert(pointer);
    replaceByNull(null);
    hideConstants(function, others);
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
