#pragma once

#include <string>
#include <vector>

#include "compiler/spirv/types.h"

namespace quern::compiler::spirv {

/// A parameter of a function of OpenCL C. SPIR-V knows neither signs of integers nor `const`, which
/// the names of overloads tell.
struct Parameter {
  const Type* type = nullptr;
  bool isUnsigned = false;
  bool isConst = false;  ///< of what a pointer points to
  bool isAtomic = false; ///< likewise, and volatile
  const char* name = ""; ///< of an enumeration or structure, instead of `type`
};

/// The symbol that Clang gives the overload of `function` with these parameters, for the triple
/// spir64 (Itanium C++ ABI, 5.1 "External Names").
std::string mangle(llvm::StringRef function, llvm::ArrayRef<Parameter> parameters);

} // namespace quern::compiler::spirv
