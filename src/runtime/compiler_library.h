#pragma once

#include <string>

#include "base/result.h"
#include "compiler/interface/compiler.h"

namespace quern::runtime {

/// The library libquern-compiler.so: beside libquern.so, or where the option QUERN_COMPILER says.
/// A process of its own (CompilerProcess), whose file lies beside it, opens it when something must
/// be compiled and never before. With QUERN_COMPILER_PROCESS off, or where no process can be
/// started, it is opened in this one, and stays until that ends.
class CompilerLibrary {
public:
  static CompilerLibrary& get();

  /// The compiler; starts it on the first call. Fails with CL_COMPILER_NOT_AVAILABLE when the
  /// library cannot be loaded or is of another version. Thread-safe.
  Result<compiler::Compiler*> compiler();

  /// Tells this build of the library from every other, without loading it: the identification that
  /// the linker puts into the file, or what the file system knows of it where that is missing.
  /// Empty when there is no library.
  const std::string& identity() const { return identity_; }

  /// The same for the driver itself, which loads the code that the compiler makes.
  const std::string& driverIdentity() const { return driverIdentity_; }

  /// Tells this build of driver and compiler from every other: 16 hexadecimal digits.
  std::string buildIdentity() const;

  /// Fails with CL_COMPILER_NOT_AVAILABLE where the file is no longer that of `identity`, as after
  /// an upgrade while the program runs: it may say and make what this driver does not understand.
  Status checkUnchanged() const;

  const std::string& path() const { return path_; }
  /// Of the file that CompilerProcess::start takes.
  std::string processPath() const;

private:
  CompilerLibrary();
  Result<compiler::Compiler*> start() const;
  Result<compiler::Compiler*> load() const;

  const std::string path_;
  const std::string identity_;
  const std::string driverIdentity_;
};

} // namespace quern::runtime
