#include "compiler/il/bitcode.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
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

llvm::MemoryBufferRef bufferOf(std::span<const std::byte> bytes) {
  return {{reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "program"};
}

std::unique_ptr<llvm::Module> moduleOr(llvm::Expected<std::unique_ptr<llvm::Module>> module,
                                       llvm::LLVMContext& context) {
  if (module)
    return std::move(*module);
  context.emitError("the program's intermediate code cannot be read: " +
                    llvm::toString(module.takeError()));
  return nullptr;
}

/// Reads the bodies of functions as others, or variables, are found to name them.
class Reachable {
public:
  llvm::Error read(llvm::Function& function) {
    add(function);
    return readAdded();
  }
  llvm::Error readNamedBy(const llvm::User& user) {
    addOperands(user);
    return readAdded();
  }

private:
  llvm::Error readAdded() {
    while (!unread_.empty()) {
      llvm::Function& function = *unread_.pop_back_val();
      if (llvm::Error error = function.materialize())
        return error;
      addOperands(function);
      for (const llvm::Instruction& instruction : llvm::instructions(function))
        addOperands(instruction);
    }
    return llvm::Error::success();
  }

  void addOperands(const llvm::User& user) {
    for (const llvm::Use& operand : user.operands())
      if (auto* constant = llvm::dyn_cast<llvm::Constant>(operand.get()))
        add(*constant);
  }

  void add(llvm::Constant& constant) {
    if (!seen_.insert(&constant).second)
      return;
    if (auto* function = llvm::dyn_cast<llvm::Function>(&constant))
      unread_.push_back(function);
    else
      addOperands(constant);
  }

  llvm::DenseSet<const llvm::Constant*> seen_;
  llvm::SmallVector<llvm::Function*> unread_;
};

llvm::Error keepReachable(llvm::Module& module, llvm::StringRef kernel) {
  Reachable reachable;
  if (llvm::Function* function = module.getFunction(kernel))
    if (llvm::Error error = reachable.read(*function))
      return error;
  for (const llvm::GlobalVariable& variable : module.globals())
    if (llvm::Error error = reachable.readNamedBy(variable))
      return error;
  llvm::SmallVector<llvm::Function*> others;
  for (llvm::Function& function : module)
    if (function.isMaterializable()) {
      function.deleteBody();
      others.push_back(&function);
    }
  if (llvm::Error error = module.materializeAll())
    return error;
  for (llvm::Function* function : others)
    if (function->use_empty())
      function->eraseFromParent();
  return llvm::Error::success();
}

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
  return moduleOr(llvm::parseBitcodeFile(bufferOf(bytes), context), context);
}

std::unique_ptr<llvm::Module> readKernelBitcode(std::span<const std::byte> bytes,
                                                llvm::StringRef kernel,
                                                llvm::LLVMContext& context) {
  std::unique_ptr<llvm::Module> module =
      moduleOr(llvm::getLazyBitcodeModule(bufferOf(bytes), context), context);
  if (!module)
    return nullptr;
  if (llvm::Error error = keepReachable(*module, kernel))
    return moduleOr(std::move(error), context);
  return module;
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
