#include "compiler/passes/pass_options.h"

#include <array>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>

#include "base/sentence.h"

namespace quern::compiler {
namespace {

bool readSize(llvm::StringRef text, std::array<uint64_t, 3>& size) {
  llvm::SmallVector<llvm::StringRef, 3> numbers;
  text.split(numbers, 'x');
  return numbers.size() == size.size() &&
         llvm::all_of(llvm::zip(numbers, size), [](const auto& pair) {
           return !std::get<0>(pair).getAsInteger(10, std::get<1>(pair));
         });
}

/// Nothing for a word without a value that is true by being there.
bool setFlag(llvm::StringRef name, PassSettings& settings) {
  bool* const flag = name == "baseline"       ? &settings.isBaseline
                     : name == "least"        ? &settings.inlinesLeast
                     : name == "whole-groups" ? &settings.facts.wholeGroups
                     : name == "zero-offset"  ? &settings.facts.zeroOffset
                                              : nullptr;
  if (flag)
    *flag = true;
  return flag != nullptr;
}

bool setValue(llvm::StringRef name, llvm::StringRef value, PassSettings& settings) {
  if (name == "kernel")
    settings.onlyKernel = value.str();
  else if (name == "packets")
    return parsePackets(value, settings.packets);
  else if (name == "argument")
    return readArgument(value, settings.facts.constants);
  else if (name == "object")
    return readArgument(value, settings.facts.objects);
  else if (name == "local-size")
    return readSize(value, settings.facts.localSize);
  else if (name == "most-columns")
    return !value.getAsInteger(10, settings.facts.mostColumns);
  else if (name == "stored-bytes")
    return !value.getAsInteger(10, settings.facts.storedBytes);
  else if (name == "sub-group-size")
    return !value.getAsInteger(10, settings.subGroupSize);
  return name == "kernel";
}

} // namespace

bool readArgument(llvm::StringRef text, abi::KnownArguments& known) {
  const auto [argument, value] = text.split(':');
  abi::KnownArgument read = {0, 0};
  if (known.isFull() || argument.getAsInteger(10, read.argument) ||
      value.getAsInteger(10, read.value))
    return false;
  known.add(read);
  return true;
}

Result<PassSettings> withOptions(const PassSettings& settings, llvm::StringRef pass,
                                 llvm::StringRef allowed, llvm::StringRef text) {
  PassSettings changed = settings;
  llvm::SmallVector<llvm::StringRef> known, words;
  allowed.split(known, ';', -1, /*KeepEmpty=*/false);
  text.split(words, ';', -1, /*KeepEmpty=*/false);
  for (const llvm::StringRef word : words) {
    const auto [name, value] = word.split('=');
    if (!llvm::is_contained(known, name))
      return Status::error(CL_INVALID_VALUE, sentence("the pass '", pass.str(),
                                                      "' has no option \"", name.str(), "\""));
    if (!(word.contains('=') ? setValue(name, value, changed) : setFlag(name, changed)))
      return Status::error(
          CL_INVALID_VALUE,
          sentence("the pass '", pass.str(), "' cannot read its option \"", word.str(), "\""));
  }
  return changed;
}

} // namespace quern::compiler
