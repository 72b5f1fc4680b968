// Conversions (SPIR-V 1.6, 3.52.11).
#include "base/sentence.h"
#include "compiler/spirv/failure.h"
#include "compiler/spirv/function_reader.h"

namespace quern::compiler::spirv {
namespace {

/// The name of a type in the names of OpenCL C's conversions.
std::string typeName(const Type& type, bool isUnsigned) {
  const unsigned bits = type.llvm->getScalarSizeInBits();
  std::string name;
  if (type.scalar().isFloat())
    name = bits == 16 ? "half" : bits == 32 ? "float" : "double";
  else
    name = std::string(isUnsigned ? "u" : "") + (bits == 8    ? "char"
                                                 : bits == 16 ? "short"
                                                 : bits == 32 ? "int"
                                                              : "long");
  return type.components() == 1 ? name : name + std::to_string(type.components());
}

} // namespace

/// Rounded or saturated as decorations say.
llvm::Value* FunctionReader::convertByLibrary(const Instruction& i, const Value& from,
                                              bool fromUnsigned, bool toUnsigned, bool saturates) {
  const Type& to = resultType(i);
  std::string name = "convert_" + typeName(to, toUnsigned);
  if (saturates)
    name += "_sat";
  if (const auto rounding = module_.decorations().number(i.result, Decoration::FPRoundingMode)) {
    constexpr const char* modes[] = {"_rte", "_rtz", "_rtp", "_rtn"};
    require(*rounding < std::size(modes), "has a rounding mode that is not known");
    name += modes[*rounding];
  }
  Argument argument = asIs(from);
  argument.parameter.isUnsigned = fromUnsigned;
  return call(name, to.llvm, {argument}, Effects::None);
}

bool FunctionReader::readConversion(const Instruction& i) {
  switch (i.op) {
  case Op::ConvertFToU:
  case Op::ConvertFToS:
  case Op::ConvertSToF:
  case Op::ConvertUToF:
  case Op::UConvert:
  case Op::SConvert:
  case Op::FConvert:
  case Op::SatConvertSToU:
  case Op::SatConvertUToS:
    break;
  case Op::ConvertFToBF16INTEL: {
    requireFloat(operand(i, 0));
    llvm::Type* floats = operand(i, 0).value->getType();
    require(floats->getScalarType()->isFloatTy(), "has an operand that is not of float");
    llvm::Type* brains = floats->getWithNewType(llvm::Type::getBFloatTy(module_.context()));
    define(i, builder_.CreateBitCast(builder_.CreateFPTrunc(operand(i, 0).value, brains),
                                     floats->getWithNewType(builder_.getInt16Ty())));
    return true;
  }
  case Op::ConvertBF16ToFINTEL: {
    // Of a float with its low half left out.
    const Value x = operand(i, 0);
    require(x.value->getType()->getScalarType()->isIntegerTy(16),
            "has an operand that is not of 16 bits");
    llvm::Type* words = x.value->getType()->getWithNewType(builder_.getInt32Ty());
    define(i, builder_.CreateBitCast(builder_.CreateShl(builder_.CreateZExt(x.value, words), 16),
                                     words->getWithNewType(builder_.getFloatTy())));
    return true;
  }
  default:
    return readCast(i);
  }
  const Value x = operand(i, 0);
  const Type& to = resultType(i);
  const bool fromFloat = i.op == Op::ConvertFToU || i.op == Op::ConvertFToS || i.op == Op::FConvert;
  const bool toFloat = i.op == Op::ConvertSToF || i.op == Op::ConvertUToF || i.op == Op::FConvert;
  fromFloat ? requireFloat(x) : requireInteger(x);
  require((toFloat ? to.scalar().isFloat() : to.scalar().isInteger()) &&
              to.components() == x.type->components(),
          "has a result type that its operand cannot be converted to");
  const Decorations& decorations = module_.decorations();
  const bool saturates = decorations.has(i.result, Decoration::SaturatedConversion) ||
                         i.op == Op::SatConvertSToU || i.op == Op::SatConvertUToS;
  if (saturates || decorations.has(i.result, Decoration::FPRoundingMode)) {
    const bool fromUnsigned =
        i.op == Op::ConvertUToF || i.op == Op::UConvert || i.op == Op::SatConvertUToS;
    const bool toUnsigned =
        i.op == Op::ConvertFToU || i.op == Op::UConvert || i.op == Op::SatConvertSToU;
    define(i, convertByLibrary(i, x, fromUnsigned, toUnsigned, saturates && !toFloat));
    return true;
  }
  llvm::Value* result = nullptr;
  switch (i.op) {
  case Op::ConvertFToU:
    result = builder_.CreateFPToUI(x.value, to.llvm);
    break;
  case Op::ConvertFToS:
    result = builder_.CreateFPToSI(x.value, to.llvm);
    break;
  case Op::ConvertSToF:
    result = builder_.CreateSIToFP(x.value, to.llvm);
    break;
  case Op::ConvertUToF:
    result = builder_.CreateUIToFP(x.value, to.llvm);
    break;
  case Op::UConvert:
    result = builder_.CreateZExtOrTrunc(x.value, to.llvm);
    break;
  case Op::SConvert:
    result = builder_.CreateSExtOrTrunc(x.value, to.llvm);
    break;
  default:
    result = builder_.CreateFPCast(x.value, to.llvm);
  }
  define(i, result);
  return true;
}

bool FunctionReader::readCast(const Instruction& i) {
  switch (i.op) {
  case Op::Bitcast: {
    const Value x = operand(i, 0);
    const Type& to = resultType(i);
    require(to.llvm && to.llvm->isSized(), "has a result type that is no value");
    llvm::Type* from = x.value->getType();
    const auto isNumber = [](const llvm::Type* type) {
      return type->isIntOrIntVectorTy() || type->isFPOrFPVectorTy();
    };
    if (from == to.llvm)
      return define(i, x.value), true;
    if (from->isPointerTy() && isNumber(to.llvm)) {
      llvm::Value* word = builder_.CreatePtrToInt(x.value, builder_.getInt64Ty());
      require(to.llvm->getPrimitiveSizeInBits() == 64, "has a result type of another size");
      define(i, builder_.CreateBitCast(word, to.llvm));
      return true;
    }
    if (isNumber(from) && to.llvm->isPointerTy()) {
      require(from->getPrimitiveSizeInBits() == 64, "has an operand of another size");
      define(i, builder_.CreateIntToPtr(builder_.CreateBitCast(x.value, builder_.getInt64Ty()),
                                        to.llvm));
      return true;
    }
    require(isNumber(from) && isNumber(to.llvm) &&
                from->getPrimitiveSizeInBits() == to.llvm->getPrimitiveSizeInBits(),
            "has a result type that its operand's bits do not fit");
    define(i, builder_.CreateBitCast(x.value, to.llvm));
    return true;
  }
  case Op::ConvertPtrToU: {
    require(operand(i, 0).value->getType()->isPointerTy() && resultType(i).isInteger(),
            "does not make a whole number of a pointer");
    define(i, builder_.CreatePtrToInt(operand(i, 0).value, resultType(i).llvm));
    return true;
  }
  case Op::ConvertUToPtr: {
    require(operand(i, 0).type && operand(i, 0).type->isInteger() && resultType(i).isPointer(),
            "does not make a pointer of a whole number");
    define(i, builder_.CreateIntToPtr(operand(i, 0).value, resultType(i).llvm));
    return true;
  }
  case Op::PtrCastToGeneric:
  case Op::GenericCastToPtr: {
    const Value x = operand(i, 0);
    const Type& generic = i.op == Op::PtrCastToGeneric ? resultType(i) : requirePointer(x);
    require(x.value->getType()->isPointerTy() && resultType(i).isPointer() &&
                generic.storage == Storage::Generic,
            "does not cast between a pointer and a generic one");
    require(resultType(i).storage != Storage::UniformConstant &&
                (!x.type || x.type->storage != Storage::UniformConstant),
            "casts between constant and generic memory");
    define(i, builder_.CreateAddrSpaceCast(x.value, resultType(i).llvm));
    return true;
  }
  case Op::GenericCastToPtrExplicit: {
    const Value x = operand(i, 0);
    require(requirePointer(x).storage == Storage::Generic && resultType(i).isPointer(),
            "does not cast from a generic pointer");
    const llvm::StringRef name = resultType(i).storage == Storage::CrossWorkgroup ? "__to_global"
                                 : resultType(i).storage == Storage::Workgroup    ? "__to_local"
                                                                                  : "__to_private";
    define(i, callSymbol(builder_, name, resultType(i).llvm, {x.value}, Effects::None));
    return true;
  }
  case Op::GenericPtrMemSemantics: {
    // get_fence tells cl_mem_fence_flags: 1 for local memory and 2 for global.
    const Value x = operand(i, 0);
    require(requirePointer(x).storage == Storage::Generic && resultType(i).isInteger(),
            "does not ask about a generic pointer");
    llvm::Value* flags = callSymbol(builder_, "_Z9get_fencePU3AS4v", builder_.getInt32Ty(),
                                    {x.value}, Effects::None);
    define(i, builder_.CreateZExtOrTrunc(builder_.CreateShl(flags, 8), resultType(i).llvm));
    return true;
  }
  default:
    return false;
  }
}

} // namespace quern::compiler::spirv
