#include "compiler/spirv/function_reader.h"

#include "base/sentence.h"
#include "compiler/il/names.h"
#include "compiler/spirv/built_ins.h"
#include "compiler/spirv/failure.h"

namespace quern::compiler::spirv {
namespace {

/// 3.15 "FP Fast Math Mode".
enum FastMath : uint32_t {
  NotNaN = 1,
  NotInf = 2,
  NSZ = 4,
  AllowRecip = 8,
  Fast = 0x10,
  AllowContract = 0x10000,
  AllowReassoc = 0x20000,
  AllowTransform = 0x40000,
};

} // namespace

FunctionReader::FunctionReader(ModuleReader& module, const Function& function)
    : module_(module), source_(function), function_(*function.function),
      builder_(module.context()) {}

void FunctionReader::read() {
  entry_ = llvm::BasicBlock::Create(module_.context(), "", &function_);
  beginLines();
  for (const Instruction& instruction : source_.instructions) {
    current_ = &instruction;
    try {
      readInstruction(instruction);
    } catch (const RuleBroken& broken) {
      ModuleReader::fail(instruction, broken.rule);
    }
  }
  try {
    for (const auto& [label, block] : blocks_)
      require(definedBlocks_.contains(label), "branches to ", label, ", which is no label");
    finishPhis();
    finishLoops();
    finishBuiltIns();
  } catch (const RuleBroken& broken) {
    ModuleReader::fail(source_.instructions.front(), broken.rule);
  }
}

/// A function without a place is where the first of its instructions with one is.
void FunctionReader::beginLines() {
  DebugLines& lines = module_.debugLines();
  if (!lines.isWanted())
    return;
  SourcePlace place = source_.place;
  for (const Instruction& instruction : source_.instructions)
    if (const auto said = module_.sourcePlace(instruction); said && place.file.empty())
      place = *said;
  const std::vector<const EntryPoint*> points = module_.entryPoints(source_.id);
  const llvm::StringRef name = module_.decorations().name(source_.id);
  lines.add(function_,
            !name.empty()    ? name
            : points.empty() ? function_.getName()
                             : llvm::StringRef(points[0]->name),
            place);
}

bool FunctionReader::readLine(const Instruction& i) {
  const bool isLine = i.op == Op::Line || i.op == Op::NoLine;
  // A place is said anew for each block.
  if (!isLine && i.op != Op::Label && i.op != Op::ExtInst)
    return false;
  if (const auto said = module_.sourcePlace(i))
    builder_.SetCurrentDebugLocation(module_.debugLines().at(function_, *said));
  else if (i.op != Op::ExtInst)
    builder_.SetCurrentDebugLocation(module_.debugLines().atBegin(function_));
  return isLine;
}

void FunctionReader::readInstruction(const Instruction& i) {
  if (readLine(i))
    return;
  switch (i.op) {
  case Op::Function:
  case Op::FunctionEnd:
  case Op::Nop:
    return;
  case Op::FunctionParameter: {
    const auto index = static_cast<unsigned>(values_.size());
    require(!builder_.GetInsertBlock() && index + 1 < source_.type->parts.size() &&
                source_.type->parts[index + 1]->id == i.type,
            "is none of the parameters of the function's type");
    llvm::Argument* argument = function_.getArg(index);
    argument->setName(module_.decorations().name(i.result));
    values_[i.result] = {&resultType(i), argument};
    return;
  }
  default:
    break;
  }
  if (i.op != Op::Label)
    require(builder_.GetInsertBlock(), "stands outside of a block");
  require(readControlFlow(i) || readMemory(i) || readValue(i), "is no instruction of kernels");
}

bool FunctionReader::readValue(const Instruction& i) {
  return readArithmetic(i) || readConversion(i) || readComposite(i) || readAtomic(i) ||
         readGroup(i) || readImage(i) || readPipe(i) || readDeviceEnqueue(i) || readExtended(i);
}

llvm::Value* FunctionReader::readAlone(const Instruction& i) {
  entry_ = llvm::BasicBlock::Create(module_.context(), "", &function_);
  builder_.SetInsertPoint(entry_);
  require(readArithmetic(i) || readConversion(i) || readComposite(i) || readMemory(i),
          "makes no constant");
  return values_[i.result].value;
}

Value FunctionReader::value(uint32_t id) {
  if (const auto found = values_.find(id); found != values_.end())
    return found->second;
  if (const std::optional<uint32_t> bits = module_.sampler(id)) {
    Builder builder = atEntry();
    llvm::Value* sampler = callSymbol(builder, names::samplerInitializer,
                                      llvm::TargetExtType::get(module_.context(), "spirv.Sampler"),
                                      {builder.getInt32(*bits)}, Effects::Any);
    return values_[id] = {nullptr, sampler};
  }
  const Value* constant = module_.find(id);
  require(constant, "names the id ", id, ", which has no value by then");
  if (!constant->value)
    return values_[id] = {constant->type, builtInVariable(id, *constant->type)};
  return *constant;
}

void FunctionReader::define(const Instruction& i, llvm::Value* result) {
  define(i.result, resultType(i), result);
}

void FunctionReader::define(uint32_t id, const Type& type, llvm::Value* result) {
  require(type.llvm == result->getType(), "has a result type that its operands do not give");
  const llvm::StringRef name = module_.decorations().name(id);
  if (!name.empty() && llvm::isa<llvm::Instruction>(result) && !type.llvm->isVoidTy())
    result->setName(name);
  values_[id] = {&type, result};
}

uint64_t FunctionReader::constant(uint32_t id, std::string_view what) const {
  const std::optional<uint64_t> number = module_.constant(id);
  require(number.has_value(), "has a ", what, " that is no constant");
  return *number;
}

void FunctionReader::requireSame(const Value& a, const Value& b) {
  require(a.value->getType() == b.value->getType(), "has operands of different types");
}

void FunctionReader::requireInteger(const Value& value) {
  require(value.type && value.type->scalar().isInteger(), "has an operand that is no whole number");
}

void FunctionReader::requireFloat(const Value& value) {
  require(value.type && value.type->scalar().isFloat(), "has an operand that is no float");
}

const Type& FunctionReader::requirePointer(const Value& value) {
  require(value.type && value.type->isPointer(), "has an operand that is no pointer");
  return *value.type;
}

const Type& FunctionReader::requireTypedPointer(const Value& value) {
  require(!requirePointer(value).parts.empty(),
          "has an operand that is a pointer to what is not known");
  return *value.type;
}

const Type& FunctionReader::contentOf(const Value& pointer, const Type& content) {
  const Type& type = requirePointer(pointer);
  return type.parts.empty() ? content : *type.parts[0];
}

Value FunctionReader::typed(const Value& pointer, const Type& content) {
  const Type& type = requirePointer(pointer);
  return type.parts.empty()
             ? Value{&module_.types().pointerTo(content, type.storage), pointer.value}
             : pointer;
}

llvm::FastMathFlags FunctionReader::fastMath(const Instruction& i) const {
  const Options& options = module_.options();
  const Decorations& decorations = module_.decorations();
  const std::optional<uint32_t> byDefault = module_.fastMathDefault(resultType(i).scalar().id);
  const uint32_t mode =
      decorations.number(i.result, Decoration::FPFastMathMode).value_or(byDefault.value_or(0));
  const bool isUnsafe = options.unsafeMathOptimizations || options.fastRelaxedMath;
  llvm::FastMathFlags flags;
  if ((mode & Fast) || options.fastRelaxedMath)
    flags.setFast();
  if ((mode & NotNaN) || options.finiteMathOnly)
    flags.setNoNaNs();
  if ((mode & NotInf) || options.finiteMathOnly)
    flags.setNoInfs();
  if ((mode & NSZ) || options.noSignedZeros || isUnsafe)
    flags.setNoSignedZeros();
  if ((mode & AllowRecip) || isUnsafe)
    flags.setAllowReciprocal();
  if ((mode & (AllowReassoc | AllowTransform)) || isUnsafe)
    flags.setAllowReassoc();
  if (isUnsafe)
    flags.setApproxFunc();
  // Without a default, modules that are older than it say nothing of contraction in the mode.
  const bool mayContract = (module_.mayContract() && !byDefault) || options.madEnable || isUnsafe ||
                           (mode & (AllowContract | AllowTransform));
  if (mayContract && !decorations.has(i.result, Decoration::NoContraction))
    flags.setAllowContract();
  return flags;
}

FunctionReader::Builder FunctionReader::atEntry() {
  return entry_->getTerminator() ? Builder(entry_->getTerminator()) : Builder(entry_);
}

llvm::AllocaInst* FunctionReader::makeVariable(llvm::Type* type, std::optional<llvm::Align> align) {
  llvm::BasicBlock& entry = *entry_;
  Builder builder(&entry, entry.begin());
  llvm::AllocaInst* variable = builder.CreateAlloca(type);
  if (align)
    variable->setAlignment(*align);
  return variable;
}

/// A variable of the function's own with the values that the built-in one has. SPIR-V has that in
/// Input; what DPC++ made until 2024 has it in global memory.
llvm::Value* FunctionReader::builtInVariable(uint32_t id, const Type& pointer) {
  require(!pointer.parts.empty(), "names the built-in variable ", id,
          ", whose type does not say what it is");
  const Type& content = *pointer.parts[0];
  llvm::AllocaInst* variable = makeVariable(content.llvm);
  Builder builder = atEntry();
  const auto ask = [&](const BuiltInPart& part) {
    llvm::SmallVector<llvm::Value*> arguments;
    if (part.dimension)
      arguments.push_back(builder.getInt32(*part.dimension));
    return callSymbol(builder, part.symbol, part.typeIn(module_.context()), arguments,
                      Effects::None);
  };
  builder.CreateStore(valueOfBuiltIn(builder, *module_.builtIn(id), content, ask), variable);
  if (pointer.llvm == variable->getType())
    return variable;
  llvm::Value* elsewhere = builder.CreateAddrSpaceCast(variable, pointer.llvm);
  builtInsElsewhere_.push_back(llvm::cast<llvm::AddrSpaceCastInst>(elsewhere));
  return elsewhere;
}

/// Has what is read by `pointer`, to a built-in variable, read by `own`, the same in private
/// memory.
void FunctionReader::readPrivately(llvm::Instruction& pointer, llvm::Value& own) {
  for (llvm::User* user : llvm::make_early_inc_range(pointer.users())) {
    auto* const address = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
    if (llvm::isa<llvm::LoadInst, llvm::AddrSpaceCastInst>(user)) {
      user->setOperand(0, &own);
    } else if (address && address->getPointerOperand() == &pointer) {
      Builder builder(address);
      const llvm::SmallVector<llvm::Value*> indices(address->indices());
      llvm::Value* part = builder.CreateGEP(address->getSourceElementType(), &own, indices,
                                            address->getName(), address->getNoWrapFlags());
      readPrivately(*address, *part);
    } else {
      require(false, "does more with a built-in variable outside of Input than to read it");
    }
  }
  pointer.eraseFromParent();
}

void FunctionReader::finishBuiltIns() {
  for (llvm::AddrSpaceCastInst* elsewhere : builtInsElsewhere_)
    readPrivately(*elsewhere, *elsewhere->getPointerOperand());
}

llvm::Constant* foldConstant(ModuleReader& module, const Instruction& operation) {
  llvm::Function* scratch = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(module.context()), false),
      llvm::GlobalValue::InternalLinkage, "", module.module());
  Function function;
  function.function = scratch;
  llvm::Constant* result = nullptr;
  try {
    result = llvm::dyn_cast_or_null<llvm::Constant>(
        FunctionReader(module, function).readAlone(operation));
  } catch (...) {
    scratch->eraseFromParent();
    throw;
  }
  scratch->eraseFromParent();
  if (!result)
    throw RuleBroken{"has a value that is not known when the program is built"};
  return result;
}

} // namespace quern::compiler::spirv
