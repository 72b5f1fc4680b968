#include "runtime/compiler_library.h"

#include <cstdlib>

#include <cstdio>
#include <dlfcn.h>
#include <stdlib.h>

#include "base/config.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/path.h"
#include "base/sentence.h"
#include "runtime/isolated_compiler.h"
#include "runtime/library_identity.h"
#include "runtime/process.h"

namespace quern::runtime {

namespace {

constexpr const char* libraryName = "libquern-compiler.so";
constexpr const char* processName = "quern-compiler-process";
constexpr const char* entryName = "quernCompiler";

/// The shared library (or program) that this code is in.
std::string ownPath() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void*>(&CompilerLibrary::get), &info) || !info.dli_fname)
    return {};
  char* real = realpath(info.dli_fname, nullptr);
  const std::string path = real ? real : info.dli_fname;
  std::free(real);
  return path;
}

std::string libraryPath() {
  const std::string& configured = config().get(Option::CompilerLibrary);
  if (!configured.empty())
    return configured;
  return folderOf(ownPath()) + libraryName;
}

Status notAvailable(const std::string& text) {
  return Status::error(CL_COMPILER_NOT_AVAILABLE, "no compiler is available: " + text);
}

std::string lastLoaderError() {
  const char* text = dlerror();
  return text ? text : "unknown error of the dynamic loader";
}

} // namespace

CompilerLibrary& CompilerLibrary::get() {
  // Never destroyed: builds may run while static destructors do.
  static CompilerLibrary* instance = new CompilerLibrary();
  return *instance;
}

CompilerLibrary::CompilerLibrary()
    : path_(libraryPath()), processPath_(folderOf(path_) + processName),
      processIdentity_(libraryIdentity(processPath_)),
      identity_(libraryIdentity(path_) + processIdentity_),
      driverIdentity_(libraryIdentity(ownPath())) {}

std::string CompilerLibrary::buildIdentity() const {
  char digits[17];
  std::snprintf(digits, sizeof(digits), "%016llx",
                static_cast<unsigned long long>(contentHash(driverIdentity_ + identity_)));
  return digits;
}

Result<compiler::Compiler*> CompilerLibrary::compiler() {
  struct Outcome {
    compiler::Compiler* compiler = nullptr;
    std::string error;
  };
  // It is started once, and the outcome stays. Leaked like the instance.
  static const Outcome* outcome = [this] {
    Result<compiler::Compiler*> started = start();
    return started.ok() ? new Outcome{*started, {}}
                        : new Outcome{nullptr, started.status().sentence()};
  }();
  if (!outcome->compiler)
    return Status::error(CL_COMPILER_NOT_AVAILABLE, outcome->error);
  return outcome->compiler;
}

Status CompilerLibrary::checkUnchanged() const {
  if (libraryIdentity(processPath_) == processIdentity_)
    return {};
  return notAvailable(sentence("the compiler ", processPath_,
                               " has been replaced since the program began to use it, and may no "
                               "longer fit; the program must be started again"));
}

Result<compiler::Compiler*> CompilerLibrary::start() const {
  if (!config().isOn(Option::CompilerProcess))
    return load();
  CompilerProcesses& processes = Process::current().compilers();
  auto process = processes.take();
  if (process.ok()) {
    processes.giveBack(*std::move(process));
    // Never destroyed, as processes are used until the program ends.
    static auto& isolated = *new IsolatedCompiler();
    return &isolated;
  }
  if (process.status().code() == CL_COMPILER_NOT_AVAILABLE)
    return process.takeStatus();
  log::warning(sentence(process.status().sentence(), "; the program compiles by itself"));
  return load();
}

Result<compiler::Compiler*> CompilerLibrary::load() const {
  void* library = dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library)
    return notAvailable(lastLoaderError());
  const auto entry = reinterpret_cast<decltype(&quernCompiler)>(dlsym(library, entryName));
  if (!entry)
    return notAvailable(sentence(path_, " has no function ", entryName));
  compiler::Compiler* compiler = entry(compiler::interfaceVersion);
  if (!compiler)
    return notAvailable(sentence(path_, " does not offer version ", compiler::interfaceVersion,
                                 " of the compiler interface"));
  return compiler;
}

} // namespace quern::runtime
