#include "compiler/packets/short_rows.h"

namespace quern::compiler {

ShortRows::ShortRows(llvm::Function& region, unsigned items, const Shapes& shapes,
                     llvm::FunctionAnalysisManager& analyses)
    : items_(items), ofPacket_(shapes),
      shapes_(analyses.getResult<ShapeAnalysis>(region).of(UniformityRoot::packet(items))) {}

ShortRows::Access ShortRows::accessOf(const llvm::Value* pointer, int64_t bytes) const {
  const Shape shape = shapes_.of(pointer);
  const bool areNeighbours = shape.isAffine() && shape.stride == bytes;
  if (!ofPacket_.of(pointer).isVarying() || (!shape.isUniform() && !areNeighbours) ||
      ofPacket_.arrays().isInterleaved(pointer) || !canCompute(pointer, 0))
    return Access::Scattered;
  return areNeighbours ? Access::Neighbours : Access::Same;
}

bool ShortRows::canCompute(const llvm::Value* value, unsigned depth) const {
  constexpr unsigned maxDepth = 10;
  if (!ofPacket_.of(value).isVarying())
    return true;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  const bool isSimple =
      instruction && (llvm::isa<llvm::GetElementPtrInst, llvm::CastInst>(instruction) ||
                      (instruction->isBinaryOp() && !instruction->isIntDivRem()));
  return isSimple && depth < maxDepth &&
         llvm::all_of(
             instruction->operands(),
             [&](const llvm::Use& operand) { return canCompute(operand.get(), depth + 1); });
}

} // namespace quern::compiler
