#pragma once

#include <optional>
#include <span>
#include <vector>

#include "compiler/spirv/types.h"

namespace quern::compiler::spirv {

/// SPIR-V 1.6, 3.20 "Decoration": those that kernels have and that change what is made of them.
enum class Decoration : uint32_t {
  SpecId = 1,
  CPacked = 10,
  BuiltIn = 11,
  Restrict = 19,
  Volatile = 21,
  Constant = 22,
  SaturatedConversion = 28,
  FuncParamAttr = 38,
  FPRoundingMode = 39,
  FPFastMathMode = 40,
  LinkageAttributes = 41,
  NoContraction = 42,
  Alignment = 44,
  MaxByteOffset = 45,
  NoSignedWrap = 4469,
  NoUnsignedWrap = 4470,
};

/// The decorations of ids, and their names.
class Decorations {
public:
  /// Takes in what an instruction of decoration or a name says.
  void add(const Instruction& instruction);
  static bool isDecoration(Op op);

  bool has(uint32_t id, Decoration decoration) const;
  /// The first extra operand of the decoration.
  std::optional<uint32_t> number(uint32_t id, Decoration decoration) const;
  /// Calls `use` with the extra operands of each decoration of this kind that `id` has.
  template <typename Use> void forEach(uint32_t id, Decoration decoration, Use use) const {
    if (const auto found = rows_.find(id); found != rows_.end())
      for (const Row& row : found->second)
        if (row.decoration == decoration)
          use(row.operands);
  }

  /// Empty where it has none.
  llvm::StringRef name(uint32_t id) const;

private:
  struct Row {
    Decoration decoration;
    std::span<const uint32_t> operands;
  };

  llvm::DenseMap<uint32_t, std::vector<Row>> rows_;
  llvm::DenseMap<uint32_t, llvm::StringRef> names_;
};

} // namespace quern::compiler::spirv
