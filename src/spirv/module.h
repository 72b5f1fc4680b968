#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "spirv/instruction.h"

namespace quern::spirv {

inline constexpr uint32_t makeVersion(uint32_t major, uint32_t minor) {
  return major << 16 | minor << 8;
}
/// The versions that are read.
inline constexpr uint32_t oldestVersion = makeVersion(1, 0);
inline constexpr uint32_t newestVersion = makeVersion(1, 6);

/// A module as a list of instructions, of which each has the operands that the table of
/// instructions says, ids within the bound, terminated strings, and a result of its own. What the
/// operands name is not known here. An instruction of an extension that the table does not have
/// keeps all its words as operands.
class Module {
public:
  /// Fails with CL_INVALID_VALUE and a sentence that names the word and the rule where `bytes` is
  /// no module of a version between oldestVersion and newestVersion. Words may be of either byte
  /// order.
  static Result<Module> parse(std::span<const std::byte> bytes);
  Module(Module&&) = default; ///< instructions stay where they are
  Module& operator=(Module&&) = default;

  uint32_t version() const { return words_[1]; }
  /// All ids are less.
  uint32_t bound() const { return words_[3]; }
  std::span<const Instruction> instructions() const { return instructions_; }
  std::span<const uint32_t> words() const { return words_; }

private:
  Module() = default;
  Status readHeader();
  Status readInstructions();

  std::vector<uint32_t> words_; ///< of this machine's byte order
  std::vector<Instruction> instructions_;
};

} // namespace quern::spirv
