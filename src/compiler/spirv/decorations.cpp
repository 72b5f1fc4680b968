#include "compiler/spirv/decorations.h"

namespace quern::compiler::spirv {

bool Decorations::isDecoration(Op op) {
  switch (op) {
  case Op::Name:
  case Op::MemberName:
  case Op::Decorate:
  case Op::DecorateId:
  case Op::DecorateString:
  case Op::MemberDecorate:
  case Op::MemberDecorateString:
  case Op::DecorationGroup:
  case Op::GroupDecorate:
  case Op::GroupMemberDecorate:
    return true;
  default:
    return false;
  }
}

void Decorations::add(const Instruction& instruction) {
  const std::span<const uint32_t> operands = instruction.operands;
  switch (instruction.op) {
  case Op::Name:
    names_[operands[0]] = quern::spirv::stringAt(operands, 1);
    return;
  case Op::Decorate:
  case Op::DecorateId:
  case Op::DecorateString:
    rows_[operands[0]].push_back({static_cast<Decoration>(operands[1]), operands.subspan(2)});
    return;
  case Op::GroupDecorate: {
    const std::vector<Row> group = rows_[operands[0]];
    for (const uint32_t target : operands.subspan(1))
      rows_[target].insert(rows_[target].end(), group.begin(), group.end());
    return;
  }
  default: // Nothing that members are decorated with changes how kernels see them.
    return;
  }
}

bool Decorations::has(uint32_t id, Decoration decoration) const {
  bool isThere = false;
  forEach(id, decoration, [&](std::span<const uint32_t>) { isThere = true; });
  return isThere;
}

std::optional<uint32_t> Decorations::number(uint32_t id, Decoration decoration) const {
  std::optional<uint32_t> number;
  forEach(id, decoration, [&](std::span<const uint32_t> operands) {
    if (!operands.empty() && !number)
      number = operands[0];
  });
  return number;
}

llvm::StringRef Decorations::name(uint32_t id) const {
  const auto found = names_.find(id);
  return found == names_.end() ? llvm::StringRef() : found->second;
}

} // namespace quern::compiler::spirv
