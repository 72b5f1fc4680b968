#include "compiler/packets/short_rows.h"

#include "compiler/il/rematerialise.h"

namespace quern::compiler {

ShortRows::ShortRows(llvm::Function& region, unsigned items, const Shapes& shapes,
                     llvm::FunctionAnalysisManager& analyses)
    : items_(items), ofPacket_(shapes),
      shapes_(analyses.getResult<ShapeAnalysis>(region).of(UniformityRoot::packet(items))) {}

ShortRows::Access ShortRows::accessOf(const llvm::Value* pointer, int64_t bytes) const {
  const Shape shape = shapes_.of(pointer);
  const bool areNeighbours = shape.isAffine() && shape.stride == bytes;
  if (!ofPacket_.of(pointer).isVarying() || (!shape.isUniform() && !areNeighbours) ||
      ofPacket_.arrays().isInterleaved(pointer) ||
      !canRematerialise(
          pointer, [this](const llvm::Value* part) { return !ofPacket_.of(part).isVarying(); }))
    return Access::Scattered;
  return areNeighbours ? Access::Neighbours : Access::Same;
}

} // namespace quern::compiler
