#pragma once

#include "compiler/spirv/module_reader.h"

namespace quern::compiler::spirv {

/// The attributes that the module gives a declared function and its parameters.
void addFunctionAttributes(const ModuleReader& module, const Function& function);

/// Makes the entry points kernels, as Clang makes those of OpenCL C: with the calling convention of
/// kernels and the metadata that describes them and their arguments. Throws a Failure.
void makeKernels(ModuleReader& module, std::span<const EntryPoint> entryPoints);

} // namespace quern::compiler::spirv
