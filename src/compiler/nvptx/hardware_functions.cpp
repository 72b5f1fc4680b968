#include "compiler/nvptx/hardware_functions.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

using Arguments = llvm::ArrayRef<llvm::Value*>;

constexpr float log2OfE = 0x1.715476p+0f, log2Of10 = 0x1.a934fp+1f;
constexpr float lnOf2 = 0x1.62e43p-1f, log10Of2 = 0x1.344136p-2f;

/// Makes the code of one function for scalars.
class Emitter {
public:
  explicit Emitter(llvm::IRBuilder<>& builder) : builder_(builder) {}

  llvm::Value* power2(llvm::Value* x) {
    return builder_.CreateIntrinsic(x->getType(), llvm::Intrinsic::nvvm_ex2_approx, {x});
  }
  llvm::Value* logarithm2(llvm::Value* x) { return call(llvm::Intrinsic::nvvm_lg2_approx_f, x); }
  llvm::Value* sine(llvm::Value* x) { return call(llvm::Intrinsic::nvvm_sin_approx_f, x); }
  llvm::Value* cosine(llvm::Value* x) { return call(llvm::Intrinsic::nvvm_cos_approx_f, x); }
  llvm::Value* inverseRoot(llvm::Value* x) { return call(llvm::Intrinsic::nvvm_rsqrt_approx_f, x); }
  llvm::Value* quotient(llvm::Value* x, llvm::Value* y) {
    return builder_.CreateIntrinsic(llvm::Intrinsic::nvvm_div_full, {x, y});
  }
  llvm::Value* scaled(llvm::Value* x, float factor) {
    return builder_.CreateFMul(x, number(factor));
  }

  /// e^x to 2 units in the last place: x is n ln 2 + r, and e^r is near 1, where the instruction is
  /// precise.
  llvm::Value* exponential(llvm::Value* x) {
    // Beyond these the result is zero or infinite; NaN stays.
    constexpr float least = -104.0f, greatest = 89.5f;
    x = builder_.CreateSelect(builder_.CreateFCmpOLT(x, number(least)), number(least), x);
    x = builder_.CreateSelect(builder_.CreateFCmpOGT(x, number(greatest)), number(greatest), x);
    llvm::Value* n = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::rint, scaled(x, log2OfE));
    llvm::Value* rest = multiplyAdd(n, -0x1.62e4p-1f, x); // ln 2, of which n times this is exact
    rest = multiplyAdd(n, -0x1.7f7d1cp-20f, rest);
    llvm::Value* power = power2(scaled(rest, log2OfE));
    // 2^n itself may not be a number of float.
    llvm::Value* exponent = builder_.CreateIntrinsic(
        llvm::Intrinsic::fptosi_sat, {builder_.getInt32Ty(), builder_.getFloatTy()}, {n});
    llvm::Value* half = builder_.CreateAShr(exponent, 1);
    power = builder_.CreateFMul(power, wholePower(half));
    return builder_.CreateFMul(power, wholePower(builder_.CreateSub(exponent, half)));
  }

private:
  llvm::Value* call(llvm::Intrinsic::ID id, llvm::Value* x) {
    return builder_.CreateIntrinsic(id, {x});
  }
  llvm::Constant* number(float value) {
    return llvm::ConstantFP::get(builder_.getFloatTy(), value);
  }
  llvm::Value* multiplyAdd(llvm::Value* x, float factor, llvm::Value* y) {
    return builder_.CreateIntrinsic(llvm::Intrinsic::fma, {builder_.getFloatTy()},
                                    {x, number(factor), y});
  }
  /// 2^n for the exponents of normal numbers.
  llvm::Value* wholePower(llvm::Value* n) {
    constexpr uint32_t bias = 127, mantissaBits = 23;
    llvm::Value* bits =
        builder_.CreateShl(builder_.CreateAdd(n, builder_.getInt32(bias)), mantissaBits);
    return builder_.CreateBitCast(bits, builder_.getFloatTy());
  }

  llvm::IRBuilder<>& builder_;
};

using Emit = llvm::Value* (*)(Emitter& emit, Arguments x);

/// By the function's name without "native_" or "__relaxed_".
Emit approximation(llvm::StringRef name) {
  static const llvm::StringMap<Emit> table = {
      {"cos", [](Emitter& emit, Arguments x) { return emit.cosine(x[0]); }},
      {"divide", [](Emitter& emit, Arguments x) { return emit.quotient(x[0], x[1]); }},
      {"exp", [](Emitter& emit, Arguments x) { return emit.power2(emit.scaled(x[0], log2OfE)); }},
      {"exp10",
       [](Emitter& emit, Arguments x) { return emit.power2(emit.scaled(x[0], log2Of10)); }},
      {"exp2", [](Emitter& emit, Arguments x) { return emit.power2(x[0]); }},
      {"log", [](Emitter& emit, Arguments x) { return emit.scaled(emit.logarithm2(x[0]), lnOf2); }},
      {"log10",
       [](Emitter& emit, Arguments x) { return emit.scaled(emit.logarithm2(x[0]), log10Of2); }},
      {"log2", [](Emitter& emit, Arguments x) { return emit.logarithm2(x[0]); }},
      {"rsqrt", [](Emitter& emit, Arguments x) { return emit.inverseRoot(x[0]); }},
      {"sin", [](Emitter& emit, Arguments x) { return emit.sine(x[0]); }},
      {"tan", [](Emitter& emit,
                 Arguments x) { return emit.quotient(emit.sine(x[0]), emit.cosine(x[0])); }},
  };
  return table.lookup(name);
}

/// The code for a function of the library, or null to leave it as it is.
Emit codeOf(llvm::StringRef symbol) {
  size_t length = 0;
  if (!symbol.consume_front("_Z") || symbol.consumeInteger(10, length) || length > symbol.size())
    return nullptr;
  llvm::StringRef name = symbol.take_front(length);
  if (name.consume_front("native_") || name.consume_front("__relaxed_"))
    return approximation(name);
  if (name == "rsqrt")
    return approximation(name);
  if (name == "exp")
    return [](Emitter& emit, Arguments x) { return emit.exponential(x[0]); };
  return nullptr;
}

bool isOfFloat(const llvm::Function& function) {
  const llvm::Type* result = function.getReturnType();
  return result->getScalarType()->isFloatTy() && function.arg_size() > 0 &&
         llvm::all_of(function.args(),
                      [&](const llvm::Argument& argument) { return argument.getType() == result; });
}

void rewrite(llvm::Function& function, Emit code) {
  const auto linkage = function.getLinkage();
  function.deleteBody();
  function.setLinkage(linkage);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(function.getContext(), "", &function));
  Emitter emitter(builder);
  llvm::SmallVector<llvm::Value*, 2> arguments;
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(function.getReturnType());
  if (!vector) {
    for (llvm::Argument& argument : function.args())
      arguments.push_back(&argument);
    builder.CreateRet(code(emitter, arguments));
    return;
  }
  llvm::Value* result = llvm::PoisonValue::get(function.getReturnType());
  for (uint64_t i = 0; i < vector->getNumElements(); ++i) {
    arguments.clear();
    for (llvm::Argument& argument : function.args())
      arguments.push_back(builder.CreateExtractElement(&argument, i));
    result = builder.CreateInsertElement(result, code(emitter, arguments), i);
  }
  builder.CreateRet(result);
}

} // namespace

llvm::PreservedAnalyses HardwareFunctionsPass::run(llvm::Module& module,
                                                   llvm::ModuleAnalysisManager&) {
  bool changed = false;
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || function.hasFnAttribute(names::programAttribute) ||
        !isOfFloat(function))
      continue;
    if (const Emit code = codeOf(function.getName())) {
      rewrite(function, code);
      changed = true;
    }
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
