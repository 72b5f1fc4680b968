#include "compiler/work_items/group_shapes.h"

#include <bit>
#include <optional>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/il/address_space.h"
#include "compiler/il/boundary.h"
#include "compiler/il/group_shape.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/sub_group_form.h"
#include "compiler/il/work_item_functions.h"
#include "compiler/work_items/collective_lowering.h"

namespace quern::compiler {
namespace {

using llvm::Value;

/// Work-groups in the dimensions in which they have several work-items, and in which order.
struct Extents {
  std::array<uint64_t, maxDimensions> sizes = {1, 1, 1};
  std::array<unsigned, maxDimensions> places = {0, 1, 2}; ///< the program's dimensions
  unsigned count = 0;                                     ///< of those with several work-items

  explicit Extents(const std::array<uint64_t, maxDimensions>& known) {
    for (unsigned dimension = 0; dimension < maxDimensions; ++dimension)
      if (known[dimension] > 1) {
        sizes[count] = known[dimension];
        places[count++] = dimension;
      }
  }

  uint64_t rows() const { return sizes[1] * sizes[2]; }
  uint64_t items() const { return sizes[0] * rows(); }
};

/// How work-items are counted instead: `rows` of the program's rows in one.
struct Choice {
  uint64_t rows = 1;
  bool isLinear = false; ///< all rows in one, which is several packets, the last one not full
};

/// How many of the program's rows a packet of `width` work-items shall hold. One, for a narrower
/// packet, where that leaves little of a vector unused: what several rows load or ask differs in
/// more than their first work-item.
uint64_t rowsInPacket(const Extents& extents, uint64_t width) {
  const uint64_t row = extents.sizes[0];
  if (extents.items() <= width)
    return extents.rows();
  if (row > width / 4 || !std::has_single_bit(row))
    return 1;
  for (uint64_t rows = width / row; rows > 1; --rows)
    if (extents.rows() % rows == 0 &&
        (extents.sizes[1] % rows == 0 || rows % extents.sizes[1] == 0))
      return rows;
  return 1;
}

/// Nothing where the program's shape is as good.
std::optional<Choice> choose(const Extents& extents, uint64_t width) {
  const uint64_t row = extents.sizes[0];
  Choice choice{rowsInPacket(extents, width)};
  if (extents.items() > width && row <= width / 4 && std::has_single_bit(row) &&
      extents.sizes[2] == 1 && choice.rows * row < width)
    choice = {extents.rows(), true};
  if (choice.rows == 1 && extents.places[0] == 0)
    return std::nullopt;
  return choice;
}

class Reshaping {
public:
  Reshaping(llvm::Function& item, const Extents& extents, const Choice& choice)
      : item_(item), extents_(extents), choice_(choice), builder_(item.getContext()) {
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
    const bool hasShortRows = choice_.rows > 1 && extents_.sizes[0] > 1;
    setGroupShape(item_, shape, hasShortRows ? extents_.sizes[0] : 0);
  }

private:
  /// The ids in the dimensions with several work-items, and the shape that they are computed from.
  std::array<uint64_t, maxDimensions> makeIds(std::array<Value*, maxDimensions>& ids) {
    const auto& [row, second, third] = extents_.sizes;
    const uint64_t rows = choice_.rows;
    if (rows == 1) {
      ids = {counted(0), counted(1), counted(2)};
      return {row, second, third};
    }
    ids[0] = rest(counted(0), row);
    Value* inPacket = quotient(counted(0), row);
    if (choice_.isLinear) {
      ids[1] = inPacket;
      return {row * rows, 1, 1};
    }
    if (second % rows == 0) {
      ids[1] = second == rows ? inPacket : sum(product(counted(1), rows), inPacket);
      ids[2] = counted(2);
      return {row * rows, second / rows, third};
    }
    ids[1] = rest(inPacket, second);
    ids[2] = sum(product(counted(1), rows / second), quotient(inPacket, second));
    return {row * rows, extents_.rows() / rows, 1};
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
  const Extents& extents_;
  Choice choice_;
  llvm::IRBuilder<> builder_;
};

/// Whether it calculates with numbers of 64 bits, of which vectors hold half as many. Ids and
/// addresses do not count.
bool usesWideNumbers(llvm::Function& item) {
  return llvm::any_of(llvm::instructions(item), [](const llvm::Instruction& instruction) {
    if (instruction.getType()->getScalarType()->isDoubleTy())
      return true;
    const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    return pointer &&
           pointer->getType()->getPointerAddressSpace() != address_space::privateMemory &&
           llvm::getLoadStoreType(&instruction)->getScalarType()->isIntegerTy(64);
  });
}

std::vector<llvm::CallInst*> boundariesOf(llvm::Function& item) {
  std::vector<llvm::CallInst*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(item))
    if (boundaryOf(instruction))
      calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
  return calls;
}

bool areOfGroup(const std::vector<llvm::CallInst*>& boundaries) {
  return !boundaries.empty() && llvm::none_of(boundaries, [](const llvm::CallInst* call) {
    return isOfSubGroup(*boundaryOf(*call));
  });
}

void makeOnePacketForm(llvm::Function& item) {
  llvm::ValueToValueMapTy map;
  llvm::Function* form = llvm::CloneFunction(&item, map);
  form->setName(item.getName() + ".one_packet");
  form->addFnAttr(names::onePacketAttribute);
  llvm::SmallVector<llvm::CallInst*> collectives;
  for (llvm::CallInst* boundary : boundariesOf(*form))
    if (isCollective(*boundaryOf(*boundary)))
      collectives.push_back(boundary);
    else
      lowerBarrierOfPacket(*boundary);
  lowerCollectivesOfPacket(*form, collectives);
}

} // namespace

llvm::PreservedAnalyses GroupShapesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  const bool mayHaveOnePacket = !hasVariables(module); // the other code would need its barriers
  for (llvm::Function* item : kernelFunctions(module)) {
    const Extents extents(requiredWorkGroupSize(*item));
    if (extents.count == 0 || !hasUniformGroups(*item) || subGroupsArePackets(*item) ||
        numberAttribute(*item, names::flatAttribute) != 0)
      continue;
    const uint64_t width =
        choice_.width ? choice_.width : vectorBits(machine_) / (usesWideNumbers(*item) ? 64 : 32);
    if (const std::optional<Choice> choice = choose(extents, width))
      Reshaping(*item, extents, *choice).run();
    if (mayHaveOnePacket && extents.items() <= width && groupShape(*item)[0] == extents.items() &&
        areOfGroup(boundariesOf(*item)))
      makeOnePacketForm(*item);
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
