#pragma once

#include "compiler/frontend/frontend.h"

namespace quern::compiler {

/// Reads a SPIR-V module of the OpenCL environment (OpenCL SPIR-V Environment Specification 3.0)
/// into what runFrontend makes of a source. `constants` replace the values of specialisation
/// constants. Never relies on what a module says: what breaks a rule gives no module and a log.
FrontendResult readSpirv(std::span<const std::byte> il,
                         std::span<const SpecializationValue> constants, const Options& options,
                         const Target& target, llvm::LLVMContext& context);

} // namespace quern::compiler
