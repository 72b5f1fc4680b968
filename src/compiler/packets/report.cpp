#include "compiler/packets/report.h"

#include <llvm/ADT/Twine.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/streaming.h"
#include "compiler/packets/access_pattern.h"
#include "compiler/packets/constant_table.h"
#include "compiler/packets/no_wrap_speculation.h"

namespace quern::compiler {
namespace {

/// How a packet makes an access.
std::string kindOf(const PacketPlan& plan, const llvm::Instruction& access) {
  const Shape shape = plan.shapes.of(llvm::getLoadStorePointerOperand(&access));
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&access);
  const int64_t bytes =
      plan.region.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&access));
  if (const InterleaveGroup* group = plan.accesses.groupOf(&access))
    return group->stride ? "strided" : "in rows";
  if (shape.isUniform())
    return "uniform";
  if (shape.isAffine() && shape.stride == bytes)
    return "contiguous";
  if (shape.isAffine() && shape.stride == -bytes)
    return "reversed";
  if (isInPattern(shape, bytes, plan.shapes))
    return "in a pattern";
  if (plan.rows && plan.rows->accessOf(llvm::getLoadStorePointerOperand(&access), bytes) !=
                       ShortRows::Access::Scattered)
    return "by short rows";
  if (const std::optional<NoWrapSpeculation> speculation =
          usefulNoWrapSpeculation(access, plan.shapes))
    return speculation->stride == 0 ? "uniform within rows"
           : speculation->divides() ? "contiguous within rows"
                                    : "contiguous unless an index wraps";
  if (load && tableLookup(*load, plan.machine))
    return "looked up in registers";
  return load ? "gathered" : "scattered";
}

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

std::string describePackets(const PacketPlan& plan, const llvm::Function& form) {
  constexpr const char* kinds[] = {"uniform",
                                   "uniform within rows",
                                   "contiguous",
                                   "contiguous within rows",
                                   "contiguous unless an index wraps",
                                   "reversed",
                                   "strided",
                                   "in rows",
                                   "in a pattern",
                                   "by short rows",
                                   "gathered",
                                   "looked up in registers",
                                   "scattered"};
  unsigned counts[std::size(kinds)] = {};
  unsigned masked = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(plan.region))
    if (llvm::getLoadStorePointerOperand(&instruction)) {
      ++counts[llvm::find(kinds, kindOf(plan, instruction)) - std::begin(kinds)];
      masked += plan.masked.contains(instruction.getParent());
    }
  const PacketTile tile = plan.sharing.tile();
  std::string text = "packets of " + counted(plan.width, "work-items");
  if (tile.packets() > 1)
    text += ", in tiles of " + std::to_string(tile.columns) + " x " + std::to_string(tile.rows);
  std::string accesses;
  for (size_t i = 0; i < std::size(kinds); ++i)
    if (counts[i])
      accesses += (accesses.empty() ? "" : ", ") + counted(counts[i], kinds[i]);
  text += "; accesses: " + (accesses.empty() ? "none" : accesses);
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
