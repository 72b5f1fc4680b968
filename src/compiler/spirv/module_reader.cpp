#include "compiler/spirv/module_reader.h"

#include <algorithm>

#include <llvm/IR/Intrinsics.h>

#include "base/sentence.h"
#include "compiler/il/names.h"
#include "compiler/spirv/failure.h"
#include "compiler/spirv/function_reader.h"
#include "compiler/spirv/kernels.h"
#include "spirv/environment.h"

namespace quern::compiler::spirv {
namespace {

using quern::spirv::stringAt;
using quern::spirv::stringWords;

enum FloatExecutionMode : uint32_t { ContractionOff = 31, FPFastMathDefault = 6028 };
enum LinkageType : uint32_t { Export = 0, Import = 1, LinkOnceODR = 2 };
constexpr uint32_t physical64 = 2;
constexpr uint32_t memoryModelOpenCl = 2;
constexpr uint32_t kernelModel = 6;

/// "NonSemantic.Shader.DebugInfo", whose lines are instructions of its own.
constexpr llvm::StringLiteral shaderDebugInfo = "NonSemantic.Shader.DebugInfo.100";
enum DebugInstruction : uint32_t { DebugSource = 35, DebugLine = 103 };

/// Those of LLVM's intrinsics that LLVM's translator to SPIR-V leaves behind as imported functions.
constexpr llvm::Intrinsic::ID arithmeticIntrinsics[] = {
    llvm::Intrinsic::sadd_sat, llvm::Intrinsic::uadd_sat, llvm::Intrinsic::ssub_sat,
    llvm::Intrinsic::usub_sat, llvm::Intrinsic::fshl,     llvm::Intrinsic::fshr,
    llvm::Intrinsic::smin,     llvm::Intrinsic::smax,     llvm::Intrinsic::umin,
    llvm::Intrinsic::umax,     llvm::Intrinsic::bswap,
};

/// Names that mean something in our IR.
bool isReserved(llvm::StringRef name) {
  return name.starts_with("llvm.") || name.starts_with(names::ownPrefix);
}

} // namespace

ModuleReader::ModuleReader(const quern::spirv::Module& source,
                           std::span<const SpecializationValue> constants, const Options& options,
                           const Target& target, llvm::Module& module)
    : source_(source), specialization_(constants), options_(options), target_(target),
      module_(module), types_(module.getContext(), module.getDataLayout()), blocks_(source),
      functionPointers_(source), debugLines_(module, options.debugInfo || options.lines) {}

void ModuleReader::fail(const Instruction& instruction, std::string_view rule) {
  throw Failure{sentence("SPIR-V, word ", instruction.offset, ": ",
                         quern::spirv::nameOf(instruction.op), " ", rule)};
}

void ModuleReader::read() {
  const std::span<const Instruction> all = source_.instructions();
  size_t first = 0;
  for (; first < all.size() && all[first].op != Op::Function; ++first) {
    try {
      readGlobal(all[first]);
    } catch (const RuleBroken& broken) {
      fail(all[first], broken.rule);
    }
  }
  if (!hasMemoryModel_)
    throw Failure{"the SPIR-V module has no OpMemoryModel"};
  readFunctions(all.subspan(first));
  makeKernels(*this, entryPoints_);
  debugLines_.finish();
}

const Value* ModuleReader::find(uint32_t id) const {
  const auto found = values_.find(id);
  return found == values_.end() ? nullptr : &found->second;
}

const Function& ModuleReader::function(uint32_t id) const {
  const auto found = functions_.find(id);
  if (found == functions_.end())
    throw RuleBroken{sentence("names the id ", id, ", which is no function")};
  return found->second;
}

std::optional<uint32_t> ModuleReader::builtIn(uint32_t id) const {
  const auto found = builtIns_.find(id);
  return found == builtIns_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<uint32_t> ModuleReader::sampler(uint32_t id) const {
  const auto found = samplers_.find(id);
  return found == samplers_.end() ? std::nullopt : std::optional(found->second);
}

llvm::StringRef ModuleReader::string(uint32_t id) const {
  const auto found = strings_.find(id);
  return found == strings_.end() ? llvm::StringRef() : found->second;
}

std::optional<SourcePlace> ModuleReader::sourcePlace(const Instruction& i) const {
  if (i.op == Op::Line)
    return SourcePlace{string(i.operands[0]), i.operands[1], i.operands[2]};
  // Set, number, source, first and last line, first and last column.
  if (i.op != Op::ExtInst || i.operands.size() < 7 || i.operands[1] != DebugLine ||
      extendedSet(i.operands[0]) != shaderDebugInfo)
    return std::nullopt;
  const auto source = debugSources_.find(i.operands[2]);
  if (source == debugSources_.end())
    return std::nullopt;
  return SourcePlace{string(source->second),
                     static_cast<unsigned>(constant(i.operands[3]).value_or(0)),
                     static_cast<unsigned>(constant(i.operands[5]).value_or(0))};
}

llvm::StringRef ModuleReader::stringWithPrefix(llvm::StringRef prefix) const {
  for (const auto& [id, text] : strings_)
    if (text.starts_with(prefix))
      return text.drop_front(prefix.size());
  return {};
}

llvm::StringRef ModuleReader::extendedSet(uint32_t id) const {
  const auto found = extendedSets_.find(id);
  return found == extendedSets_.end() ? llvm::StringRef() : found->second;
}

std::optional<uint64_t> ModuleReader::constant(uint32_t id) const {
  const Value* value = find(id);
  const auto* number = value ? llvm::dyn_cast_or_null<llvm::ConstantInt>(value->value) : nullptr;
  return number ? std::optional(number->getZExtValue()) : std::nullopt;
}

std::optional<uint32_t> ModuleReader::fastMathDefault(uint32_t type) const {
  const auto found = fastMathDefaults_.find(type);
  if (found == fastMathDefaults_.end())
    return std::nullopt;
  return static_cast<uint32_t>(constant(found->second).value_or(0));
}

std::vector<const EntryPoint*> ModuleReader::entryPoints(uint32_t function) const {
  std::vector<const EntryPoint*> found;
  for (const EntryPoint& point : entryPoints_)
    if (point.function == function)
      found.push_back(&point);
  return found;
}

void ModuleReader::readGlobal(const Instruction& instruction) {
  if (!quern::spirv::findInstruction(static_cast<uint32_t>(instruction.op)))
    throw RuleBroken{sentence("of the number ", static_cast<uint32_t>(instruction.op),
                              " is no instruction that kernels have")};
  if (Decorations::isDecoration(instruction.op))
    decorations_.add(instruction);
  else if (Types::isTypeInstruction(instruction.op))
    readType(instruction);
  else if (instruction.op == Op::Variable || instruction.op == Op::UntypedVariableKHR)
    readVariable(instruction);
  else if (!readConstant(instruction))
    readPreamble(instruction);
}

void ModuleReader::readPreamble(const Instruction& instruction) {
  const auto operands = instruction.operands;
  switch (instruction.op) {
  case Op::Capability:
    if (!quern::spirv::hasCapability(target_.features, operands[0]))
      throw RuleBroken{sentence("asks for the capability ",
                                quern::spirv::capabilityName(operands[0]),
                                ", which the device does not have")};
    capabilities_.insert(operands[0]);
    return;
  case Op::Extension:
    if (!quern::spirv::hasExtension(target_.features, stringAt(operands, 0)))
      throw RuleBroken{sentence("asks for the extension ", stringAt(operands, 0),
                                ", which the device does not have")};
    return;
  case Op::ExtInstImport:
    if (!quern::spirv::hasExtendedSet(stringAt(operands, 0)))
      throw RuleBroken{sentence("asks for the set of extended instructions \"",
                                stringAt(operands, 0), "\", which is not known")};
    extendedSets_[instruction.result] = stringAt(operands, 0);
    return;
  case Op::MemoryModel:
    if (operands[0] != physical64)
      throw RuleBroken{"has an addressing model other than Physical64, which the device has"};
    if (operands[1] != memoryModelOpenCl)
      throw RuleBroken{"has a memory model other than that of OpenCL"};
    hasMemoryModel_ = true;
    return;
  case Op::EntryPoint:
    return readEntryPoint(instruction);
  case Op::ExecutionMode:
  case Op::ExecutionModeId:
    return readMode(instruction);
  case Op::String:
    strings_[instruction.result] = stringAt(operands, 0);
    return;
  case Op::ExtInst:
  case Op::ExtInstWithForwardRefsKHR:
    if (const llvm::StringRef set = extendedSet(operands[0]);
        set != "OpenCL.DebugInfo.100" && !quern::spirv::isNonSemantic(set))
      throw RuleBroken{"stands outside of a function"};
    else if (set == shaderDebugInfo && operands[1] == DebugSource && operands.size() > 2)
      debugSources_[instruction.result] = operands[2];
    return;
  case Op::Nop:
  case Op::Source:
  case Op::SourceContinued:
  case Op::SourceExtension:
  case Op::ModuleProcessed:
  case Op::Line:
  case Op::NoLine:
  case Op::AliasDomainDeclINTEL:
  case Op::AliasScopeDeclINTEL:
  case Op::AliasScopeListDeclINTEL:
    return;
  default:
    throw RuleBroken{"stands outside of a function"};
  }
}

void ModuleReader::readEntryPoint(const Instruction& instruction) {
  const auto operands = instruction.operands;
  if (operands[0] != kernelModel)
    throw RuleBroken{sentence("has the execution model ", operands[0], "; only Kernel is known")};
  const llvm::StringRef name = stringAt(operands, 2);
  if (name.empty() || isReserved(name) || name.starts_with(names::clangKernelBody))
    throw RuleBroken{sentence("names a kernel \"", name.str(), "\", as none may be called")};
  for (const EntryPoint& other : entryPoints_)
    if (other.name == name)
      throw RuleBroken{sentence("names a second kernel \"", name.str(), "\"")};
  entryPoints_.push_back({operands[1], name.str(), {}});
}

void ModuleReader::readMode(const Instruction& instruction) {
  bool isKnown = false;
  for (EntryPoint& point : entryPoints_)
    if (point.function == instruction.operands[0]) {
      point.modes.push_back(&instruction);
      isKnown = true;
    }
  if (!isKnown)
    throw RuleBroken{
        sentence("names the id ", instruction.operands[0], ", which is no entry point")};
  if (instruction.operands[1] == ContractionOff)
    mayContract_ = false;
  if (instruction.operands[1] == FPFastMathDefault && instruction.operands.size() > 3)
    fastMathDefaults_[instruction.operands[2]] = instruction.operands[3];
}

void ModuleReader::readType(const Instruction& instruction) {
  checkWidth(instruction);
  uint64_t length = 0;
  if (instruction.op == Op::TypeArray) {
    const std::optional<uint64_t> constantLength = constant(instruction.operands[1]);
    if (!constantLength)
      throw RuleBroken{sentence("has the length ", instruction.operands[1],
                                ", which is no constant whole number")};
    length = *constantLength;
  }
  const uint32_t id = instruction.result ? instruction.result : instruction.operands[0];
  types_.add(instruction, length, decorations_.has(id, Decoration::CPacked));
}

/// The capabilities of a device stand for its types, too.
void ModuleReader::checkWidth(const Instruction& instruction) {
  enum : uint32_t {
    Float16Buffer = 8,
    Float16 = 9,
    Float64 = 10,
    Int64 = 11,
    Int16 = 22,
    Int8 = 39
  };
  const auto require = [&](std::initializer_list<uint32_t> any) {
    if (std::ranges::none_of(any, [&](uint32_t number) { return capabilities_.contains(number); }))
      throw RuleBroken{sentence("needs the capability ",
                                quern::spirv::capabilityName(*(any.end() - 1)),
                                ", which the module does not declare")};
  };
  const uint32_t width = instruction.operand(0);
  if (instruction.op == Op::TypeFloat && width == 16)
    require({Float16Buffer, Float16});
  if (instruction.op == Op::TypeFloat && width == 64)
    require({Float64});
  if (instruction.op == Op::TypeInt && width != 32)
    require({width == 64 ? Int64 : width == 16 ? Int16 : Int8});
}

void ModuleReader::readFunctions(std::span<const Instruction> instructions) {
  std::vector<uint32_t> order;
  SourcePlace place;
  for (size_t begin = 0; begin < instructions.size();) {
    const Instruction& head = instructions[begin];
    // What stands between functions says nothing: debug information and lines.
    if (head.op != Op::Function) {
      if (head.op != Op::ExtInst && head.op != Op::Line && head.op != Op::NoLine &&
          head.op != Op::Nop)
        fail(head, "stands outside of a function");
      if (const auto said = sourcePlace(head))
        place = *said;
      ++begin;
      continue;
    }
    size_t end = begin + 1;
    bool hasBody = false;
    for (; end < instructions.size() && instructions[end].op != Op::FunctionEnd; ++end) {
      if (instructions[end].op == Op::Function)
        fail(instructions[end], "stands within a function");
      hasBody |= instructions[end].op == Op::Label;
    }
    if (end == instructions.size())
      fail(head, "has no OpFunctionEnd");
    Function& function = functions_[head.result];
    function.id = head.result;
    function.instructions = instructions.subspan(begin, end + 1 - begin);
    function.hasBody = hasBody;
    function.place = std::exchange(place, {});
    try {
      declare(function);
    } catch (const RuleBroken& broken) {
      fail(head, broken.rule);
    }
    order.push_back(head.result);
    begin = end + 1;
  }
  for (const uint32_t id : order)
    if (functions_[id].hasBody)
      FunctionReader(*this, functions_[id]).read();
  functionPointers_.defineCallers(*this);
  dropReservedImports();
}

void ModuleReader::declare(Function& function) {
  const Instruction& head = function.instructions.front();
  function.type = &types_.get(head.operands[1]);
  if (function.type->op != Op::TypeFunction || function.type->parts[0]->id != head.type)
    throw RuleBroken{sentence("has the type ", head.operands[1],
                              ", which is not that of a function "
                              "with its result")};
  llvm::FunctionType* type = functionTypeOf(*function.type);
  function.function = importedIntrinsic(head.result, type);
  if (function.function)
    return;
  function.function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "", module_);
  function.function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  setLinkage(*function.function, head.result, function.hasBody);
  addFunctionAttributes(*this, function);
}

llvm::Function* ModuleReader::importedIntrinsic(uint32_t id, llvm::FunctionType* type) {
  llvm::StringRef name;
  decorations_.forEach(id, Decoration::LinkageAttributes, [&](std::span<const uint32_t> operands) {
    if (!operands.empty() && operands.back() == Import)
      name = stringAt(operands, 0);
  });
  const llvm::Intrinsic::ID intrinsic = llvm::Intrinsic::lookupIntrinsicID(name);
  if (!llvm::is_contained(arithmeticIntrinsics, intrinsic) ||
      !type->getReturnType()->isIntOrIntVectorTy())
    return nullptr;
  llvm::Function* function =
      llvm::Intrinsic::getOrInsertDeclaration(&module_, intrinsic, {type->getReturnType()});
  if (function->getFunctionType() != type)
    throw RuleBroken{
        sentence("has the symbol \"", name.str(), "\" and another type than that has")};
  return function;
}

/// Translators from LLVM leave declarations of its functions behind that nothing calls any more.
void ModuleReader::dropReservedImports() {
  for (const auto& [id, symbol] : reservedImports_) {
    const auto function = functions_.find(id);
    if (!function->second.function->use_empty())
      fail(function->second.instructions.front(),
           sentence("has the symbol \"", symbol.str(), "\", as none may be called"));
    function->second.function->eraseFromParent();
    functions_.erase(function);
  }
}

void ModuleReader::setLinkage(llvm::GlobalValue& value, uint32_t id, bool hasBody) {
  std::optional<std::pair<llvm::StringRef, uint32_t>> linkage;
  decorations_.forEach(id, Decoration::LinkageAttributes, [&](std::span<const uint32_t> operands) {
    if (operands.empty() || stringAt(operands, 0).size() == operands.size_bytes())
      throw RuleBroken{"has linkage attributes without a name"};
    const size_t words = stringWords(operands, 0);
    if (words >= operands.size())
      throw RuleBroken{"has linkage attributes without a linkage type"};
    linkage = {stringAt(operands, 0), operands[words]};
  });
  if (!linkage && !hasBody)
    throw RuleBroken{"has no body and is not imported"};
  if (!linkage || linkage->first.starts_with(names::clangKernelBody)) {
    // A name that is no symbol of OpenCL C, which calls would mean.
    value.setName(decorations_.name(id) + "." + llvm::Twine(id));
    value.setLinkage(llvm::GlobalValue::InternalLinkage);
    return;
  }
  if (isReserved(linkage->first) && linkage->second == Import && llvm::isa<llvm::Function>(value) &&
      !hasBody) {
    reservedImports_[id] = linkage->first;
    return;
  }
  if (linkage->first.empty() || isReserved(linkage->first))
    throw RuleBroken{
        sentence("has the symbol \"", linkage->first.str(), "\", as none may be called")};
  if ((linkage->second == Import) == hasBody)
    throw RuleBroken{hasBody ? "is imported and has a body" : "is exported and has no body"};
  if (module_.getNamedValue(linkage->first))
    throw RuleBroken{sentence("has the symbol \"", linkage->first.str(), "\", which another has")};
  value.setName(linkage->first);
  value.setLinkage(linkage->second == LinkOnceODR ? llvm::GlobalValue::LinkOnceODRLinkage
                                                  : llvm::GlobalValue::ExternalLinkage);
}

} // namespace quern::compiler::spirv
