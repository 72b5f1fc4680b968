#include "compiler/spirv/rewording.h"

#include <optional>
#include <string>

#include <CL/cl.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

/// Has what `made` gives take the place of each call of `function`, and `function` out of its
/// module where that was all.
void replaceCalls(llvm::Function& function,
                  llvm::function_ref<llvm::Value*(llvm::CallInst&)> made) {
  for (llvm::User* user : llvm::make_early_inc_range(function.users()))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(user);
        call && call->getCalledFunction() == &function) {
      call->replaceAllUsesWith(made(*call));
      call->eraseFromParent();
    }
  if (function.use_empty())
    function.eraseFromParent();
}

/// LLVM's back end makes the query of SPIR-V of get_image_channel_data_type, which counts types
/// from 0 on, and leaves it at that.
void countChannelDataTypes(llvm::Module& program) {
  for (llvm::Function& function : program) {
    if (!function.isDeclaration() ||
        !function.getName().starts_with("_Z27get_image_channel_data_type"))
      continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users()))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) {
        llvm::IRBuilder<> builder(call->getNextNode());
        auto* type = llvm::cast<llvm::Instruction>(
            builder.CreateAdd(call, llvm::ConstantInt::get(call->getType(), CL_SNORM_INT8)));
        call->replaceUsesWithIf(type,
                                [type](const llvm::Use& use) { return use.getUser() != type; });
      }
  }
}

/// From memory_scope to 3.27 "Scope".
std::optional<uint32_t> scopeOf(uint64_t scope) {
  constexpr uint32_t scopes[] = {/*Invocation*/ 4, /*Workgroup*/ 2, /*Device*/ 1, /*CrossDevice*/ 0,
                                 /*Subgroup*/ 3};
  return scope < std::size(scopes) ? std::optional(scopes[scope]) : std::nullopt;
}

/// From memory_order to 3.25 "Memory Semantics".
uint32_t semanticsOf(uint64_t order) {
  constexpr uint64_t acquire = 2, total = 5;
  return order == total ? 0x10 : order == acquire ? 0x2 : 0;
}

/// LLVM's back end takes the order of atomic_load_explicit for the scope of OpAtomicLoad, and the
/// scope for its semantics.
void placeScopesOfLoads(llvm::Module& program) {
  constexpr llvm::StringLiteral scopeParameter = "12memory_scope";
  constexpr uint64_t deviceScope = 2;
  for (llvm::Function& function : llvm::make_early_inc_range(program)) {
    const llvm::StringRef name = function.getName();
    if (!function.isDeclaration() || !name.starts_with("_Z20atomic_load_explicit"))
      continue;
    const std::string withScope =
        name.ends_with(scopeParameter) ? name.str() : (name + scopeParameter).str();
    llvm::Type* number = llvm::Type::getInt32Ty(program.getContext());
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      const auto constantOr = [&](unsigned index, uint64_t otherwise) -> std::optional<uint64_t> {
        if (index >= call->arg_size())
          return otherwise;
        const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(index));
        return constant ? std::optional(constant->getZExtValue()) : std::nullopt;
      };
      if (!call)
        continue;
      const std::optional<uint64_t> order = constantOr(1, 0), scope = constantOr(2, deviceScope);
      if (!order || !scope || !scopeOf(*scope))
        continue;
      llvm::IRBuilder<> builder(call);
      llvm::FunctionCallee callee = program.getOrInsertFunction(
          withScope,
          llvm::FunctionType::get(call->getType(),
                                  {call->getArgOperand(0)->getType(), number, number}, false));
      llvm::CallInst* placed =
          builder.CreateCall(callee, {call->getArgOperand(0), builder.getInt32(*scopeOf(*scope)),
                                      builder.getInt32(semanticsOf(*order))});
      placed->setCallingConv(call->getCallingConv());
      call->replaceAllUsesWith(placed);
      call->eraseFromParent();
    }
  }
}

bool isNullEvent(const llvm::Value* value) {
  const auto* type = llvm::dyn_cast<llvm::TargetExtType>(value->getType());
  return type && type->getName() == "spirv.Event" && llvm::isa<llvm::Constant>(value) &&
         llvm::cast<llvm::Constant>(value)->isNullValue();
}

/// LLVM's back end writes an OpConstantNull with too many words where a function has the null event
/// more than once: there it is loaded from a variable.
void loadNullEvents(llvm::Module& program) {
  for (llvm::Function& function : program) {
    llvm::SmallVector<llvm::Use*> uses;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      for (llvm::Use& use : instruction.operands())
        if (isNullEvent(use))
          uses.push_back(&use);
    if (uses.size() < 2)
      continue;
    llvm::Value* null = *uses.front();
    llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
    llvm::AllocaInst* variable = builder.CreateAlloca(null->getType());
    builder.CreateStore(null, variable);
    llvm::Value* loaded = builder.CreateLoad(null->getType(), variable);
    for (llvm::Use* use : uses)
      use->set(loaded);
  }
}

/// LLVM's back end gives OpenCL.std's printf a pointer to char, as it must have, for this name
/// only.
void manglePrintf(llvm::Module& program) {
  if (llvm::Function* function = program.getFunction(names::printf);
      function && function->isDeclaration())
    function->setName("_Z6printfPU3AS2Kcz");
}

/// LLVM's back end takes `any` and `all`, which read the highest bits of whole numbers, for OpAny
/// and OpAll, which read Booleans.
void readHighestBits(llvm::Module& program) {
  for (llvm::Function& function : llvm::make_early_inc_range(program)) {
    const bool isAny = function.getName().starts_with("_Z3any");
    if (!function.isDeclaration() || (!isAny && !function.getName().starts_with("_Z3all")) ||
        function.arg_size() != 1 || !function.getArg(0)->getType()->isIntOrIntVectorTy())
      continue;
    replaceCalls(function, [&](llvm::CallInst& call) -> llvm::Value* {
      llvm::IRBuilder<> builder(&call);
      llvm::Value* bits = call.getArgOperand(0);
      if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(bits->getType())) {
        llvm::Value* numbers = bits;
        bits = builder.CreateExtractElement(numbers, uint64_t{0});
        for (unsigned k = 1; k < vector->getNumElements(); ++k) {
          llvm::Value* number = builder.CreateExtractElement(numbers, k);
          bits = isAny ? builder.CreateOr(bits, number) : builder.CreateAnd(bits, number);
        }
      }
      return builder.CreateZExt(
          builder.CreateICmpSLT(bits, llvm::Constant::getNullValue(bits->getType())),
          call.getType());
    });
  }
}

/// A conversion between types of one kind, as the name of a built-in function says it.
struct Conversion {
  bool isSaturated = false;
  bool fromSigned = false, toSigned = false;
};

/// Of "_Z20convert_int3_sat_rteDv3_c" and its like, where both are whole numbers, or both are
/// floats of the same size.
std::optional<Conversion> conversionOf(const llvm::Function& function) {
  llvm::StringRef name = function.getName();
  size_t length = 0;
  if (!name.consume_front("_Z") || name.consumeInteger(10, length) || length >= name.size() ||
      function.arg_size() != 1)
    return std::nullopt;
  llvm::StringRef what = name.take_front(length);
  const char from = name.back();
  if (!what.consume_front("convert_"))
    return std::nullopt;
  const bool isUnsigned = what.consume_front("u");
  const bool isWhole = what.consume_front("char") || what.consume_front("short") ||
                       what.consume_front("int") || what.consume_front("long");
  const bool isFloat =
      !isWhole && !isUnsigned &&
      (what.consume_front("half") || what.consume_front("float") || what.consume_front("double"));
  what = what.ltrim("0123456789");
  const bool isSaturated = what.consume_front("_sat");
  constexpr llvm::StringLiteral roundings[] = {"", "_rte", "_rtz", "_rtp", "_rtn"};
  const llvm::Type* source = function.getArg(0)->getType();
  if ((!isWhole && !isFloat) || !llvm::is_contained(roundings, what))
    return std::nullopt;
  if (isFloat)
    return source == function.getReturnType() ? std::optional(Conversion()) : std::nullopt;
  if (!source->isIntOrIntVectorTy() || !function.getReturnType()->isIntOrIntVectorTy())
    return std::nullopt;
  constexpr llvm::StringLiteral signedTypes = "csil";
  return Conversion{.isSaturated = isSaturated,
                    .fromSigned = signedTypes.contains(from),
                    .toSigned = !isUnsigned};
}

/// `number` within what its saturated conversion to `bits` bits can give.
llvm::Value* saturate(llvm::IRBuilder<>& builder, llvm::Value* number, const Conversion& conversion,
                      unsigned bits) {
  llvm::Type* type = number->getType();
  const unsigned own = type->getScalarSizeInBits();
  const auto limit = [&](llvm::CmpInst::Predicate outside, const llvm::APInt& bound) {
    llvm::Constant* constant = llvm::ConstantInt::get(type, bound);
    number = builder.CreateSelect(builder.CreateICmp(outside, number, constant), constant, number);
  };
  if (conversion.fromSigned && !conversion.toSigned)
    limit(llvm::CmpInst::ICMP_SLT, llvm::APInt::getZero(own));
  else if (conversion.fromSigned && bits < own)
    limit(llvm::CmpInst::ICMP_SLT, llvm::APInt::getSignedMinValue(bits).sext(own));
  const llvm::APInt greatest =
      conversion.toSigned ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
  const unsigned needed = conversion.fromSigned ? own - 1 : own; ///< bits of the greatest number
  if (greatest.getActiveBits() < needed)
    limit(conversion.fromSigned ? llvm::CmpInst::ICMP_SGT : llvm::CmpInst::ICMP_UGT,
          greatest.zextOrTrunc(own));
  return number;
}

/// LLVM's back end takes the signs of whole numbers for each other's where both are alike, and
/// writes conversions that change nothing.
void spellOutConversions(llvm::Module& program) {
  for (llvm::Function& function : llvm::make_early_inc_range(program)) {
    const std::optional<Conversion> conversion =
        function.isDeclaration() ? conversionOf(function) : std::nullopt;
    if (!conversion)
      continue;
    replaceCalls(function, [&](llvm::CallInst& call) -> llvm::Value* {
      llvm::IRBuilder<> builder(&call);
      llvm::Value* number = call.getArgOperand(0);
      if (number->getType()->isFPOrFPVectorTy())
        return number;
      if (conversion->isSaturated)
        number = saturate(builder, number, *conversion, call.getType()->getScalarSizeInBits());
      return builder.CreateIntCast(number, call.getType(), conversion->fromSigned);
    });
  }
}

/// LLVM's back end has the table of OpenCL.std take vloada_half3 for vload_half3, whose vectors lie
/// closer together.
void placeHalfVectors(llvm::Module& program) {
  constexpr llvm::StringLiteral aligned = "_Z12vloada_half3", packed = "_Z11vload_half3";
  for (llvm::Function& function : llvm::make_early_inc_range(program)) {
    if (!function.isDeclaration() || !function.getName().starts_with(aligned))
      continue;
    llvm::FunctionCallee callee = program.getOrInsertFunction(
        (packed + function.getName().drop_front(aligned.size())).str(), function.getFunctionType());
    llvm::cast<llvm::Function>(callee.getCallee())->setCallingConv(function.getCallingConv());
    replaceCalls(function, [&](llvm::CallInst& call) -> llvm::Value* {
      llvm::IRBuilder<> builder(&call);
      llvm::Value* offset = builder.CreateShl(call.getArgOperand(0), 2);
      llvm::Value* place = builder.CreateGEP(builder.getHalfTy(), call.getArgOperand(1), offset);
      llvm::CallInst* loaded =
          builder.CreateCall(callee, {llvm::ConstantInt::get(offset->getType(), 0), place});
      loaded->setCallingConv(call.getCallingConv());
      return loaded;
    });
  }
}

/// `constant` with null in the place of null that was cast to another address space: in all of them
/// it is the same.
llvm::Constant* withPlainNulls(llvm::Constant* constant) {
  if (const auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(constant);
      cast && cast->getOpcode() == llvm::Instruction::AddrSpaceCast)
    return cast->getOperand(0)->isNullValue() ? llvm::Constant::getNullValue(cast->getType())
                                              : constant;
  if (!llvm::isa<llvm::ConstantAggregate>(constant))
    return constant;
  llvm::SmallVector<llvm::Constant*> members;
  for (llvm::Use& member : constant->operands())
    members.push_back(withPlainNulls(llvm::cast<llvm::Constant>(member)));
  if (auto* type = llvm::dyn_cast<llvm::StructType>(constant->getType()))
    return llvm::ConstantStruct::get(type, members);
  if (auto* type = llvm::dyn_cast<llvm::ArrayType>(constant->getType()))
    return llvm::ConstantArray::get(type, members);
  return llvm::ConstantVector::get(members);
}

/// LLVM's back end writes such a cast in an initializer as an integer.
void uncastNulls(llvm::Module& program) {
  for (llvm::GlobalVariable& variable : program.globals())
    if (variable.hasInitializer())
      variable.setInitializer(withPlainNulls(variable.getInitializer()));
}

} // namespace

void reword(llvm::Module& program) {
  manglePrintf(program);
  uncastNulls(program);
  readHighestBits(program);
  spellOutConversions(program);
  placeHalfVectors(program);
  countChannelDataTypes(program);
  loadNullEvents(program);
  placeScopesOfLoads(program);
}

} // namespace quern::compiler
