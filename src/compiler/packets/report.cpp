#include "compiler/packets/report.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/Twine.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/streaming.h"

namespace quern::compiler {
namespace {

/// Tests whether any work-item goes on.
unsigned countAnyBranches(const llvm::Function& form) {
  unsigned count = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(form))
    if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        call && call->getIntrinsicID() == llvm::Intrinsic::vector_reduce_or)
      count += llvm::any_of(call->users(), llvm::IsaPred<llvm::BranchInst>);
  return count;
}

std::string counted(unsigned count, const std::string& what) {
  return std::to_string(count) + " " + what;
}

void addLine(llvm::Function& function, const std::string& place, const std::string& line) {
  llvm::Module& module = *function.getParent();
  llvm::LLVMContext& context = module.getContext();
  const std::string text =
      ("kernel " + function.getFnAttribute(names::kernelAttribute).getValueAsString() + place +
       ": " + line)
          .str();
  module.getOrInsertNamedMetadata(names::reportMetadata)
      ->addOperand(llvm::MDNode::get(context, llvm::MDString::get(context, text)));
}

} // namespace

std::string describePackets(const PacketPlan& plan, const AccessPlan& accesses,
                            const llvm::Function& form) {
  llvm::MapVector<llvm::StringRef, unsigned> counts;
  unsigned masked = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(plan.region))
    if (const AccessLowering* lowering = accesses.of(&instruction)) {
      ++counts[lowering->name()];
      masked += plan.masked.contains(instruction.getParent());
    }
  const PacketTile tile = plan.sharing.tile();
  std::string text = "packets of " + counted(plan.width, "work-items");
  if (tile.packets() > 1)
    text += ", in tiles of " + std::to_string(tile.columns) + " x " + std::to_string(tile.rows);
  std::string accessText;
  for (const auto& [name, count] : counts)
    accessText += (accessText.empty() ? "" : ", ") + counted(count, name.str());
  text += "; accesses: " + (accessText.empty() ? "none" : accessText);
  if (masked)
    text += "; " + counted(masked, "of them masked");
  if (const auto streamed = llvm::count_if(llvm::instructions(form), isNontemporal))
    text += "; " + counted(static_cast<unsigned>(streamed), "vectors stored past the caches");
  if (const unsigned branches = countAnyBranches(form))
    text += "; " + counted(branches, branches == 1 ? "any-branch" : "any-branches");
  return text;
}

void addToReport(llvm::Function& region, const std::string& line) {
  addLine(region,
          (", region " + llvm::Twine(numberAttribute(region, names::regionAttribute))).str(), line);
}

void addToReportOfKernel(llvm::Function& entry, const std::string& line) {
  addLine(entry, "", line);
}

std::string reportOf(const llvm::Module& module) {
  std::string text;
  if (const llvm::NamedMDNode* lines = module.getNamedMetadata(names::reportMetadata))
    for (const llvm::MDNode* line : lines->operands())
      text += (llvm::cast<llvm::MDString>(line->getOperand(0))->getString() + "\n").str();
  return text;
}

} // namespace quern::compiler
