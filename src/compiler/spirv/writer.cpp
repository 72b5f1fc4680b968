#include "compiler/spirv/writer.h"

#include <array>
#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>

#include "compiler/il/bitcode.h"
#include "compiler/spirv/rewording.h"

namespace quern::compiler {
namespace {

Status failure(const std::string& text) {
  return Status::error(CL_BUILD_PROGRAM_FAILURE,
                       "LLVM's back end for SPIR-V cannot write the program: " + text);
}

Result<Bytes> emit(llvm::Module& program) {
  reword(program);
  const llvm::Triple triple("spirv64-unknown-unknown");
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return failure(error);
  const std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, "", "", llvm::TargetOptions(), std::nullopt, std::nullopt,
                                  llvm::CodeGenOptLevel::Less));
  program.setTargetTriple(triple);
  program.setDataLayout(machine->createDataLayout());
  llvm::SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    return failure("it writes no modules");
  std::string log;
  collectDiagnostics(program.getContext(), log);
  passes.run(program);
  if (hasErrors(program.getContext()))
    return failure(log);
  const auto bytes = std::as_bytes(std::span(buffer.data(), buffer.size()));
  return Bytes(bytes.begin(), bytes.end());
}

/// The ends of a pipe, closed at the end.
struct Pipe {
  Pipe() { isOpen = pipe(ends.data()) == 0; }
  ~Pipe() {
    closeEnd(0);
    closeEnd(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void closeEnd(size_t which) {
    if (isOpen && ends[which] >= 0)
      close(std::exchange(ends[which], -1));
  }

  std::array<int, 2> ends = {-1, -1};
  bool isOpen = false;
};

void writeAll(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written <= 0)
      return;
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
}

Bytes readAll(int file) {
  Bytes bytes;
  std::array<std::byte, 4096> part;
  for (ssize_t count = 0; (count = read(file, part.data(), part.size())) > 0;)
    bytes.insert(bytes.end(), part.begin(), part.begin() + count);
  return bytes;
}

enum Outcome : int { Written = 0, Failed = 1 };

/// In a child process: sends the module, or the reason why there is none.
[[noreturn]] void emitInto(int file, llvm::Module& program) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGALRM})
    std::signal(signal, SIG_DFL);
  llvm::remove_fatal_error_handler();
  llvm::install_fatal_error_handler(
      [](void* data, const char* reason, bool) {
        writeAll(*static_cast<int*>(data), std::as_bytes(std::span(std::string_view(reason))));
        _exit(Failed);
      },
      &file);
  const Result<Bytes> il = emit(program);
  if (!il.ok())
    writeAll(file, std::as_bytes(std::span(std::string_view(il.status().sentence()))));
  else
    writeAll(file, il.value());
  _exit(il.ok() ? Written : Failed);
}

} // namespace

Result<Bytes> writeSpirv(llvm::Module& program) {
  Pipe pipe;
  const pid_t child = pipe.isOpen ? fork() : -1;
  if (child < 0)
    return failure("no process can be started");
  if (child == 0)
    emitInto(pipe.ends[1], program);
  pipe.closeEnd(1);
  Bytes bytes = readAll(pipe.ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status))
    return failure("it ended with a signal");
  if (WEXITSTATUS(status) != Written)
    return failure({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  return bytes;
}

} // namespace quern::compiler
