#include "compiler/il/bitcode.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/raw_ostream.h>

namespace quern::compiler {
namespace {

class LogHandler : public llvm::DiagnosticHandler {
public:
  explicit LogHandler(std::string& log) : log_(log) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo& diagnostic) override {
    if (diagnostic.getSeverity() != llvm::DS_Error && diagnostic.getSeverity() != llvm::DS_Warning)
      return true;
    log_ += diagnostic.getSeverity() == llvm::DS_Error ? "error: " : "warning: ";
    llvm::raw_string_ostream stream(log_);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    diagnostic.print(printer);
    stream << '\n';
    return true;
  }

private:
  std::string& log_;
};

} // namespace

void collectDiagnostics(llvm::LLVMContext& context, std::string& log) {
  context.setDiagnosticHandler(std::make_unique<LogHandler>(log), /*RespectFilters=*/true);
}

bool hasErrors(llvm::LLVMContext& context) {
  return context.getDiagHandlerPtr()->HasErrors;
}

Bytes writeBitcode(const llvm::Module& module) {
  llvm::SmallVector<char, 0> buffer;
  // Without the table of symbols, which only linkers of object files read.
  llvm::BitcodeWriter writer(buffer);
  writer.writeModule(module);
  writer.writeStrtab();
  const auto* bytes = reinterpret_cast<const std::byte*>(buffer.data());
  return Bytes(bytes, bytes + buffer.size());
}

std::unique_ptr<llvm::Module> readBitcode(std::span<const std::byte> bytes,
                                          llvm::LLVMContext& context) {
  const llvm::MemoryBufferRef buffer({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                                     "program");
  auto module = llvm::parseBitcodeFile(buffer, context);
  if (module)
    return std::move(*module);
  context.emitError("the program's intermediate code cannot be read: " +
                    llvm::toString(module.takeError()));
  return nullptr;
}

std::unique_ptr<llvm::Module> linkPrograms(std::span<const std::span<const std::byte>> programs,
                                           llvm::LLVMContext& context) {
  std::unique_ptr<llvm::Module> result;
  for (std::span<const std::byte> program : programs) {
    std::unique_ptr<llvm::Module> module = readBitcode(program, context);
    if (!module)
      return nullptr;
    if (!result)
      result = std::move(module);
    else if (llvm::Linker::linkModules(*result, std::move(module)))
      return nullptr;
  }
  return result;
}

} // namespace quern::compiler
