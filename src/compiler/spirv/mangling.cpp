#include "compiler/spirv/mangling.h"

#include "compiler/spirv/failure.h"

namespace quern::compiler::spirv {
namespace {

std::string withLength(llvm::StringRef name) {
  return std::to_string(name.size()) + name.str();
}

std::string scalarCode(const Type& type, bool isUnsigned) {
  const unsigned bits = type.llvm->getScalarSizeInBits();
  if (type.op == Op::TypeBool)
    return "b";
  if (type.isFloat())
    return bits == 16 ? "Dh" : bits == 32 ? "f" : "d";
  switch (bits) {
  case 8:
    return isUnsigned ? "h" : "c";
  case 16:
    return isUnsigned ? "t" : "s";
  case 32:
    return isUnsigned ? "j" : "i";
  default:
    return isUnsigned ? "m" : "l";
  }
}

std::string imageName(const Type& type) {
  std::string name = "ocl_image";
  switch (type.dimensions) {
  case Dimensions::One:
    name += "1d";
    break;
  case Dimensions::Two:
    name += "2d";
    break;
  case Dimensions::Three:
    name += "3d";
    break;
  case Dimensions::Buffer:
    name += "1d_buffer";
  }
  if (type.isArrayed)
    name += "_array";
  if (type.isMultisampled)
    name += "_msaa";
  if (type.isDepth)
    name += "_depth";
  return name + (type.access == Access::ReadOnly    ? "_ro"
                 : type.access == Access::WriteOnly ? "_wo"
                                                    : "_rw");
}

/// Empty for types that have no name.
std::string opaqueName(const Type& type) {
  switch (type.op) {
  case Op::TypeImage:
    return imageName(type);
  case Op::TypeSampler:
    return "ocl_sampler";
  case Op::TypeEvent:
    return "ocl_event";
  case Op::TypeDeviceEvent:
    return "ocl_clkevent";
  case Op::TypeReserveId:
    return "ocl_reserveid";
  case Op::TypeQueue:
    return "ocl_queue";
  case Op::TypePipe:
    return "ocl_pipe";
  default:
    return {};
  }
}

class Mangler {
public:
  std::string add(const Parameter& parameter) {
    if (*parameter.name)
      return substitutable(withLength(parameter.name));
    const Type& type = *parameter.type;
    if (type.isPointer())
      return pointer(parameter);
    return plain(type, parameter.isUnsigned);
  }

private:
  std::string plain(const Type& type, bool isUnsigned) {
    if (type.op == Op::TypeVector)
      return substitutable("Dv" + std::to_string(type.components()) + "_" +
                           scalarCode(type.scalar(), isUnsigned));
    if (type.isInteger() || type.isFloat() || type.op == Op::TypeBool)
      return scalarCode(type, isUnsigned);
    const std::string name = opaqueName(type);
    if (name.empty())
      throw RuleBroken{"is given a value of a type that no such function takes"};
    return substitutable(withLength(name));
  }

  std::string pointer(const Parameter& parameter) {
    const Type& type = *parameter.type;
    if (type.parts.empty())
      throw RuleBroken{"is given a pointer to a type that is not known"};
    std::string qualifiers;
    if (const unsigned space = type.llvm->getPointerAddressSpace())
      qualifiers = "U3AS" + std::to_string(space);
    if (parameter.isAtomic)
      qualifiers += "V";
    if (parameter.isConst)
      qualifiers += "K";
    const std::string bare = Mangler().plain(*type.parts[0], parameter.isUnsigned);
    const std::string pointee = parameter.isAtomic ? "U7_Atomic" + bare : bare;
    // Each part is a type of its own, which a later one may name. Clang qualifies what lies in
    // private memory, too, and writes nothing for that.
    const std::string qualified = "qualified " + qualifiers + pointee;
    if (const std::string known = substitution("P" + qualified); !known.empty())
      return known;
    std::string code = substitution(qualified);
    if (code.empty()) {
      code = plain(*type.parts[0], parameter.isUnsigned);
      if (parameter.isAtomic) {
        code = "U7_Atomic" + code;
        known_.push_back(pointee);
      }
      known_.push_back(qualified);
      code = qualifiers + code;
    }
    known_.push_back("P" + qualified);
    return "P" + code;
  }

  std::string substitutable(std::string code) {
    std::string known = substitution(code);
    if (!known.empty())
      return known;
    known_.push_back(code);
    return code;
  }

  std::string substitution(const std::string& code) const {
    const auto found = llvm::find(known_, code);
    if (found == known_.end())
      return {};
    const auto index = static_cast<size_t>(found - known_.begin());
    constexpr llvm::StringLiteral digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return index == 0 ? "S_" : std::string("S") + digits[(index - 1) % digits.size()] + "_";
  }

  std::vector<std::string> known_;
};

} // namespace

std::string mangle(llvm::StringRef function, llvm::ArrayRef<Parameter> parameters) {
  std::string symbol = "_Z" + withLength(function);
  Mangler mangler;
  for (const Parameter& parameter : parameters)
    symbol += mangler.add(parameter);
  return parameters.empty() ? symbol + "v" : symbol;
}

} // namespace quern::compiler::spirv
