#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "abi/program_image.h"
#include "base/bytes.h"
#include "base/result.h"
#include "compiler/interface/target.h"

namespace quern::runtime {

/// A program compiled for one target: what CL_PROGRAM_BINARIES returns, clCreateProgramWithBinary
/// takes and the program cache keeps. Immutable once shared.
struct ProgramBinary {
  enum class Kind : uint32_t { CompiledObject = 1, Library = 2, Executable = 3 };

  Kind kind = Kind::Executable;
  /// As the program gave them to the call that made this.
  std::string options;
  /// The language version and options allow work-groups that do not divide the NDRange
  /// (OpenCL 3.0, 5.10 "Executing Kernels").
  bool mayBeNonUniform = false;
  /// LLVM bitcode. In an executable only where a kernel has a rangeLimit, is of the baseline tier
  /// or is compiled on demand.
  Bytes ir;
  /// An executable whose code was made for another target: `ir` is all that it has.
  bool needsCode = false;
  /// Machine code and kernels of an executable, or kernels alone (isOnDemand).
  abi::ProgramImage image;
};

/// Whether an executable with this image needs the IR that it was made from.
bool needsIr(const abi::ProgramImage& image);
/// Whether an executable with this image has no code yet (compiler::Options::kernelsOnDemand).
bool isOnDemand(const abi::ProgramImage& image);

/// What a binary must have been made by and for to be usable here.
struct BinaryOrigin {
  /// CompilerLibrary::identity; empty where there is no compiler, which accepts the binaries of
  /// any.
  std::string compiler;
  /// What code depends on: description and features of the target in one text.
  std::string target;
  /// What IR depends on: the kind of processor and the features.
  std::string language;
};

BinaryOrigin originFor(const compiler::Target& target, const std::string& compilerIdentity);

/// Header with magic number, format version, length and checksum, then kind, origin and content.
Bytes encode(const ProgramBinary& binary, const BinaryOrigin& origin);

/// Reads what `encode` wrote. What was made for another target of the same language comes without
/// its code, where there are IR and a compiler. Fails with CL_INVALID_BINARY and the reason when
/// `bytes` is anything else, damaged, or of another origin than `expected`; never reads out of
/// bounds.
Result<ProgramBinary> decodeProgramBinary(std::span<const std::byte> bytes,
                                          const BinaryOrigin& expected);

} // namespace quern::runtime
