#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace quern::compiler {

/// What happens between the regions before a collective function and the region behind it: once for
/// the work-group, or once for each sub-group,
/// `void combine(ptr results, ptr operands, ptr more operands, i64 count, ptr next, i32 region)`
/// makes the results of `count` work-items from their operands, each an array with an element for
/// each work-item; where they all get the same result (`isUniform`), `results` is one. Where `next`
/// is not null, only the work-items take part whose element of it is
/// `region`: the region that they wait for, minus 1 (names::nextRegionOffsetAttribute).
struct Collective {
  /// Where an array is in the context: after `offset` bytes for each work-item of the group;
  /// `bytes` is the size of an element.
  struct Slot {
    uint64_t offset, bytes;
  };
  bool ofSubGroup = false;
  bool isUniform = false; ///< the result's offset is one in the block of uniform values
  std::string combine;    ///< the function's name
  /// Results and operands; the second operand may be missing.
  std::array<std::optional<Slot>, 3> slots;
};

/// The name of a `combine` function in the built-in library: linking puts a number behind a point
/// after it where several sources have one of that name.
llvm::StringRef combineName(llvm::StringRef function);
/// That of a collective function's call.
llvm::StringRef combineName(const llvm::CallInst& call);

/// Whether the function of that name gives all work-items the operand of the first that takes part
/// (builtins/sub_group/exchange.cl).
bool isOfFirst(llvm::StringRef combine);
/// Whether it gives each work-item the operand of the one at the place that it names.
bool isOfPlace(llvm::StringRef combine);

/// Notes on `region` that it begins at `collective`.
void setCollective(llvm::Function& region, const Collective& collective);
/// Nothing for a region that begins otherwise.
std::optional<Collective> collectiveOf(const llvm::Function& region);

} // namespace quern::compiler
