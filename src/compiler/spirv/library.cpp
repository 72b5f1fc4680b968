// Calls of the built-in library.
#include "base/sentence.h"
#include "compiler/spirv/failure.h"
#include "compiler/spirv/function_reader.h"

namespace quern::compiler::spirv {
namespace {

/// SPIR-V 1.6, 3.25 "Memory Semantics".
enum Semantics : uint32_t {
  Acquire = 0x2,
  Release = 0x4,
  AcquireRelease = 0x8,
  SequentiallyConsistent = 0x10,
  WorkgroupMemory = 0x100,
  CrossWorkgroupMemory = 0x200,
  ImageMemory = 0x800,
};

/// As OpenCL C counts them (memory_order and memory_scope in opencl-c-base.h).
enum Order : unsigned { Relaxed = 0, OrderAcquire = 2, OrderRelease = 3, OrderBoth = 4, Total = 5 };

unsigned orderOf(uint32_t semantics) {
  if (semantics & SequentiallyConsistent)
    return Total;
  if ((semantics & AcquireRelease) || ((semantics & Acquire) && (semantics & Release)))
    return OrderBoth;
  if (semantics & Acquire)
    return OrderAcquire;
  return semantics & Release ? OrderRelease : Relaxed;
}

/// From 3.27 "Scope" to memory_scope.
unsigned scopeOf(uint64_t scope) {
  constexpr unsigned scopes[] = {/*CrossDevice*/ 3, /*Device*/ 2, /*Workgroup*/ 1, /*Subgroup*/ 4,
                                 /*Invocation*/ 0};
  if (scope >= std::size(scopes))
    throw RuleBroken{sentence("has the scope ", scope, ", which kernels do not have")};
  return scopes[scope];
}

} // namespace

llvm::CallInst* FunctionReader::callSymbol(Builder& builder, llvm::StringRef symbol,
                                           llvm::Type* result,
                                           llvm::ArrayRef<llvm::Value*> arguments,
                                           Effects effects) {
  require(result, "has a result type without values");
  llvm::SmallVector<llvm::Type*> types;
  for (const llvm::Value* argument : arguments)
    types.push_back(argument->getType());
  llvm::FunctionCallee callee =
      module_.module().getOrInsertFunction(symbol, llvm::FunctionType::get(result, types, false));
  auto* function = llvm::dyn_cast<llvm::Function>(callee.getCallee());
  require(function && function->getFunctionType() == callee.getFunctionType(),
          "means the function ", symbol.str(), ", which is something else in the module");
  llvm::CallInst* call = builder.CreateCall(callee, arguments);
  call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  const auto describe = [&](auto& target) {
    target.addFnAttr(llvm::Attribute::Convergent);
    target.addFnAttr(llvm::Attribute::NoUnwind);
    if (effects == Effects::Any)
      return;
    target.addFnAttr(llvm::Attribute::WillReturn);
    target.addFnAttr(llvm::Attribute::getWithMemoryEffects(
        module_.context(),
        effects == Effects::None ? llvm::MemoryEffects::none() : llvm::MemoryEffects::readOnly()));
  };
  describe(*call);
  if (function->isDeclaration()) {
    function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    describe(*function);
  }
  return call;
}

llvm::CallInst* FunctionReader::call(llvm::StringRef name, llvm::Type* result,
                                     llvm::ArrayRef<Argument> arguments, Effects effects) {
  llvm::SmallVector<llvm::Value*> values;
  llvm::SmallVector<Parameter> parameters;
  for (const Argument& argument : arguments) {
    values.push_back(argument.value);
    parameters.push_back(argument.parameter);
  }
  return callSymbol(builder_, mangle(name, parameters), result, values, effects);
}

Argument FunctionReader::number(uint64_t value, unsigned bits, bool isUnsigned) {
  const Type& type = module_.types().integer(bits);
  return {llvm::ConstantInt::get(type.llvm, value), {.type = &type, .isUnsigned = isUnsigned}};
}

/// What is only known when the kernel runs is taken for the widest.
Argument FunctionReader::memoryScope(uint32_t scopeId) {
  const std::optional<uint64_t> scope = module_.constant(scopeId);
  if (!scope)
    requireInteger(value(scopeId));
  return named(builder_.getInt32(scopeOf(scope.value_or(0))), "memory_scope");
}

Argument FunctionReader::memoryOrder(uint32_t semanticsId) {
  const std::optional<uint64_t> semantics = module_.constant(semanticsId);
  if (!semantics)
    requireInteger(value(semanticsId));
  return named(
      builder_.getInt32(orderOf(static_cast<uint32_t>(semantics.value_or(SequentiallyConsistent)))),
      "memory_order");
}

/// cl_mem_fence_flags.
llvm::Value* FunctionReader::memoryFlags(uint32_t semanticsId) {
  const std::optional<uint64_t> constant = module_.constant(semanticsId);
  if (!constant)
    requireInteger(value(semanticsId));
  constexpr uint64_t everything = WorkgroupMemory | CrossWorkgroupMemory | ImageMemory;
  const uint64_t semantics = constant.value_or(everything);
  constexpr unsigned local = 1;
  constexpr unsigned global = 2;
  constexpr unsigned image = 4;
  return builder_.getInt32((semantics & WorkgroupMemory ? local : 0) |
                           (semantics & CrossWorkgroupMemory ? global : 0) |
                           (semantics & ImageMemory ? image : 0));
}

llvm::Value* FunctionReader::toInt(const Value& boolean) {
  require(boolean.type && boolean.type->op == Op::TypeBool, "has an operand that is not Boolean");
  return builder_.CreateZExt(boolean.value, builder_.getInt32Ty());
}

llvm::Value* FunctionReader::toBool(llvm::Value* number, const Type& result) {
  require(result.op == Op::TypeBool, "has a result type that is not Boolean");
  return builder_.CreateIsNotNull(number);
}

} // namespace quern::compiler::spirv
