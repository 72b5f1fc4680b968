// Blocks, branches and calls (SPIR-V 1.6, 3.52.9 and 3.52.17).
#include <llvm/IR/CFG.h>
#include <llvm/IR/MDBuilder.h>

#include "base/sentence.h"
#include "compiler/spirv/failure.h"
#include "compiler/spirv/function_reader.h"

namespace quern::compiler::spirv {
namespace {

/// 3.23 "Loop Control".
enum LoopControl : uint32_t {
  Unroll = 0x1,
  DontUnroll = 0x2,
  DependencyLength = 0x8,
  MinIterations = 0x10,
  MaxIterations = 0x20,
  IterationMultiple = 0x40,
  PeelCount = 0x80,
  PartialCount = 0x100,
};

llvm::MDNode* hint(llvm::LLVMContext& context, llvm::StringRef name,
                   std::optional<uint32_t> number = {}) {
  llvm::SmallVector<llvm::Metadata*> parts = {llvm::MDString::get(context, name)};
  if (number)
    parts.push_back(llvm::ConstantAsMetadata::get(
        llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), *number)));
  return llvm::MDNode::get(context, parts);
}

/// What OpLoopMerge says of unrolling, as LLVM's hints.
llvm::SmallVector<llvm::Metadata*> unrollingHints(llvm::LLVMContext& context,
                                                  std::span<const uint32_t> operands) {
  llvm::SmallVector<llvm::Metadata*> hints;
  const uint32_t control = operands[2];
  if (control & Unroll)
    hints.push_back(hint(context, "llvm.loop.unroll.enable"));
  if (control & DontUnroll)
    hints.push_back(hint(context, "llvm.loop.unroll.disable"));
  size_t next = 3;
  for (uint32_t bit = DependencyLength; bit <= PartialCount; bit <<= 1) {
    if (!(control & bit))
      continue;
    if (bit == PartialCount && next < operands.size() && operands[next] > 0)
      hints.push_back(hint(context, "llvm.loop.unroll.count", operands[next]));
    ++next;
  }
  return hints;
}

} // namespace

llvm::BasicBlock* FunctionReader::block(uint32_t label) {
  llvm::BasicBlock*& block = blocks_[label];
  if (!block)
    block =
        llvm::BasicBlock::Create(module_.context(), module_.decorations().name(label), &function_);
  return block;
}

bool FunctionReader::readControlFlow(const Instruction& i) {
  switch (i.op) {
  case Op::Label: {
    require(!builder_.GetInsertBlock(), "begins a block within another");
    llvm::BasicBlock* begun = block(i.result);
    begun->moveAfter(&function_.back());
    definedBlocks_.insert(i.result);
    if (definedBlocks_.size() == 1)
      Builder(entry_).CreateBr(begun);
    builder_.SetInsertPoint(begun);
    return true;
  }
  case Op::Phi:
    readPhi(i);
    return true;
  case Op::LoopMerge:
    loops_.emplace_back(builder_.GetInsertBlock(), &i);
    return true;
  case Op::SelectionMerge:
  case Op::LoopControlINTEL:
    return true;
  case Op::FunctionCall:
    readCall(i);
    return true;
  case Op::FunctionPointerCallINTEL:
    readPointerCall(i);
    return true;
  case Op::Branch:
    builder_.CreateBr(block(i.operands[0]));
    break;
  case Op::BranchConditional: {
    const Value condition = operand(i, 0);
    require(condition.type && condition.type->op == Op::TypeBool,
            "has a condition that is not Boolean");
    llvm::MDNode* weights = nullptr;
    if (i.operands.size() == 5 && (i.operands[3] != 0 || i.operands[4] != 0))
      weights =
          llvm::MDBuilder(module_.context()).createBranchWeights(i.operands[3], i.operands[4]);
    builder_.CreateCondBr(condition.value, block(i.operands[1]), block(i.operands[2]), weights);
    break;
  }
  case Op::Switch:
    readSwitch(i);
    break;
  case Op::Return:
  case Op::ReturnValue:
    readReturn(i);
    break;
  case Op::Unreachable:
    builder_.CreateUnreachable();
    break;
  default:
    return false;
  }
  builder_.ClearInsertionPoint();
  return true;
}

void FunctionReader::readPhi(const Instruction& i) {
  const Type& type = resultType(i);
  require(type.llvm && type.llvm->isFirstClassType() && type.op != Op::TypeVoid,
          "has a type without values");
  llvm::BasicBlock* block = builder_.GetInsertBlock();
  require(block->empty() || llvm::isa<llvm::PHINode>(block->back()),
          "stands behind other instructions of its block");
  llvm::PHINode* phi = builder_.CreatePHI(type.llvm, static_cast<unsigned>(i.operands.size() / 2));
  phis_.emplace_back(&i, phi);
  define(i, phi);
}

void FunctionReader::finishPhis() {
  for (const auto& [instruction, phi] : phis_) {
    const std::span<const uint32_t> operands = instruction->operands;
    for (size_t k = 0; k + 1 < operands.size(); k += 2) {
      const Value incoming = value(operands[k]);
      require(incoming.value->getType() == phi->getType(), "has an OpPhi at word ",
              instruction->offset, " with a value of another type");
      require(definedBlocks_.contains(operands[k + 1]), "has an OpPhi at word ",
              instruction->offset, " that names ", operands[k + 1], ", which is no label");
      llvm::BasicBlock* from = blocks_[operands[k + 1]];
      // A switch may lead here by several of its cases.
      const auto edges = llvm::count(llvm::predecessors(phi->getParent()), from);
      for (long edge = 0; edge < std::max(1L, edges); ++edge)
        phi->addIncoming(incoming.value, from);
    }
  }
}

void FunctionReader::readSwitch(const Instruction& i) {
  const Value selector = operand(i, 0);
  requireInteger(selector);
  auto* type = llvm::dyn_cast<llvm::IntegerType>(selector.value->getType());
  require(type, "has a selector that is no whole number");
  const size_t literalWords = type->getBitWidth() > 32 ? 2 : 1;
  const std::span<const uint32_t> cases = i.operands.subspan(2);
  require(cases.size() % (literalWords + 1) == 0, "has a case without a label");
  llvm::SwitchInst* choice =
      builder_.CreateSwitch(selector.value, block(i.operands[1]),
                            static_cast<unsigned>(cases.size() / (literalWords + 1)));
  std::set<uint64_t> seen;
  for (size_t k = 0; k < cases.size(); k += literalWords + 1) {
    uint64_t literal = cases[k];
    if (literalWords == 2)
      literal |= uint64_t{cases[k + 1]} << 32;
    const llvm::APInt number = llvm::APInt(64, literal).trunc(type->getBitWidth());
    require(seen.insert(number.getZExtValue()).second, "has the case ", number.getZExtValue(),
            " twice");
    const uint32_t label = cases[k + literalWords];
    require(label != 0, "has a case without a label");
    choice->addCase(llvm::ConstantInt::get(module_.context(), number), block(label));
  }
}

void FunctionReader::readCall(const Instruction& i) {
  const Function& callee = module_.function(i.operands[0]);
  llvm::SmallVector<llvm::Value*> arguments;
  for (size_t k = 1; k < i.operands.size(); ++k)
    arguments.push_back(operand(i, k).value);
  llvm::FunctionType* type = callee.function->getFunctionType();
  require(arguments.size() == type->getNumParams(), "passes ", arguments.size(),
          " arguments to a function of ", type->getNumParams());
  for (unsigned k = 0; k < arguments.size(); ++k)
    require(arguments[k]->getType() == type->getParamType(k), "passes the argument ", k,
            " as another type than the function has");
  llvm::CallInst* call = builder_.CreateCall(callee.function, arguments);
  call->setCallingConv(callee.function->getCallingConv());
  call->setAttributes(callee.function->getAttributes());
  if (type->getReturnType()->isVoidTy())
    require(resultType(i).op == Op::TypeVoid, "has a result of a function that has none");
  else
    define(i, call);
}

void FunctionReader::readPointerCall(const Instruction& i) {
  const Value pointer = operand(i, 0);
  const Type& type = *requireTypedPointer(pointer).parts[0];
  require(type.op == Op::TypeFunction, "calls what is no function");
  llvm::Function& caller = module_.functionPointers().callerOf(type, module_.module());
  llvm::SmallVector<llvm::Value*> arguments = {builder_.CreatePointerBitCastOrAddrSpaceCast(
      pointer.value, caller.getFunctionType()->getParamType(0))};
  for (size_t k = 1; k < i.operands.size(); ++k)
    arguments.push_back(operand(i, k).value);
  require(arguments.size() == caller.arg_size(), "passes ", i.operands.size() - 1,
          " arguments to a function of ", caller.arg_size() - 1);
  for (unsigned k = 1; k < arguments.size(); ++k)
    require(arguments[k]->getType() == caller.getArg(k)->getType(), "passes the argument ", k - 1,
            " as another type than the function has");
  llvm::CallInst* call = builder_.CreateCall(&caller, arguments);
  call->setCallingConv(caller.getCallingConv());
  call->setAttributes(caller.getAttributes());
  if (caller.getReturnType()->isVoidTy())
    require(resultType(i).op == Op::TypeVoid, "has a result of a function that has none");
  else
    define(i, call);
}

void FunctionReader::readReturn(const Instruction& i) {
  llvm::Type* type = function_.getReturnType();
  if (i.op == Op::Return) {
    require(type->isVoidTy(), "returns no value from a function that has one");
    builder_.CreateRetVoid();
    return;
  }
  require(operand(i, 0).value->getType() == type, "returns a value of another type");
  builder_.CreateRet(operand(i, 0).value);
}

/// The hints of a loop stand on the branches back to its header.
void FunctionReader::finishLoops() {
  llvm::LLVMContext& context = module_.context();
  for (const auto& [header, merge] : loops_) {
    llvm::SmallVector<llvm::Metadata*> hints = unrollingHints(context, merge->operands);
    if (hints.empty())
      continue;
    hints.insert(hints.begin(), nullptr); // itself
    llvm::MDNode* loop = llvm::MDNode::getDistinct(context, hints);
    loop->replaceOperandWith(0, loop);
    bool isBehind = false;
    for (llvm::BasicBlock& candidate : function_) {
      isBehind |= &candidate == header;
      if (isBehind && llvm::is_contained(llvm::successors(&candidate), header))
        candidate.getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, loop);
    }
  }
}

} // namespace quern::compiler::spirv
