#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "abi/program_image.h"
#include "base/bytes.h"
#include "compiler/interface/target.h"

/// The compiler as the rest of Quern sees it: no LLVM type appears here. One function leads to it,
/// `quernCompiler`, of the process that the runtime starts when something must be compiled, and of
/// libquern-compiler.so, which it loads where it starts none.
namespace quern::compiler {

/// Raised with every change of this header, of abi/ or of the meaning of a field.
inline constexpr uint32_t interfaceVersion = 21;

enum class LanguageStandard : uint8_t {
  Default,
  CL10,
  CL11,
  CL12,
  CL20,
  CL30,
  CL31,
  CLCpp10,
  CLCpp2021
};

/// Build options after parsing (runtime/build_options.h). Fields of the same names as the
/// specification's options.
struct Options {
  LanguageStandard standard = LanguageStandard::Default; ///< Default: OpenCL C 1.2
  std::vector<std::pair<std::string, std::string>>
      defines; ///< -D name=value; value "1" where none was given
  /// -I, in order. Outside these folders, folders that a define names, and the working directory,
  /// only sources and headers exist for `#include`, whatever path it names.
  std::vector<std::string> includeFolders;
  bool optDisable = false;
  bool singlePrecisionConstant = false;
  bool denormsAreZero = false;
  bool correctlyRoundedDivideSqrt = false;
  bool madEnable = false;
  bool noSignedZeros = false;
  bool unsafeMathOptimizations = false;
  bool finiteMathOnly = false;
  bool fastRelaxedMath = false;
  bool uniformWorkGroupSize = false;
  bool noSubgroupIfp = false;
  bool strictAliasing = false;
  bool kernelArgInfo = false;
  bool disableWarnings = false; ///< -w
  bool warningsAreErrors = false;
  bool debugInfo = false; ///< -g
  // Link only.
  bool createLibrary = false;
  bool enableLinkOptions = false;
  // Compiler::generate only; no option of the specification.
  /// Code that runs NDRanges of any size. Without it kernels may have a
  /// KernelDescription::rangeLimit, because that code is faster and rarely needs another.
  bool anyRange = false;
  /// Code that is made quickly and may be several times slower, where better code can be made later
  /// (KernelDescription::isFirstVersion).
  bool firstVersion = false;
  /// Of the baseline tier only the descriptions where there are several kernels, and the errors of
  /// the program: the code of each kernel that is needed is generated alone (onlyKernel).
  bool kernelsOnDemand = false;
  /// Instructions know the lines that they come from, as with -g: reports of checks name them.
  bool lines = false;
  std::string onlyKernel; ///< generate code for this kernel alone; empty: for all
  abi::LaunchFacts facts; ///< of all launches that the code will run
};

/// A header given by clCompileProgram, found by `#include` under `name` (which may contain
/// slashes).
struct Header {
  std::string name;
  std::string text;
};

/// What clSetProgramSpecializationConstant set: the bytes of a number, or one that is not 0 for
/// true.
struct SpecializationValue {
  uint32_t specId = 0;
  Bytes value;
};

/// A file on disk that an #include opened.
struct Dependency {
  std::string path;
  uint64_t contentHash; ///< as hashed by base/hash.h
};

/// Where the stages of a compile are written for inspection; an empty folder means nowhere.
struct DumpRequest {
  std::string folder;
  std::string prefix; ///< start of every file name, unique to the program
};

/// Outcome of a compiler step. `ok` false means a user error that `log` explains, one diagnostic a
/// line with file, line and column; the log may hold warnings on success.
struct Compiled {
  bool ok = false;
  std::string log;
  Bytes ir; ///< LLVM bitcode of the program, for the target that it was compiled for
  std::vector<Dependency> dependencies;
};

struct Generated {
  bool ok = false;
  std::string log;
  abi::ProgramImage image; ///< without code where Options::kernelsOnDemand holds and could be kept
};

/// What ends a compile, and with it the process that it runs in.
struct Failure {
  enum class Kind : uint8_t {
    FatalError,  ///< LLVM gave up
    OutOfMemory, ///< the system, or a limit of the process, gave no more
    Signal,
  };
  Kind kind;
  int signal = 0;            ///< of Signal
  std::string_view reason;   ///< of FatalError, in LLVM's words
  std::string_view activity; ///< what was being done, a line each, the whole first; may be empty
};

/// Must not return.
using FailureHandler = void (*)(const Failure& failure);

/// Thread-safe: any number of compiles may run at the same time. No call throws. A fatal error of
/// LLVM ends the process.
class Compiler {
public:
  /// OpenCL C source to IR, before any optimisation. -cl-* options that change the meaning of the
  /// code end up in the IR.
  virtual Compiled compile(std::string_view source, std::span<const Header> headers,
                           const Options& options, const Target& target,
                           const DumpRequest& dump) = 0;

  /// A SPIR-V module to the same.
  virtual Compiled compileIl(std::span<const std::byte> il,
                             std::span<const SpecializationValue> constants, const Options& options,
                             const Target& target, const DumpRequest& dump) = 0;

  /// Links programs compiled for `target` into one. With options.createLibrary unresolved functions
  /// may remain.
  virtual Compiled link(std::span<const std::span<const std::byte>> programs,
                        const Options& options, const Target& target) = 0;

  /// IR of a linked program to machine code and kernel descriptions. Fails where a function is
  /// called that exists nowhere.
  virtual Generated generate(std::span<const std::byte> ir, const Options& options,
                             const Target& target, const DumpRequest& dump) = 0;

  /// What the offline compiler prints: "llvm" (IR after `step`, or the final IR where empty),
  /// "asm", "spirv" (a module that means the program), or "report" (a line for each region of each
  /// kernel: how it runs several work-items at once, or why it does not).
  virtual Result<std::string> print(std::span<const std::byte> ir, const Options& options,
                                    const Target& target, std::string_view form,
                                    std::string_view step) = 0;

  /// Names of the steps from IR to machine code for `target`, in order.
  virtual std::vector<std::string> steps(const Target& target) const = 0;

  /// For a process that does nothing but compile, on the thread that does it: from now on what ends
  /// the process is first told to `handler`, on the thread where it happens. Takes over the signals
  /// of faulty code and SIGALRM.
  virtual void onFailure(FailureHandler handler) = 0;

protected:
  ~Compiler() = default;
};

} // namespace quern::compiler

extern "C" {
/// Returns the one compiler of the process, which is never destroyed, or null when `version` is not
/// its interfaceVersion.
quern::compiler::Compiler* quernCompiler(uint32_t version);
}
