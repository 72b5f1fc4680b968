#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string_view>
#include <vector>

#include "spirv/module.h"

namespace quern::test {

/// Changes SPIR-V modules by whole instructions and operands, so that what comes out is a list of
/// instructions again and readers get beyond its first words: ids name other results, instructions
/// come, go, move and change their numbers. The same seed makes the same change.
class SpirvMutator {
public:
  /// `module` is what is changed.
  SpirvMutator(const spirv::Module& module, unsigned seed);

  void mutate();
  /// Takes over some instructions of `other`.
  void crossOver(const spirv::Module& other);

  /// The module as it is now.
  std::vector<uint32_t> words() const;

private:
  /// An instruction with a letter of instructions.def for each word behind the first.
  struct Line {
    const spirv::InstructionRow* row = nullptr; ///< null for numbers without one
    uint32_t number = 0;
    std::vector<uint32_t> words;
    std::vector<char> kinds;
  };

  static std::vector<Line> linesOf(const spirv::Module& module);
  static uint32_t resultOf(const Line& line);

  void nameAnotherId();
  void changeLiteral();
  void changeNumber();
  void erase();
  void repeat();
  void move();
  void insert();

  size_t below(size_t bound) {
    return std::uniform_int_distribution<size_t>(0, bound - 1)(random_);
  }
  bool oneIn(size_t count) { return below(count) == 0; }
  /// The place of an instruction, more often one within functions where there are any; 0 where
  /// there is no instruction.
  size_t anyLine();
  /// The place of one of `line`'s operands of `kinds`; nothing where it has none.
  std::optional<size_t> anyOperand(const Line& line, std::string_view kinds);
  uint32_t anyId();
  uint32_t anyType();
  /// One whose definition has the number that the definition of `id` has, where there is another.
  uint32_t idLike(uint32_t id);
  uint32_t anyLiteral(uint32_t former);
  /// Appends a word of the kind `kind` to `line`.
  void appendOperand(Line& line, char kind);
  /// Gives the results of `lines` new ids, and names of them follow.
  void renameResults(std::span<Line> lines);

  std::mt19937 random_;
  uint32_t version_;
  uint32_t bound_;
  std::vector<Line> lines_;
};

} // namespace quern::test
