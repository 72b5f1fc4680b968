#include "compiler/frontend/arguments.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <clang/Basic/OpenCLOptions.h>

#include "base/sentence.h"

namespace quern::compiler {
namespace {

struct ClangExtension {
  std::string_view name;
  unsigned available; ///< from this version of OpenCL C on
  bool isCore;        ///< part of the language in some version
};

constexpr auto clangExtensions = [] {
  using namespace clang; // for the versions that the list names
  return std::to_array<ClangExtension>({
#define OPENCL_GENERIC_EXTENSION(name, withPragma, available, core, optional)                      \
  {#name, available, core != 0},
#include "clang/Basic/OpenCLExtensions.def"
  });
}();

/// Null for what Clang does not know.
const ClangExtension* clangExtension(std::string_view feature) {
  const auto found = std::ranges::find(clangExtensions, feature, &ClangExtension::name);
  return found == clangExtensions.end() ? nullptr : found;
}

bool isBefore2(LanguageStandard standard) {
  return standard == LanguageStandard::CL10 || standard == LanguageStandard::CL11 ||
         standard == LanguageStandard::CL12 || standard == LanguageStandard::Default;
}

/// Whether the macro `feature` must be defined although Clang does not do so. Clang ties extensions
/// with functions of their own to OpenCL C 2.0, although nothing in them needs it; before, it
/// leaves their macros undefined. Features are no extensions: those of the language itself have
/// macros from OpenCL C 3.0 on, and what those of cl_ext_float_atomics name is not there
/// before 2.0.
bool lacksMacro(std::string_view feature, const ClangExtension* known, LanguageStandard standard) {
  constexpr unsigned version2 = 200;
  const bool isFeature = feature.starts_with("__opencl_c_");
  if (known)
    return !isFeature && isBefore2(standard) && known->available == version2 && !known->isCore;
  return !isFeature || standard == LanguageStandard::CL30 || standard == LanguageStandard::CL31 ||
         standard == LanguageStandard::CLCpp2021;
}

bool offers(const Target& target, std::string_view feature) {
  return std::ranges::find(target.features, feature) != target.features.end();
}

/// Clang 22 ends at OpenCL C 3.0, of which 3.1 is a superset without new syntax.
const char* standardName(LanguageStandard standard) {
  switch (standard) {
  case LanguageStandard::CL10:
    return "CL1.0";
  case LanguageStandard::CL11:
    return "CL1.1";
  case LanguageStandard::Default:
  case LanguageStandard::CL12:
    return "CL1.2";
  case LanguageStandard::CL20:
    return "CL2.0";
  case LanguageStandard::CL30:
  case LanguageStandard::CL31:
    return "CL3.0";
  case LanguageStandard::CLCpp10:
    return "CLC++1.0";
  case LanguageStandard::CLCpp2021:
    return "CLC++2021";
  }
  return "CL1.2";
}

bool isCpp(LanguageStandard standard) {
  return standard == LanguageStandard::CLCpp10 || standard == LanguageStandard::CLCpp2021;
}

void addFeatures(std::vector<std::string>& arguments, LanguageStandard standard,
                 const Target& target) {
  std::string extensions = "-cl-ext=-all";
  for (const std::string& feature : target.features) {
    const ClangExtension* known = clangExtension(feature);
    if (known)
      extensions += ",+" + feature;
    if (lacksMacro(feature, known, standard))
      arguments.push_back("-D" + feature + "=1");
  }
  arguments.push_back(extensions);
  // The virtual target that programs are compiled for announces images and itself; neither is true
  // of the device.
  for (const char* macro : {"__SPIR__", "__SPIR", "__SPIR64__", "__SPIR64"})
    arguments.push_back(std::string("-U") + macro);
  if (!offers(target, "__opencl_c_images"))
    arguments.push_back("-U__IMAGE_SUPPORT__");
}

/// NVIDIA's own compilers round a product and a sum together wherever no pragma forbids it, and
/// programs are tuned for that.
bool contractsFreely(const Options& options, const Target& target) {
  return options.unsafeMathOptimizations || options.fastRelaxedMath || options.madEnable ||
         target.description.starts_with("nvptx64");
}

void addMathOptions(std::vector<std::string>& arguments, const Options& options,
                    const Target& target) {
  const auto addIf = [&](bool condition, const char* argument) {
    if (condition)
      arguments.push_back(argument);
  };
  addIf(options.singlePrecisionConstant, "-cl-single-precision-constant");
  addIf(options.madEnable, "-cl-mad-enable");
  addIf(options.noSignedZeros, "-cl-no-signed-zeros");
  addIf(options.unsafeMathOptimizations, "-cl-unsafe-math-optimizations");
  addIf(options.finiteMathOnly, "-cl-finite-math-only");
  // By itself the option changes no instruction in Clang.
  addIf(options.finiteMathOnly, "-menable-no-infs");
  addIf(options.finiteMathOnly, "-menable-no-nans");
  addIf(options.fastRelaxedMath, "-cl-fast-relaxed-math");
  addIf(options.correctlyRoundedDivideSqrt, "-cl-fp32-correctly-rounded-divide-sqrt");
  // Only the driver, not the front end, knows -cl-denorms-are-zero.
  addIf(options.denormsAreZero, "-fdenormal-fp-math-f32=preserve-sign");
  arguments.push_back(contractsFreely(options, target) ? "-ffp-contract=fast-honor-pragmas"
                                                       : "-ffp-contract=on");
}

/// What Clang only warned of when most OpenCL programs were written, as compilers of other vendors
/// do: clFFT assigns pointers to float2 to pointers to float4, ufo-filters compares 0 < y <= 3.
void addOldWarnings(std::vector<std::string>& arguments) {
  for (const char* warning : {"incompatible-pointer-types", "incompatible-function-pointer-types",
                              "int-conversion", "implicit-int", "return-mismatch", "parentheses"})
    arguments.push_back(std::string("-Wno-error=") + warning);
}

} // namespace

std::vector<std::string> frontendArguments(const Options& options, const Target& target) {
  std::vector<std::string> arguments = {"-triple",
                                        "spir64-unknown-unknown",
                                        "-emit-llvm-bc",
                                        "-O2",
                                        "-disable-llvm-passes",
                                        "-x",
                                        "cl",
                                        std::string("-cl-std=") + standardName(options.standard),
                                        "-fdeclare-opencl-builtins",
                                        "-finclude-default-header",
                                        "-internal-isystem",
                                        ownHeaderFolder,
                                        "-include",
                                        "quern-opencl-extra.h"};
  // A broken program gets a log that can be read, soon.
  arguments.insert(arguments.end(), {"-ferror-limit", "20"});
  if (options.standard == LanguageStandard::CL31)
    arguments.insert(arguments.end(), {"-U__OPENCL_C_VERSION__", "-D__OPENCL_C_VERSION__=310"});
  if (options.kernelArgInfo)
    arguments.push_back("-cl-kernel-arg-info");
  // C99's inline functions would be left without a definition; OpenCL programs expect theirs to be
  // emitted.
  if (!isCpp(options.standard))
    arguments.push_back("-fgnu89-inline");
  addFeatures(arguments, options.standard, target);
  addMathOptions(arguments, options, target);
  if (options.uniformWorkGroupSize)
    arguments.push_back("-cl-uniform-work-group-size");
  if (!options.strictAliasing)
    arguments.push_back("-relaxed-aliasing");
  if (options.disableWarnings)
    arguments.push_back("-w");
  if (options.warningsAreErrors)
    arguments.push_back("-Werror");
  else
    addOldWarnings(arguments);
  if (options.debugInfo || options.lines)
    arguments.insert(arguments.end(), {"-debug-info-kind=line-tables-only", "-dwarf-version=4",
                                       "-debugger-tuning=gdb", "-fdebug-compilation-dir=."});
  for (const auto& [name, value] : options.defines)
    arguments.push_back(sentence("-D", name, "=", value));
  arguments.insert(arguments.end(), {"-I", programHeaderFolder});
  // A source has no folder of its own; "name" is looked for in the working directory instead, after
  // the headers that the program gave.
  arguments.insert(arguments.end(), {"-iquote", programHeaderFolder, "-iquote", "."});
  for (const std::string& folder : options.includeFolders)
    arguments.insert(arguments.end(), {"-I", folder});
  return arguments;
}

} // namespace quern::compiler
