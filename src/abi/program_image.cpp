#include "abi/program_image.h"

#include <algorithm>

#include "abi/program_image_fields.h"

namespace quern::abi {

namespace {

bool isConsistent(const KernelArgument& argument, uint32_t blockBytes) {
  return argument.kind <= ArgumentKind::Queue &&
         uint64_t{argument.offset} + argument.bytes <= blockBytes && argument.alignment != 0 &&
         (argument.alignment & (argument.alignment - 1)) == 0;
}

/// Whether every argument lies inside the argument block, so that launches can trust the offsets,
/// and what is known of arguments is of those that there are.
bool isConsistent(const KernelDescription& kernel) {
  const auto isInteger = [&](const ConstantCandidate& candidate) {
    return candidate.argument < kernel.arguments.size() &&
           kernel.arguments[candidate.argument].kind == ArgumentKind::Value &&
           kernel.arguments[candidate.argument].bytes <= sizeof(KnownArgument::value);
  };
  return std::ranges::all_of(kernel.arguments,
                             [&](const KernelArgument& argument) {
                               return isConsistent(argument, kernel.argumentBlockBytes);
                             }) &&
         (!kernel.enqueues ||
          kernel.childrenOffset + sizeof(uint64_t) <= kernel.argumentBlockBytes) &&
         kernel.constantCandidates.size() <= KnownArguments::most &&
         std::ranges::all_of(kernel.constantCandidates, isInteger) && kernel.packetWidth != 0 &&
         kernel.packetDimension < 3 && kernel.subGroupSize != 0 &&
         kernel.comparedWidths.size() <= mostComparedWidths &&
         kernel.likelyWidths <= kernel.comparedWidths.size() &&
         isConsistent(kernel.footprint, kernel);
}

} // namespace

Bytes encode(const ProgramImage& image) {
  FieldWriter out;
  out(image);
  return out.take();
}

Result<ProgramImage> decodeProgramImage(std::span<const std::byte> bytes) {
  FieldReader in(bytes);
  ProgramImage image;
  in(image);
  if (!in.isComplete() || !std::ranges::all_of(image.kernels, [](const KernelDescription& kernel) {
        return isConsistent(kernel);
      }))
    return Status::error(CL_INVALID_BINARY, "the program image of " + std::to_string(bytes.size()) +
                                                " bytes is truncated or damaged");
  return image;
}

} // namespace quern::abi
