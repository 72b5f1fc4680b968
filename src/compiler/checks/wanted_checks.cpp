#include "compiler/checks/wanted_checks.h"

#include <llvm/IR/Metadata.h>

namespace quern::compiler {
namespace {

/// Named metadata of the module: their names, as one text.
constexpr llvm::StringRef checksMetadata = "quern.checks";
constexpr char separator = '+';

} // namespace

abi::CheckSet checksOfTarget(std::string_view description) {
  constexpr std::string_view key = ";checks=";
  const size_t start = description.find(key);
  if (start == std::string_view::npos)
    return {};
  const std::string_view rest = description.substr(start + key.size());
  return abi::parseChecks(rest.substr(0, rest.find(';')), separator).value_or(abi::CheckSet());
}

void wantChecks(llvm::Module& module, abi::CheckSet checks) {
  llvm::LLVMContext& context = module.getContext();
  module.getOrInsertNamedMetadata(checksMetadata)
      ->addOperand(
          llvm::MDNode::get(context, llvm::MDString::get(context, abi::textOf(checks, separator))));
}

abi::CheckSet wantedChecks(const llvm::Module& module) {
  const llvm::NamedMDNode* noted = module.getNamedMetadata(checksMetadata);
  if (!noted || noted->getNumOperands() == 0)
    return {};
  const auto* text = llvm::cast<llvm::MDString>(noted->getOperand(0)->getOperand(0));
  return abi::parseChecks(text->getString(), separator).value_or(abi::CheckSet());
}

} // namespace quern::compiler
