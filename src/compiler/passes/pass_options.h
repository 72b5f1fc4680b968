#pragma once

#include <llvm/ADT/StringRef.h>

#include "base/result.h"
#include "compiler/passes/settings.h"

namespace quern::compiler {

/// `settings` with what `text` says, the options of the pass `pass` in the text of a pipeline:
/// words that ';' separates, of the names that `allowed` lists.
///
/// | option | what it sets |
/// |---|---|
/// | argument=2:1000 | that the third argument of the kernel is 1000; may be given several times |
/// | baseline | PassSettings::isBaseline |
/// | kernel=NAME | PassSettings::onlyKernel |
/// | least | PassSettings::inlinesLeast |
/// | local-size=8x4x1 | LaunchFacts::localSize |
/// | most-columns=N | LaunchFacts::mostColumns |
/// | packets=auto, off, all or 8 | PassSettings::packets |
/// | stored-bytes=N | LaunchFacts::storedBytes |
/// | sub-group-size=N | PassSettings::subGroupSize |
/// | whole-groups | LaunchFacts::wholeGroups |
/// | zero-offset | LaunchFacts::zeroOffset |
Result<PassSettings> withOptions(const PassSettings& settings, llvm::StringRef pass,
                                 llvm::StringRef allowed, llvm::StringRef text);

/// Adds "2:1000", that the third argument is 1000. False where `text` is not so, or there is no
/// room.
bool readArgument(llvm::StringRef text, abi::KnownArguments& known);

} // namespace quern::compiler
