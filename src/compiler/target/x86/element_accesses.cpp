#include "compiler/target/x86/element_accesses.h"

#include <optional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/InstSimplifyFolder.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/codegen/machine.h"
#include "compiler/il/preserved_analyses.h"
#include "compiler/target/x86/masked_access.h"

namespace quern::compiler {
namespace {

using Builder = llvm::IRBuilder<llvm::InstSimplifyFolder>;
using llvm::Value;

/// How far back an index is followed.
constexpr unsigned mostSteps = 8;

/// Numbers that are equally far apart: `first`, `first + step` and so on, modulo their type. Made
/// where the vector of them is.
struct Progression {
  Value* first = nullptr;
  Value* step = nullptr;
};

/// Vectors of integers as progressions.
class Progressions {
public:
  std::optional<Progression> of(Value* vector, unsigned depth = 0) {
    if (const auto known = known_.find(vector); known != known_.end())
      return known->second;
    const std::optional<Progression> found =
        depth < mostSteps ? compute(vector, depth) : std::nullopt;
    known_[vector] = found;
    return found;
  }

private:
  std::optional<Progression> compute(Value* vector, unsigned depth) {
    using namespace llvm::PatternMatch;
    llvm::Type* type = vector->getType()->getScalarType();
    if (Value* same = llvm::getSplatValue(vector))
      return Progression{same, llvm::ConstantInt::get(type, 0)};
    if (const auto* constant = llvm::dyn_cast<llvm::Constant>(vector))
      return ofConstant(*constant);
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(vector);
    if (!instruction)
      return std::nullopt;
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction))
      return ofPhi(*phi, depth);
    Value *a = nullptr, *b = nullptr;
    const bool isSum = match(vector, m_AddLike(m_Value(a), m_Value(b)));
    if (!isSum && !match(vector, m_Sub(m_Value(a), m_Value(b))) &&
        !match(vector, m_Mul(m_Value(a), m_Value(b))) &&
        !match(vector, m_Shl(m_Value(a), m_Value(b))))
      return std::nullopt;
    std::optional<Progression> left = of(a, depth + 1), right = of(b, depth + 1);
    if (!left || !right)
      return std::nullopt;
    Builder builder(instruction->getParent(), instruction->getIterator(),
                    llvm::InstSimplifyFolder(instruction->getDataLayout()));
    if (isSum)
      return Progression{builder.CreateAdd(left->first, right->first),
                         builder.CreateAdd(left->step, right->step)};
    if (instruction->getOpcode() == llvm::Instruction::Sub)
      return Progression{builder.CreateSub(left->first, right->first),
                         builder.CreateSub(left->step, right->step)};
    if (instruction->getOpcode() == llvm::Instruction::Mul && !isZero(right->step))
      std::swap(left, right);
    if (!isZero(right->step))
      return std::nullopt;
    const auto opcode = static_cast<llvm::Instruction::BinaryOps>(instruction->getOpcode());
    return Progression{builder.CreateBinOp(opcode, left->first, right->first),
                       builder.CreateBinOp(opcode, left->step, right->first)};
  }

  static bool isZero(const Value* value) {
    const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
    return constant && constant->isNullValue();
  }

  static std::optional<Progression> ofConstant(const llvm::Constant& constant) {
    const auto at = [&](unsigned i) {
      return llvm::dyn_cast_or_null<llvm::ConstantInt>(constant.getAggregateElement(i));
    };
    const llvm::ConstantInt *first = at(0), *second = at(1);
    if (!first || !second)
      return std::nullopt;
    const llvm::APInt step = second->getValue() - first->getValue();
    llvm::APInt expected = first->getValue();
    const unsigned count = llvm::cast<llvm::FixedVectorType>(constant.getType())->getNumElements();
    for (unsigned i = 0; i < count; ++i, expected += step)
      if (const llvm::ConstantInt* element = at(i); !element || element->getValue() != expected)
        return std::nullopt;
    return Progression{const_cast<llvm::ConstantInt*>(first),
                       llvm::ConstantInt::get(first->getType(), step)};
  }

  /// A vector that all iterations of a loop add one number to.
  std::optional<Progression> ofPhi(llvm::PHINode& phi, unsigned depth) {
    using namespace llvm::PatternMatch;
    if (phi.getNumIncomingValues() != 2)
      return std::nullopt;
    for (const unsigned start : {0u, 1u}) {
      Value* added = nullptr;
      if (!match(phi.getIncomingValue(1 - start), m_c_Add(m_Specific(&phi), m_Value(added))) ||
          !llvm::getSplatValue(added))
        continue;
      const std::optional<Progression> before = of(phi.getIncomingValue(start), depth + 1);
      if (!before)
        return std::nullopt;
      llvm::IRBuilder<> builder(&phi);
      llvm::PHINode* first = builder.CreatePHI(before->first->getType(), 2);
      first->addIncoming(before->first, phi.getIncomingBlock(start));
      builder.SetInsertPoint(llvm::cast<llvm::Instruction>(phi.getIncomingValue(1 - start)));
      first->addIncoming(builder.CreateAdd(first, llvm::getSplatValue(added)),
                         phi.getIncomingBlock(1 - start));
      return Progression{first, before->step};
    }
    return std::nullopt;
  }

  llvm::DenseMap<Value*, std::optional<Progression>> known_;
};

/// Addresses of elements at the indices of a progression that is extended to 64 bits.
struct Addresses {
  Value* base = nullptr; ///< one address
  llvm::Type* element = nullptr;
  Progression indices;
  const llvm::CastInst* extension = nullptr; ///< null for none
};

class Elements {
public:
  std::optional<Addresses> addressesOf(Value* pointers) {
    auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(pointers);
    if (!address || address->getNumIndices() != 1)
      return std::nullopt;
    Value* index = address->getOperand(1);
    Value* base = oneOf(address->getPointerOperand());
    if (!base) {
      // The same number behind each.
      const Value* same = index->getType()->isVectorTy() ? llvm::getSplatValue(index) : index;
      std::optional<Addresses> inner =
          same ? addressesOf(address->getPointerOperand()) : std::nullopt;
      if (inner) {
        llvm::IRBuilder<> builder(address);
        inner->base = builder.CreateGEP(address->getSourceElementType(), inner->base,
                                        const_cast<Value*>(same));
      }
      return inner;
    }
    if (!index->getType()->isVectorTy())
      return std::nullopt;
    const auto* extension = llvm::dyn_cast<llvm::CastInst>(index);
    if (extension && !llvm::isa<llvm::ZExtInst, llvm::SExtInst>(extension))
      return std::nullopt;
    const std::optional<Progression> indices =
        progressions_.of(extension ? extension->getOperand(0) : index);
    if (!indices)
      return std::nullopt;
    return Addresses{base, address->getSourceElementType(), *indices, extension};
  }

  /// In the place of a gather or a scatter.
  static void replace(const MaskedAccess& access, const Addresses& addresses) {
    llvm::IRBuilder<> builder(&access.call());
    llvm::FixedVectorType* type = access.type();
    Value* loaded = llvm::PoisonValue::get(type);
    Value* index = addresses.indices.first;
    for (unsigned i = 0; i < type->getNumElements(); ++i) {
      if (i != 0)
        index = builder.CreateAdd(index, addresses.indices.step);
      Value* wide = addresses.extension ? builder.CreateCast(addresses.extension->getOpcode(),
                                                             index, builder.getInt64Ty())
                                        : index;
      Value* place = builder.CreateGEP(addresses.element, addresses.base, wide);
      if (access.isLoad())
        loaded = builder.CreateInsertElement(
            loaded, builder.CreateAlignedLoad(type->getElementType(), place, access.alignment()),
            i);
      else
        builder.CreateAlignedStore(builder.CreateExtractElement(access.stored(), i), place,
                                   access.alignment());
    }
    if (access.isLoad()) {
      loaded->takeName(&access.call());
      access.call().replaceAllUsesWith(loaded);
    }
    access.call().eraseFromParent();
  }

private:
  static Value* oneOf(Value* pointer) {
    return pointer->getType()->isVectorTy() ? const_cast<Value*>(llvm::getSplatValue(pointer))
                                            : pointer;
  }

  Progressions progressions_;
};

/// Whether it is a gather or a scatter without a mask.
bool isOfAll(const MaskedAccess& access) {
  const auto* mask = llvm::dyn_cast<llvm::Constant>(access.mask());
  return !access.isOfNeighbours() && mask && mask->isAllOnesValue();
}

} // namespace

ElementAccessesPass::ElementAccessesPass(const PassSettings& settings)
    : isWorthwhile_(joinsElementsFast(settings.machine)) {}

llvm::PreservedAnalyses ElementAccessesPass::run(llvm::Function& function,
                                                 llvm::FunctionAnalysisManager&) {
  if (!isWorthwhile_)
    return llvm::PreservedAnalyses::all();
  llvm::SmallVector<MaskedAccess> accesses;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (const std::optional<MaskedAccess> access = MaskedAccess::of(instruction);
        access && isOfAll(*access))
      accesses.push_back(*access);
  Elements elements;
  for (const MaskedAccess& access : accesses)
    if (const std::optional<Addresses> addresses = elements.addressesOf(access.pointer()))
      Elements::replace(access, *addresses);
  return preservedWithCfg(!accesses.empty());
}

} // namespace quern::compiler
