#pragma once

#include <string>

#include "base/result.h"
#include "compiler/interface/compiler.h"

namespace quern::runtime {

/// The compiler: a library, libquern-compiler.so, and beside it a program that contains the same.
/// They lie beside libquern.so, or where the option QUERN_COMPILER says that the library is. The
/// program is started as a process of its own (CompilerProcess) when something must be compiled, or
/// will be soon (CompilerProcesses::prepare). With QUERN_COMPILER_PROCESS off, or where no process
/// can be started, the library is opened in this one, and stays until that ends.
class CompilerLibrary {
public:
  static CompilerLibrary& get();

  /// The compiler; starts it on the first call. Fails with CL_COMPILER_NOT_AVAILABLE when the
  /// library cannot be loaded or is of another version. Thread-safe.
  Result<compiler::Compiler*> compiler();

  /// Tells this build of the compiler from every other, without loading it: the identifications
  /// that the linker puts into its two files, or what the file system knows of them where those are
  /// missing. Empty when there is neither file.
  const std::string& identity() const { return identity_; }

  /// The same for the driver itself, which loads the code that the compiler makes.
  const std::string& driverIdentity() const { return driverIdentity_; }

  /// Tells this build of driver and compiler from every other: 16 hexadecimal digits.
  std::string buildIdentity() const;

  /// Fails with CL_COMPILER_NOT_AVAILABLE where the file of the process is no longer the one that
  /// it was, as after an upgrade while the program runs: it may say and make what this driver does
  /// not understand.
  Status checkUnchanged() const;

  /// Of the file that CompilerProcess::start takes.
  const std::string& processPath() const { return processPath_; }

private:
  CompilerLibrary();
  Result<compiler::Compiler*> start() const;
  Result<compiler::Compiler*> load() const;

  const std::string path_;
  const std::string processPath_;
  const std::string processIdentity_;
  const std::string identity_;
  const std::string driverIdentity_;
};

} // namespace quern::runtime
