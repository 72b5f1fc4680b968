#include "compiler/checks/check_images.h"

#include <llvm/IR/InstIterator.h>

#include "abi/cpu_image.h"
#include "compiler/checks/fault.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

using abi::Fault;

/// A read or write of an element of an image by whole coordinates, with the sizes in the order of
/// the coordinates (OpenCL C, 6.15.15).
struct ImageAccess {
  llvm::CallInst* call;
  Fault fault;
};

/// In Itanium names, where the image is the first parameter: of read_image without a sampler the
/// coordinates are the last one.
bool isImageAccess(llvm::CallInst& call, ImageAccess& access) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee || !callee->getName().starts_with("_Z") || call.arg_size() < 2 ||
      !call.getArgOperand(0)->getType()->isPointerTy() ||
      !call.getArgOperand(1)->getType()->isIntOrIntVectorTy(32))
    return false;
  const bool isWrite = callee->getName().contains("write_image");
  access = {&call, isWrite ? Fault::Write : Fault::Read};
  return (isWrite || callee->getName().contains("read_image")) &&
         callee->getName().contains("ocl_image") && !callee->getName().contains("sampler");
}

void check(const ImageAccess& access) {
  llvm::CallInst& call = *access.call;
  llvm::Value* coordinates = call.getArgOperand(1);
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(coordinates->getType());
  // The fourth coordinate of images with three dimensions counts for nothing.
  constexpr unsigned most = 3;
  const unsigned count = vector ? std::min(vector->getNumElements(), most) : 1;
  for (unsigned dimension = 0; dimension < count; ++dimension) {
    llvm::IRBuilder<> builder(&call);
    llvm::Value* coordinate =
        vector ? builder.CreateExtractElement(coordinates, dimension) : coordinates;
    llvm::Value* size =
        builder.CreateAlignedLoad(builder.getInt32Ty(),
                                  builder.CreateConstInBoundsGEP1_64(
                                      builder.getInt8Ty(), call.getArgOperand(0),
                                      offsetof(abi::CpuImage, size) + dimension * sizeof(int32_t)),
                                  llvm::Align(4));
    llvm::IRBuilder<> report(&branchBefore(call, builder.CreateICmpUGE(coordinate, size)));
    reportFault(report, {.fault = access.fault, .name = "image"}, call, coordinate, size);
  }
}

} // namespace

llvm::PreservedAnalyses CheckImagesPass::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager&) {
  if (!function.hasFnAttribute(names::programAttribute))
    return llvm::PreservedAnalyses::all();
  llvm::SmallVector<ImageAccess> accesses;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      if (ImageAccess access; isImageAccess(*call, access))
        accesses.push_back(access);
  for (const ImageAccess& access : accesses)
    check(access);
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
