#include "compiler/frontend/log_printer.h"

namespace quern::compiler {
namespace {

constexpr unsigned maxWarnings = 100;

} // namespace

void LogPrinter::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                  const clang::Diagnostic& diagnostic) {
  if (level == clang::DiagnosticsEngine::Warning)
    isHidden_ = ++warnings_ > maxWarnings;
  else if (level >= clang::DiagnosticsEngine::Error)
    isHidden_ = false;
  if (isHidden_)
    // The printer is passed over: counted, but not printed.
    // NOLINTNEXTLINE(bugprone-parent-virtual-call)
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
  else
    TextDiagnosticPrinter::HandleDiagnostic(level, diagnostic);
}

} // namespace quern::compiler
