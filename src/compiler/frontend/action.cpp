#include "compiler/frontend/action.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclGroup.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

#include "compiler/program_limits.h"

namespace quern::compiler {
namespace {

/// Some twenty times the largest programs known.
constexpr uint64_t maxTokens = 2'000'000;

class RejectEmbed : public clang::PPCallbacks {
public:
  explicit RejectEmbed(clang::DiagnosticsEngine& diagnostics) : diagnostics_(diagnostics) {}

  void EmbedDirective(clang::SourceLocation place, llvm::StringRef, bool,
                      clang::OptionalFileEntryRef,
                      const clang::LexEmbedParametersResult&) override {
    reject(place);
  }
  bool EmbedFileNotFound(llvm::StringRef) override {
    reject({});
    return true;
  }

private:
  void reject(clang::SourceLocation place) {
    diagnostics_.Report(place, diagnostics_.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                                            "OpenCL C has no #embed"));
  }

  clang::DiagnosticsEngine& diagnostics_;
};

/// Macros that double at each level make a source of endless length from a few lines. After the
/// limit the parser is given nothing but ends of file, and leaves.
class TokenLimit {
public:
  explicit TokenLimit(clang::DiagnosticsEngine& diagnostics) : diagnostics_(diagnostics) {}

  void operator()(const clang::Token& token) {
    if (++count_ <= maxTokens)
      return;
    if (count_ == maxTokens + 1)
      diagnostics_.Report(
          token.getLocation(),
          diagnostics_.getCustomDiagID(clang::DiagnosticsEngine::Fatal,
                                       "the program has more than %0 tokens after preprocessing"))
          << std::to_string(maxTokens);
    // The watcher sees the token that the parser is about to get, which is not a constant object.
    const_cast<clang::Token&>(token).setKind(clang::tok::eof);
  }

private:
  clang::DiagnosticsEngine& diagnostics_;
  uint64_t count_ = 0;
};

/// Sees each declaration before code is made of it, and refuses those at which Clang or LLVM would
/// give up.
class FunctionCheck : public clang::ASTConsumer {
public:
  explicit FunctionCheck(clang::CompilerInstance& compiler)
      : compiler_(compiler), diagnostics_(compiler.getDiagnostics()) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (const clang::Decl* declaration : group)
      check(*declaration);
    return true;
  }

private:
  void check(const clang::Decl& declaration) {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declaration)) {
      checkConvention(*function);
      for (const clang::ParmVarDecl* parameter : function->parameters())
        checkSize(*function, *parameter);
    } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration)) {
      for (const clang::Decl* inner : llvm::cast<clang::DeclContext>(declaration).decls())
        check(*inner);
    }
  }

  /// Attributes like vectorcall take the calling convention of kernels from a kernel.
  void checkConvention(const clang::FunctionDecl& function) {
    const auto* type = function.getType()->getAs<clang::FunctionType>();
    if (function.hasAttr<clang::DeviceKernelAttr>() && type &&
        type->getCallConv() != clang::CC_DeviceKernel && !isDeclaredAsFunction(function, *type))
      report(function, "the kernel %0 has an attribute for functions that are called in another "
                       "way than kernels")
          << &function;
  }

  /// Whether an earlier declaration without `kernel` does so, which is mended (declared_kernels.h).
  bool isDeclaredAsFunction(const clang::FunctionDecl& kernel,
                            const clang::FunctionType& type) const {
    const clang::FunctionDecl* first = kernel.getFirstDecl();
    return !first->hasAttr<clang::DeviceKernelAttr>() &&
           !first->getType()->getAs<clang::AttributedType>() &&
           type.getCallConv() == compiler_.getASTContext().getDefaultCallingConvention(
                                     /*IsVariadic=*/false, /*IsCXXMethod=*/false);
  }

  void checkSize(const clang::FunctionDecl& function, const clang::ParmVarDecl& parameter) {
    const clang::QualType type = parameter.getType();
    if (type->isDependentType() || type->isIncompleteType() ||
        compiler_.getASTContext().getTypeSizeInChars(type).getQuantity() <=
            static_cast<int64_t>(maxArgumentBytes))
      return;
    report(parameter, "the parameter %0 of %1 has more than %2 bytes")
        << &parameter << &function << std::to_string(maxArgumentBytes);
  }

  template <size_t N>
  clang::DiagnosticBuilder report(const clang::Decl& place, const char (&text)[N]) {
    return diagnostics_.Report(place.getLocation(),
                               diagnostics_.getCustomDiagID(clang::DiagnosticsEngine::Error, text));
  }

  clang::CompilerInstance& compiler_;
  clang::DiagnosticsEngine& diagnostics_;
};

} // namespace

bool ProgramAction::BeginSourceFileAction(clang::CompilerInstance& compiler) {
  clang::Preprocessor& preprocessor = compiler.getPreprocessor();
  preprocessor.addPPCallbacks(std::make_unique<RejectEmbed>(compiler.getDiagnostics()));
  preprocessor.setTokenWatcher(TokenLimit(compiler.getDiagnostics()));
  return EmitLLVMOnlyAction::BeginSourceFileAction(compiler);
}

std::unique_ptr<clang::ASTConsumer>
ProgramAction::CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef file) {
  std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
  consumers.push_back(std::make_unique<FunctionCheck>(compiler));
  consumers.push_back(EmitLLVMOnlyAction::CreateASTConsumer(compiler, file));
  return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
}

} // namespace quern::compiler
