#include "compiler/footprints/pointed_memory.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Operator.h>

#include "compiler/il/address_space.h"
#include "compiler/il/kernel_function.h"

namespace quern::compiler {

using abi::FootprintOperation;
using Steps = OffsetSteps::Steps;

namespace {

llvm::StringRef qualifier(const llvm::Function& item, const char* metadata, unsigned argument) {
  const llvm::MDNode* node = item.getMetadata(metadata);
  if (!node || argument >= node->getNumOperands())
    return {};
  const auto* text = llvm::dyn_cast<llvm::MDString>(node->getOperand(argument));
  return text ? text->getString() : llvm::StringRef();
}

abi::FootprintStep number(int64_t value) {
  return {FootprintOperation::Constant, 64, value};
}

class Finder {
public:
  Finder(llvm::Function& item, OffsetSteps& offsets, llvm::ScalarEvolution& evolution)
      : item_(item), offsets_(offsets), evolution_(evolution) {}

  std::vector<PointedMemory> find(const llvm::Value* pointer) {
    visit(pointer, {}, 0);
    return std::move(found_);
  }

private:
  static constexpr unsigned mostDepth = 16, mostFound = 16;
  using Kind = PointedMemory::Kind;

  void visit(const llvm::Value* pointer, Steps offset, unsigned depth) {
    if (depth > mostDepth || found_.size() > mostFound)
      return add({Kind::Unknown, 0, {}});
    if (const auto* address = llvm::dyn_cast<llvm::GEPOperator>(pointer))
      return visitAddress(*address, std::move(offset), depth);
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(pointer))
      return visitArgument(*argument, std::move(offset));
    if (llvm::isa<llvm::AllocaInst, llvm::ConstantPointerNull, llvm::UndefValue>(pointer))
      return add({Kind::Own, 0, {}});
    if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(pointer))
      return add({variable->isConstant() ? Kind::Own : Kind::Variable, 0, {}});
    const auto* operation = llvm::dyn_cast<llvm::Operator>(pointer);
    if (operation && (operation->getOpcode() == llvm::Instruction::AddrSpaceCast ||
                      operation->getOpcode() == llvm::Instruction::Freeze))
      return visit(operation->getOperand(0), std::move(offset), depth + 1);
    if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(pointer)) {
      visit(select->getTrueValue(), offset, depth + 1);
      return visit(select->getFalseValue(), std::move(offset), depth + 1);
    }
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(pointer))
      return visitPhi(*phi, offset, depth);
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(pointer))
      return visitLoaded(*load);
    add({Kind::Unknown, 0, {}});
  }

  /// What `append` appends is added to what there is.
  static void addTo(Steps& offset, llvm::function_ref<void()> append) {
    const bool isFirst = offset.empty();
    append();
    if (!isFirst)
      offset.push_back({FootprintOperation::Add, 64, 0});
  }

  void visitAddress(const llvm::GEPOperator& address, Steps offset, unsigned depth) {
    const llvm::DataLayout& layout = item_.getDataLayout();
    const unsigned bits = layout.getIndexTypeSizeInBits(address.getType());
    llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4> variable;
    llvm::APInt constant(bits, 0);
    if (bits > 64 || address.getType()->isVectorTy() ||
        !address.collectOffset(layout, bits, variable, constant))
      return visit(address.getPointerOperand(), {{FootprintOperation::Any, 64, 0}}, depth + 1);
    for (const auto& [index, scale] : variable)
      addTo(offset, [&] {
        offsets_.append(offset, index);
        offset.push_back(number(scale.getSExtValue()));
        offset.push_back({FootprintOperation::Multiply, 64, 0});
      });
    if (!constant.isZero())
      addTo(offset, [&] { offset.push_back(number(constant.getSExtValue())); });
    visit(address.getPointerOperand(), std::move(offset), depth + 1);
  }

  void visitArgument(const llvm::Argument& argument, Steps offset) {
    const unsigned index = argument.getArgNo();
    const unsigned space = argument.getType()->getPointerAddressSpace();
    const bool isMemory = space != address_space::privateMemory && space != address_space::local;
    if (index >= kernelArgumentCount(item_) || !isMemory || isOpaqueArgument(item_, index))
      return add({Kind::Own, 0, {}});
    add({Kind::Argument, index, std::move(offset)});
  }

  /// A pointer that a loop moves on, or one of several.
  void visitPhi(const llvm::PHINode& phi, const Steps& offset, unsigned depth) {
    const llvm::SCEV* place = evolution_.getSCEV(const_cast<llvm::PHINode*>(&phi));
    const auto* base = llvm::dyn_cast<llvm::SCEVUnknown>(evolution_.getPointerBase(place));
    if (base && base->getValue() != &phi) {
      Steps moved = offset;
      addTo(moved, [&] { offsets_.append(moved, evolution_.removePointerBase(place)); });
      return visit(base->getValue(), std::move(moved), depth + 1);
    }
    if (!open_.insert(&phi).second)
      return; // What it was before, moved by something: each way in says so for itself.
    const bool isMoved = llvm::any_of(phi.incoming_values(), [&](const llvm::Value* incoming) {
      return incoming != &phi && dependsOn(incoming, phi, 0);
    });
    for (const llvm::Value* incoming : phi.incoming_values())
      if (incoming != &phi)
        visit(incoming, isMoved ? Steps{{FootprintOperation::Any, 64, 0}} : offset, depth + 1);
    open_.erase(&phi);
  }

  static bool dependsOn(const llvm::Value* value, const llvm::PHINode& phi, unsigned depth) {
    if (value == &phi || depth > mostDepth)
      return true;
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction && !llvm::isa<llvm::LoadInst>(instruction) &&
           llvm::any_of(instruction->operands(), [&](const llvm::Use& operand) {
             return operand->getType()->isPointerTy() && dependsOn(operand, phi, depth + 1);
           });
  }

  /// The description of an image or a pipe says where its memory is.
  void visitLoaded(const llvm::LoadInst& load) {
    const auto* argument =
        llvm::dyn_cast<llvm::Argument>(load.getPointerOperand()->stripInBoundsConstantOffsets());
    if (argument && argument->getArgNo() < kernelArgumentCount(item_) &&
        isOpaqueArgument(item_, argument->getArgNo()))
      return add({Kind::Object, argument->getArgNo(), {}});
    add({Kind::Unknown, 0, {}});
  }

  void add(PointedMemory memory) {
    if (memory.offset.empty())
      memory.offset = {number(0)};
    if (OffsetSteps::isTooLong(memory.offset))
      memory.offset = {{FootprintOperation::Any, 64, 0}};
    found_.push_back(std::move(memory));
  }

  llvm::Function& item_;
  OffsetSteps& offsets_;
  llvm::ScalarEvolution& evolution_;
  std::vector<PointedMemory> found_;
  llvm::SmallPtrSet<const llvm::PHINode*, 8> open_;
};

} // namespace

std::vector<PointedMemory> pointedMemory(llvm::Function& item, const llvm::Value* pointer,
                                         OffsetSteps& offsets, llvm::ScalarEvolution& evolution) {
  return Finder(item, offsets, evolution).find(pointer);
}

bool isOpaqueArgument(const llvm::Function& item, unsigned argument) {
  const llvm::StringRef access = qualifier(item, "kernel_arg_access_qual", argument);
  return !access.empty() && access != "none";
}

bool isWrittenImage(const llvm::Function& item, unsigned argument) {
  return qualifier(item, "kernel_arg_access_qual", argument) != "read_only";
}

} // namespace quern::compiler
