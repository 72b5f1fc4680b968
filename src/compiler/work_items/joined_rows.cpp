#include "compiler/work_items/joined_rows.h"

#include <bit>

#include <llvm/IR/IRBuilder.h>

#include "compiler/il/group_shape.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/work_item_functions.h"

namespace quern::compiler {
namespace {

using llvm::Value;

class JoinedRows {
public:
  JoinedRows(llvm::Function& item, const GroupExtents& extents, uint64_t rows)
      : item_(item), extents_(extents), rows_(rows), builder_(item.getContext()) {
    builder_.SetInsertPoint(&item.getEntryBlock(), item.getEntryBlock().getFirstInsertionPt());
  }

  void run() {
    std::array<llvm::SmallVector<llvm::Use*>, maxDimensions> uses;
    for (unsigned dimension = 0; dimension < maxDimensions; ++dimension)
      for (llvm::Use& use : counted(dimension)->uses())
        uses[dimension].push_back(&use);
    std::array<Value*, maxDimensions> ids = {};
    const std::array<uint64_t, maxDimensions> shape = makeIds(ids);
    for (unsigned dimension = 0; dimension < maxDimensions; ++dimension) {
      Value* id = builder_.getInt64(0);
      uint64_t size = 1;
      for (unsigned i = 0; i < extents_.count; ++i)
        if (extents_.places[i] == dimension) {
          id = ids[i];
          size = extents_.sizes[i];
        }
      for (llvm::Use* use : uses[dimension])
        use->set(id);
      // Whoever counts work-items as the program does needs the program's sizes, too.
      implicitArgument(item_, ImplicitArgument::Size, dimension)
          ->replaceAllUsesWith(builder_.getInt64(size));
    }
    const bool hasShortRows = rows_ > 1 && extents_.sizes[0] > 1;
    setGroupShape(item_, shape, hasShortRows ? extents_.sizes[0] : 0);
  }

private:
  /// The ids in the dimensions with several work-items, and the shape that they are computed from.
  std::array<uint64_t, maxDimensions> makeIds(std::array<Value*, maxDimensions>& ids) {
    const auto& [row, second, third] = extents_.sizes;
    if (rows_ == 1) {
      ids = {counted(0), counted(1), counted(2)};
      return {row, second, third};
    }
    ids[0] = rest(counted(0), row);
    Value* inRow = quotient(counted(0), row);
    if (second % rows_ == 0) {
      ids[1] = second == rows_ ? inRow : sum(product(counted(1), rows_), inRow);
      ids[2] = counted(2);
      return {row * rows_, second / rows_, third};
    }
    ids[1] = rest(inRow, second);
    ids[2] = sum(product(counted(1), rows_ / second), quotient(inRow, second));
    return {row * rows_, extents_.rows() / rows_, 1};
  }

  llvm::Argument* counted(unsigned dimension) {
    return implicitArgument(item_, ImplicitArgument::Item, dimension);
  }
  Value* product(Value* a, uint64_t b) {
    return b == 1 ? a : builder_.CreateNUWMul(a, builder_.getInt64(b));
  }
  Value* sum(Value* a, Value* b) { return builder_.CreateNUWAdd(a, b); }
  Value* quotient(Value* a, uint64_t b) {
    return std::has_single_bit(b) ? builder_.CreateLShr(a, std::countr_zero(b))
                                  : builder_.CreateUDiv(a, builder_.getInt64(b));
  }
  Value* rest(Value* a, uint64_t b) {
    return std::has_single_bit(b) ? builder_.CreateAnd(a, b - 1)
                                  : builder_.CreateURem(a, builder_.getInt64(b));
  }

  llvm::Function& item_;
  const GroupExtents& extents_;
  uint64_t rows_;
  llvm::IRBuilder<> builder_;
};

} // namespace

GroupExtents::GroupExtents(const std::array<uint64_t, 3>& known) {
  for (unsigned dimension = 0; dimension < maxDimensions; ++dimension)
    if (known[dimension] > 1) {
      sizes[count] = known[dimension];
      places[count++] = dimension;
    }
}

bool GroupExtents::canJoin(uint64_t joined) const {
  return rows() % joined == 0 && (sizes[1] % joined == 0 || joined % sizes[1] == 0);
}

void joinRows(llvm::Function& item, const GroupExtents& extents, uint64_t rows) {
  JoinedRows(item, extents, rows).run();
}

} // namespace quern::compiler
