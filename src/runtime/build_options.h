#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "compiler/interface/compiler.h"

namespace quern::runtime {

/// Which call the options were given to; each knows other options and has its own error code.
enum class BuildStep { Build, Compile, Link };

/// Parses the options of clBuildProgram, clCompileProgram or clLinkProgram (OpenCL 3.0, 5.8.6
/// "Compiler Options" and 5.8.7 "Linker Options"); nothing that is not listed there reaches the
/// compiler. Words are separated by white space; double quotes keep it, and \" is a quote itself.
/// Implied options are set: -cl-fast-relaxed-math also sets finiteMathOnly, and so on.
///
/// Fails with CL_INVALID_BUILD_OPTIONS, CL_INVALID_COMPILER_OPTIONS or CL_INVALID_LINKER_OPTIONS.
Result<compiler::Options> parseBuildOptions(std::string_view text, BuildStep step);

/// parseBuildOptions of `text` followed by the option QUERN_BUILD_OPTIONS, as far as that applies
/// to `step`.
Result<compiler::Options> parseWithConfiguredOptions(std::string_view text, BuildStep step);

/// The same for a program made from SPIR-V: what is not known is passed over, since tools pass
/// options for other drivers, and kernels may run as those of the newest OpenCL C may.
Result<compiler::Options> parseIlOptions(std::string_view text, BuildStep step);

/// A text that is equal for two options exactly when they ask the compiler for the same.
std::string canonicalText(const compiler::Options& options);

/// Whether kernels compiled so may run with work-groups that do not divide the NDRange (OpenCL 3.0,
/// 5.10 "Executing Kernels").
bool allowsNonUniformGroups(const compiler::Options& options);

/// The value of -cl-std, "CL2.0" for example; empty for LanguageStandard::Default.
std::string_view standardName(compiler::LanguageStandard standard);

} // namespace quern::runtime
