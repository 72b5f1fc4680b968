#include "compiler/frontend/action.h"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

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

} // namespace

bool ProgramAction::BeginSourceFileAction(clang::CompilerInstance& compiler) {
  clang::Preprocessor& preprocessor = compiler.getPreprocessor();
  preprocessor.addPPCallbacks(std::make_unique<RejectEmbed>(compiler.getDiagnostics()));
  preprocessor.setTokenWatcher(TokenLimit(compiler.getDiagnostics()));
  return EmitLLVMOnlyAction::BeginSourceFileAction(compiler);
}

} // namespace quern::compiler
