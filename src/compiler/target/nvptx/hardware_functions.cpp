#include "compiler/target/nvptx/hardware_functions.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

#include "compiler/il/function_name.h"
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
    return builder_.CreateIntrinsic(x->getType(), llvm::Intrinsic::nvvm_ex2_approx_ftz, {x});
  }
  llvm::Value* logarithm2(llvm::Value* x) {
    return call(llvm::Intrinsic::nvvm_lg2_approx_ftz_f, x);
  }
  llvm::Value* sine(llvm::Value* x) { return call(llvm::Intrinsic::nvvm_sin_approx_ftz_f, x); }
  llvm::Value* cosine(llvm::Value* x) { return call(llvm::Intrinsic::nvvm_cos_approx_ftz_f, x); }
  llvm::Value* inverseRoot(llvm::Value* x) { return call(llvm::Intrinsic::nvvm_rsqrt_approx_f, x); }
  llvm::Value* quotient(llvm::Value* x, llvm::Value* y) {
    return builder_.CreateIntrinsic(llvm::Intrinsic::nvvm_div_full, {x, y});
  }
  llvm::Value* scaled(llvm::Value* x, float factor) {
    return builder_.CreateFMul(x, number(factor));
  }

private:
  llvm::Value* call(llvm::Intrinsic::ID id, llvm::Value* x) {
    return builder_.CreateIntrinsic(id, {x});
  }
  llvm::Constant* number(float value) {
    return llvm::ConstantFP::get(builder_.getFloatTy(), value);
  }

  llvm::IRBuilder<>& builder_;
};

using Emit = llvm::Value* (*)(Emitter & emit, Arguments x);

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
  auto function = FunctionName::parse(symbol);
  if (!function)
    return nullptr;
  if (function->name.consume_front("native_") || function->name.consume_front("__relaxed_") ||
      function->name == "rsqrt")
    return approximation(function->name);
  return nullptr;
}

/// The instruction that a function declared by the library stands for, or none.
llvm::Intrinsic::ID instructionOf(llvm::StringRef name) {
  if (!name.consume_front(names::nvptxInstructionPrefix))
    return llvm::Intrinsic::not_intrinsic;
  return llvm::StringSwitch<llvm::Intrinsic::ID>(name)
      .Case("fence_of_all_devices", llvm::Intrinsic::nvvm_membar_sys)
      .Case("active_mask", llvm::Intrinsic::nvvm_activemask)
      .Case("lanes_below", llvm::Intrinsic::nvvm_read_ptx_sreg_lanemask_lt)
      .Case("ballot", llvm::Intrinsic::nvvm_vote_ballot_sync)
      .Case("shuffle", llvm::Intrinsic::nvvm_shfl_sync_idx_i32)
      .Case("warp_barrier", llvm::Intrinsic::nvvm_bar_warp_sync)
      .Case("sleep", llvm::Intrinsic::nvvm_nanosleep)
      .Case("exp2", llvm::Intrinsic::nvvm_ex2_approx_ftz)
      .Case("reciprocal", llvm::Intrinsic::nvvm_rcp_approx_ftz_f)
      .Case("wide_reciprocal", llvm::Intrinsic::nvvm_rcp_approx_ftz_d)
      .Case("saturate", llvm::Intrinsic::nvvm_saturate_f)
      .Case("floor_to_int", llvm::Intrinsic::nvvm_f2i_rm)
      .Case("filtered_f", llvm::Intrinsic::nvvm_tex_unified_2d_v4f32_f32)
      .Case("element_f", llvm::Intrinsic::nvvm_tex_unified_2d_v4f32_s32)
      .Case("element_i", llvm::Intrinsic::nvvm_tex_unified_2d_v4s32_s32)
      .Case("element_ui", llvm::Intrinsic::nvvm_tex_unified_2d_v4u32_s32)
      .Default(llvm::Intrinsic::not_intrinsic);
}

/// The members of a structure, where an instruction has several results, as a vector.
llvm::Value* asVector(llvm::IRBuilder<>& builder, llvm::Value* result, llvm::Type* type) {
  if (result->getType() == type)
    return result;
  llvm::Value* vector = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < result->getType()->getStructNumElements(); ++i)
    vector = builder.CreateInsertElement(vector, builder.CreateExtractValue(result, i), i);
  return vector;
}

/// What the library tests textures with (target/nvptx/texture_forms.h).
constexpr llvm::StringRef hasTexture = "__quern_nvptx_has_texture";

void replaceCalls(llvm::Function& function, llvm::Intrinsic::ID instruction) {
  for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    llvm::IRBuilder<> builder(call);
    llvm::SmallVector<llvm::Type*, 1> types;
    if (llvm::Intrinsic::isOverloaded(instruction))
      types.push_back(call->getType());
    const llvm::SmallVector<llvm::Value*, 1> arguments(call->args());
    llvm::Value* const result = builder.CreateIntrinsic(instruction, types, arguments);
    call->replaceAllUsesWith(asVector(builder, result, call->getType()));
    call->eraseFromParent();
  }
  function.eraseFromParent();
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
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (function.getName() == hasTexture) {
      function.setName(names::hasTexture);
      function.setDoesNotAccessMemory();
      function.setDoesNotThrow();
      function.setWillReturn();
      changed = true;
      continue;
    }
    if (const llvm::Intrinsic::ID instruction = instructionOf(function.getName())) {
      replaceCalls(function, instruction);
      changed = true;
      continue;
    }
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
