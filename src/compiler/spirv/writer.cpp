#include "compiler/spirv/writer.h"

#include <array>
#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

#include <CL/cl.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>

#include "compiler/il/bitcode.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

Status failure(const std::string& text) {
  return Status::error(CL_BUILD_PROGRAM_FAILURE,
                       "LLVM's back end for SPIR-V cannot write the program: " + text);
}

/// LLVM's back end makes the query of SPIR-V of get_image_channel_data_type, which counts types
/// from 0 on, and leaves it at that.
void countChannelDataTypes(llvm::Module& program) {
  for (llvm::Function& function : program) {
    if (!function.isDeclaration() ||
        !function.getName().starts_with("_Z27get_image_channel_data_type"))
      continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users()))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) {
        llvm::IRBuilder<> builder(call->getNextNode());
        auto* type = llvm::cast<llvm::Instruction>(
            builder.CreateAdd(call, llvm::ConstantInt::get(call->getType(), CL_SNORM_INT8)));
        call->replaceUsesWithIf(type,
                                [type](const llvm::Use& use) { return use.getUser() != type; });
      }
  }
}

/// From memory_scope to 3.27 "Scope".
std::optional<uint32_t> scopeOf(uint64_t scope) {
  constexpr uint32_t scopes[] = {/*Invocation*/ 4, /*Workgroup*/ 2, /*Device*/ 1, /*CrossDevice*/ 0,
                                 /*Subgroup*/ 3};
  return scope < std::size(scopes) ? std::optional(scopes[scope]) : std::nullopt;
}

/// From memory_order to 3.25 "Memory Semantics".
uint32_t semanticsOf(uint64_t order) {
  constexpr uint64_t acquire = 2, total = 5;
  return order == total ? 0x10 : order == acquire ? 0x2 : 0;
}

/// LLVM's back end takes the order of atomic_load_explicit for the scope of OpAtomicLoad, and the
/// scope for its semantics.
void placeScopesOfLoads(llvm::Module& program) {
  constexpr llvm::StringLiteral scopeParameter = "12memory_scope";
  constexpr uint64_t deviceScope = 2;
  for (llvm::Function& function : llvm::make_early_inc_range(program)) {
    const llvm::StringRef name = function.getName();
    if (!function.isDeclaration() || !name.starts_with("_Z20atomic_load_explicit"))
      continue;
    const std::string withScope =
        name.ends_with(scopeParameter) ? name.str() : (name + scopeParameter).str();
    llvm::Type* number = llvm::Type::getInt32Ty(program.getContext());
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      const auto constantOr = [&](unsigned index, uint64_t otherwise) -> std::optional<uint64_t> {
        if (index >= call->arg_size())
          return otherwise;
        const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(index));
        return constant ? std::optional(constant->getZExtValue()) : std::nullopt;
      };
      if (!call)
        continue;
      const std::optional<uint64_t> order = constantOr(1, 0), scope = constantOr(2, deviceScope);
      if (!order || !scope || !scopeOf(*scope))
        continue;
      llvm::IRBuilder<> builder(call);
      llvm::FunctionCallee callee = program.getOrInsertFunction(
          withScope,
          llvm::FunctionType::get(call->getType(),
                                  {call->getArgOperand(0)->getType(), number, number}, false));
      llvm::CallInst* placed =
          builder.CreateCall(callee, {call->getArgOperand(0), builder.getInt32(*scopeOf(*scope)),
                                      builder.getInt32(semanticsOf(*order))});
      placed->setCallingConv(call->getCallingConv());
      call->replaceAllUsesWith(placed);
      call->eraseFromParent();
    }
  }
}

bool isNullEvent(const llvm::Value* value) {
  const auto* type = llvm::dyn_cast<llvm::TargetExtType>(value->getType());
  return type && type->getName() == "spirv.Event" && llvm::isa<llvm::Constant>(value) &&
         llvm::cast<llvm::Constant>(value)->isNullValue();
}

/// LLVM's back end writes an OpConstantNull with too many words where a function has the null event
/// more than once: there it is loaded from a variable.
void loadNullEvents(llvm::Module& program) {
  for (llvm::Function& function : program) {
    llvm::SmallVector<llvm::Use*> uses;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      for (llvm::Use& use : instruction.operands())
        if (isNullEvent(use))
          uses.push_back(&use);
    if (uses.size() < 2)
      continue;
    llvm::Value* null = *uses.front();
    llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
    llvm::AllocaInst* variable = builder.CreateAlloca(null->getType());
    builder.CreateStore(null, variable);
    llvm::Value* loaded = builder.CreateLoad(null->getType(), variable);
    for (llvm::Use* use : uses)
      use->set(loaded);
  }
}

/// LLVM's back end gives OpenCL.std's printf a pointer to char, as it must have, for this name
/// only.
void manglePrintf(llvm::Module& program) {
  if (llvm::Function* function = program.getFunction(names::printf);
      function && function->isDeclaration())
    function->setName("_Z6printfPU3AS2Kcz");
}

/// LLVM's back end takes `any` and `all`, which read the highest bits of whole numbers, for OpAny
/// and OpAll, which read Booleans.
void readHighestBits(llvm::Module& program) {
  for (llvm::Function& function : llvm::make_early_inc_range(program)) {
    const bool isAny = function.getName().starts_with("_Z3any");
    if (!function.isDeclaration() || (!isAny && !function.getName().starts_with("_Z3all")) ||
        function.arg_size() != 1 || !function.getArg(0)->getType()->isIntOrIntVectorTy())
      continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call)
        continue;
      llvm::IRBuilder<> builder(call);
      llvm::Value* bits = call->getArgOperand(0);
      if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(bits->getType())) {
        llvm::Value* numbers = bits;
        bits = builder.CreateExtractElement(numbers, uint64_t{0});
        for (unsigned k = 1; k < vector->getNumElements(); ++k) {
          llvm::Value* number = builder.CreateExtractElement(numbers, k);
          bits = isAny ? builder.CreateOr(bits, number) : builder.CreateAnd(bits, number);
        }
      }
      call->replaceAllUsesWith(builder.CreateZExt(
          builder.CreateICmpSLT(bits, llvm::Constant::getNullValue(bits->getType())),
          call->getType()));
      call->eraseFromParent();
    }
    if (function.use_empty())
      function.eraseFromParent();
  }
}

/// `constant` with null in the place of null that was cast to another address space: in all of them
/// it is the same.
llvm::Constant* withPlainNulls(llvm::Constant* constant) {
  if (const auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(constant);
      cast && cast->getOpcode() == llvm::Instruction::AddrSpaceCast)
    return cast->getOperand(0)->isNullValue() ? llvm::Constant::getNullValue(cast->getType())
                                              : constant;
  if (!llvm::isa<llvm::ConstantAggregate>(constant))
    return constant;
  llvm::SmallVector<llvm::Constant*> members;
  for (llvm::Use& member : constant->operands())
    members.push_back(withPlainNulls(llvm::cast<llvm::Constant>(member)));
  if (auto* type = llvm::dyn_cast<llvm::StructType>(constant->getType()))
    return llvm::ConstantStruct::get(type, members);
  if (auto* type = llvm::dyn_cast<llvm::ArrayType>(constant->getType()))
    return llvm::ConstantArray::get(type, members);
  return llvm::ConstantVector::get(members);
}

/// LLVM's back end writes such a cast in an initializer as an integer.
void uncastNulls(llvm::Module& program) {
  for (llvm::GlobalVariable& variable : program.globals())
    if (variable.hasInitializer())
      variable.setInitializer(withPlainNulls(variable.getInitializer()));
}

Result<Bytes> emit(llvm::Module& program) {
  manglePrintf(program);
  uncastNulls(program);
  readHighestBits(program);
  countChannelDataTypes(program);
  loadNullEvents(program);
  placeScopesOfLoads(program);
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
