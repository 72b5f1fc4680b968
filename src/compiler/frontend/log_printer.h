#pragma once

#include <clang/Frontend/TextDiagnosticPrinter.h>

namespace quern::compiler {

/// Prints diagnostics into a build log of bounded length: after the first hundred warnings the
/// others are only counted. (Errors have a limit of their own, the option -ferror-limit.)
class LogPrinter : public clang::TextDiagnosticPrinter {
public:
  using TextDiagnosticPrinter::TextDiagnosticPrinter;

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& diagnostic) override;

private:
  bool isHidden_ = false; ///< the last diagnostic was not printed, so its notes are not either
  unsigned warnings_ = 0;
};

} // namespace quern::compiler
