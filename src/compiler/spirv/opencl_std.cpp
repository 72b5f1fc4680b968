// The extended instructions of OpenCL.std, by the functions of OpenCL C of the same names.
#include <algorithm>

#include <llvm/IR/MDBuilder.h>

#include "base/sentence.h"
#include "compiler/il/names.h"
#include "compiler/spirv/failure.h"
#include "compiler/spirv/function_reader.h"
#include "spirv/environment.h"

namespace quern::compiler::spirv {
namespace {

/// How operands become arguments. All but the last two kinds take every operand.
enum class Form {
  Plain,
  Signed,
  Unsigned,
  VectorLoad,     ///< (offset, pointer, n): the name ends with n
  HalfLoad,       ///< (offset, pointer)
  HalfVectorLoad, ///< (offset, pointer, n)
  VectorStore,    ///< (vector, offset, pointer), and a rounding mode
  HalfStore,      ///< (number, offset, pointer), and a rounding mode
  Shuffle,        ///< the last operand is the unsigned mask
  Select,
  Nan, ///< an unsigned operand
  Printf,
  Prefetch, ///< (pointer, count)
};

struct Row {
  uint32_t number;
  llvm::StringRef name;
  Form form;
  unsigned operands; ///< at least
};

constexpr Row rows[] = {
#define OPENCL_STD(number, name, form, operands) {number, #name, Form::form, operands},
#include "spirv/opencl_std.def"
};

std::string roundingSuffix(uint32_t mode) {
  constexpr llvm::StringLiteral suffixes[] = {"_rte", "_rtz", "_rtp", "_rtn"};
  if (mode >= std::size(suffixes))
    throw RuleBroken{sentence("has the rounding mode ", mode, ", which is not known")};
  return suffixes[mode].str();
}

/// That of functions on a vector; none of those on a scalar. LLVM's SPIR-V back end writes
/// `vloada_half` and `vstorea_half` of scalars, which OpenCL.std lacks, as those of vectors,
/// without the length.
std::string lengthSuffix(const Type& type) {
  return type.components() > 1 ? std::to_string(type.components()) : "";
}

bool isStore(Form form) {
  return form == Form::VectorStore || form == Form::HalfStore;
}

bool isLoad(Form form) {
  return form == Form::VectorLoad || form == Form::HalfLoad || form == Form::HalfVectorLoad;
}

/// What a function takes the address of, as its name and its other types say.
const Type& untypedContent(Types& types, const Row& row, const Type& result, const Value& first) {
  if (row.name.contains("_half"))
    return types.half();
  if (isLoad(row.form))
    return result.scalar();
  if (isStore(row.form))
    return first.type->scalar();
  if (row.name == "frexp" || row.name == "lgamma_r" || row.name == "remquo")
    return types.vectorOf(types.integer(32), result.components());
  return result;
}

/// The error that OpenCL C allows a square root of float, as Clang says it.
constexpr float rootError = 3.0f;

} // namespace

bool FunctionReader::readExtended(const Instruction& i) {
  if (i.op != Op::ExtInst && i.op != Op::ExtInstWithForwardRefsKHR)
    return false;
  const llvm::StringRef set = module_.extendedSet(i.operands[0]);
  require(!set.empty(), "names the id ", i.operands[0], ", which is no set of instructions");
  if (set == "OpenCL.std")
    readStandard(i, i.operands[1], i.operands.subspan(2));
  return true; // The others mean nothing.
}

/// Not all of the operands are values: what follows a load's address is the length of the vector,
/// and what follows a store's the rounding mode.
void FunctionReader::readStandard(const Instruction& i, uint32_t number,
                                  std::span<const uint32_t> operands) {
  const auto* row = std::ranges::find(rows, number, &Row::number);
  require(row != std::end(rows), "has the number ", number, ", which OpenCL.std lacks");
  const Type& result = resultType(i);
  require(result.llvm, "has a result type without values");
  size_t count = row->operands;
  if (row->form == Form::HalfVectorLoad && result.components() == 1)
    count = 2;
  require(operands.size() >= count, "has ", operands.size(), " operands for ", row->name.str());
  if (row->form == Form::Printf)
    return readPrintf(i, operands);
  std::string name = row->name.str();
  if (isLoad(row->form)) {
    count = 2;
    if (row->form != Form::HalfLoad)
      name += lengthSuffix(result);
  }
  if (isStore(row->form)) {
    const Value stored = value(operands[0]);
    require(stored.type, "stores what is no number");
    if (row->form == Form::VectorStore)
      name += lengthSuffix(*stored.type);
    if (row->operands == 4)
      name += roundingSuffix(operands[3]);
    count = 3;
  }
  llvm::SmallVector<Argument> arguments;
  bool hasPointer = false;
  for (size_t k = 0; k < count; ++k) {
    Value x = value(operands[k]);
    require(x.type, "has an operand that is no number");
    if (x.type->isPointer())
      x = typed(x, untypedContent(module_.types(), *row, result, value(operands[0])));
    Argument argument = asIs(x);
    hasPointer |= x.type->isPointer();
    const bool isOffset = (isLoad(row->form) && k == 0) || (isStore(row->form) && k == 1) ||
                          (row->form == Form::Prefetch && k == 1);
    const bool isMask = row->form == Form::Shuffle && k + 1 == count;
    argument.parameter.isUnsigned = row->form == Form::Unsigned || row->form == Form::Nan ||
                                    isOffset || isMask || (row->name == "upsample" && k == 1);
    argument.parameter.isConst =
        x.type->isPointer() && (isLoad(row->form) || row->form == Form::Prefetch);
    arguments.push_back(argument);
  }
  llvm::CallInst* made = call(name, result.llvm, arguments,
                              !hasPointer         ? Effects::None
                              : isLoad(row->form) ? Effects::Reads
                                                  : Effects::Any);
  if (result.scalar().isFloat()) {
    made->setFastMathFlags(fastMath(i));
    if (row->name == "sqrt" && result.scalar().llvm->isFloatTy() &&
        !module_.options().correctlyRoundedDivideSqrt)
      made->setMetadata(llvm::LLVMContext::MD_fpmath,
                        llvm::MDBuilder(module_.context()).createFPMath(rootError));
  }
  if (result.op != Op::TypeVoid)
    define(i, made);
}

void FunctionReader::readPrintf(const Instruction& i, std::span<const uint32_t> operands) {
  llvm::SmallVector<llvm::Value*> arguments;
  for (const uint32_t id : operands) {
    llvm::Value* argument = value(id).value;
    // As C passes numbers where the number of arguments is not known.
    llvm::Type* type = argument->getType();
    if (type->isFloatTy() || type->isHalfTy())
      argument = builder_.CreateFPExt(argument, builder_.getDoubleTy());
    else if (type->isIntegerTy() && type->getIntegerBitWidth() < 32)
      argument = builder_.CreateZExt(argument, builder_.getInt32Ty());
    arguments.push_back(argument);
  }
  llvm::Type* format =
      llvm::PointerType::get(module_.context(), addressSpaceOf(Storage::UniformConstant));
  require(arguments[0]->getType()->isPointerTy(), "has a format that is no string");
  if (arguments[0]->getType() != format)
    arguments[0] = builder_.CreateAddrSpaceCast(arguments[0], format);
  auto* type = llvm::FunctionType::get(builder_.getInt32Ty(), {format}, /*isVarArg=*/true);
  llvm::FunctionCallee printf = module_.module().getOrInsertFunction(names::printf, type);
  auto* function = llvm::dyn_cast<llvm::Function>(printf.getCallee());
  require(function && function->isDeclaration() && function->getFunctionType() == type,
          "means the function printf, which is something else in the module");
  function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  function->addFnAttr(llvm::Attribute::Convergent);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  llvm::CallInst* made = builder_.CreateCall(printf, arguments);
  made->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  made->addFnAttr(llvm::Attribute::Convergent);
  define(i, made);
}

} // namespace quern::compiler::spirv
