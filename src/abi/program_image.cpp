#include "abi/program_image.h"

#include <algorithm>

namespace quern::abi {

namespace {

// Smallest encodings, so that a hostile count cannot make the decoder allocate more than the input
// could hold.
constexpr size_t minArgumentBytes = 32;
constexpr size_t minKernelBytes = 64;

void put(ByteWriter& out, const KernelArgument& argument) {
  out.put(argument.kind);
  out.put(argument.offset);
  out.put(argument.bytes);
  out.put(argument.alignment);
  out.put(argument.name);
  out.put(argument.typeName);
  out.put(argument.addressQualifier);
  out.put(argument.accessQualifier);
  out.put(argument.typeQualifier);
  out.put(argument.imageType);
  out.put<uint8_t>(argument.isDepthImage);
}

KernelArgument getArgument(ByteReader& in) {
  KernelArgument argument;
  argument.kind = in.get<ArgumentKind>();
  argument.offset = in.get<uint32_t>();
  argument.bytes = in.get<uint32_t>();
  argument.alignment = in.get<uint32_t>();
  argument.name = in.getString();
  argument.typeName = in.getString();
  argument.addressQualifier = in.get<cl_kernel_arg_address_qualifier>();
  argument.accessQualifier = in.get<cl_kernel_arg_access_qualifier>();
  argument.typeQualifier = in.get<cl_kernel_arg_type_qualifier>();
  argument.imageType = in.get<cl_mem_object_type>();
  argument.isDepthImage = in.get<uint8_t>() != 0;
  return argument;
}

void put(ByteWriter& out, const KernelDescription& kernel) {
  out.put(kernel.name);
  out.put(kernel.attributes);
  out.put<uint32_t>(kernel.arguments.size());
  for (const KernelArgument& argument : kernel.arguments)
    put(out, argument);
  out.put(kernel.argumentBlockBytes);
  out.put(kernel.requiredWorkGroupSize);
  out.put(kernel.workGroupSizeHint);
  out.put(kernel.localBytes);
  out.put(kernel.privateBytes);
  out.put(kernel.entrySymbol);
  out.put(kernel.contextUniformBytes);
  out.put(kernel.contextItemBytes);
  out.put(kernel.packetWidth);
  out.put(kernel.rangeLimit);
  out.put(kernel.flatDimensions);
  out.put<uint8_t>(kernel.countsApart);
  out.put<uint8_t>(kernel.seesOffset);
  out.put(kernel.storedBytes);
  out.put(kernel.subGroupSize);
  out.put<uint8_t>(kernel.prints);
  out.put<uint8_t>(kernel.startsEarly);
  out.put<uint8_t>(kernel.isFirstVersion);
  out.put(kernel.facts.localSize);
  out.put<uint8_t>(kernel.facts.wholeGroups);
  out.put<uint8_t>(kernel.facts.zeroOffset);
  out.put<uint8_t>(kernel.facts.disjointMemory);
  out.put(kernel.facts.storedBytes);
  out.put(kernel.facts.constantCount);
  for (const ConstantArgument& constant : kernel.facts.constantArguments()) {
    out.put(constant.argument);
    out.put(constant.value);
  }
  out.put<uint32_t>(kernel.constantCandidates.size());
  for (const ConstantCandidate& candidate : kernel.constantCandidates) {
    out.put(candidate.argument);
    out.put(candidate.limit);
  }
}

KernelDescription getKernel(ByteReader& in) {
  KernelDescription kernel;
  kernel.name = in.getString();
  kernel.attributes = in.getString();
  const auto argumentCount = in.get<uint32_t>();
  for (uint32_t i = 0; i < argumentCount && in.remaining() >= minArgumentBytes; ++i)
    kernel.arguments.push_back(getArgument(in));
  kernel.argumentBlockBytes = in.get<uint32_t>();
  kernel.requiredWorkGroupSize = in.get<std::array<uint64_t, 3>>();
  kernel.workGroupSizeHint = in.get<std::array<uint64_t, 3>>();
  kernel.localBytes = in.get<uint64_t>();
  kernel.privateBytes = in.get<uint64_t>();
  kernel.entrySymbol = in.getString();
  kernel.contextUniformBytes = in.get<uint64_t>();
  kernel.contextItemBytes = in.get<uint64_t>();
  kernel.packetWidth = in.get<uint32_t>();
  kernel.rangeLimit = in.get<uint64_t>();
  kernel.flatDimensions = in.get<uint32_t>();
  kernel.countsApart = in.get<uint8_t>() != 0;
  kernel.seesOffset = in.get<uint8_t>() != 0;
  kernel.storedBytes = in.get<uint64_t>();
  kernel.subGroupSize = in.get<uint32_t>();
  kernel.prints = in.get<uint8_t>() != 0;
  kernel.startsEarly = in.get<uint8_t>() != 0;
  kernel.isFirstVersion = in.get<uint8_t>() != 0;
  kernel.facts.localSize = in.get<std::array<uint64_t, 3>>();
  kernel.facts.wholeGroups = in.get<uint8_t>() != 0;
  kernel.facts.zeroOffset = in.get<uint8_t>() != 0;
  kernel.facts.disjointMemory = in.get<uint8_t>() != 0;
  kernel.facts.storedBytes = in.get<uint64_t>();
  kernel.facts.constantCount = std::min(in.get<uint32_t>(), mostConstantArguments);
  for (uint32_t i = 0; i < kernel.facts.constantCount; ++i) {
    kernel.facts.constants[i].argument = in.get<uint32_t>();
    kernel.facts.constants[i].value = in.get<int64_t>();
  }
  kernel.constantCandidates.resize(std::min(in.get<uint32_t>(), mostConstantArguments));
  for (ConstantCandidate& candidate : kernel.constantCandidates) {
    candidate.argument = in.get<uint32_t>();
    candidate.limit = in.get<uint64_t>();
  }
  return kernel;
}

/// Whether every argument lies inside the argument block, so that launches can trust the offsets.
bool isConsistent(const KernelDescription& kernel) {
  for (const KernelArgument& argument : kernel.arguments)
    if (argument.kind > ArgumentKind::Sampler ||
        uint64_t{argument.offset} + argument.bytes > kernel.argumentBlockBytes ||
        argument.alignment == 0 || (argument.alignment & (argument.alignment - 1)) != 0)
      return false;
  for (const ConstantCandidate& candidate : kernel.constantCandidates)
    if (candidate.argument >= kernel.arguments.size() ||
        kernel.arguments[candidate.argument].kind != ArgumentKind::Value ||
        kernel.arguments[candidate.argument].bytes > sizeof(ConstantArgument::value))
      return false;
  return kernel.packetWidth != 0 && kernel.subGroupSize != 0;
}

} // namespace

Bytes encode(const ProgramImage& image) {
  ByteWriter out;
  out.put<uint32_t>(image.kernels.size());
  for (const KernelDescription& kernel : image.kernels)
    put(out, kernel);
  out.put(std::span<const std::byte>(image.code));
  out.put(image.globalVariableBytes);
  return out.take();
}

Result<ProgramImage> decodeProgramImage(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  ProgramImage image;
  const auto kernelCount = in.get<uint32_t>();
  for (uint32_t i = 0; i < kernelCount && in.remaining() >= minKernelBytes; ++i)
    image.kernels.push_back(getKernel(in));
  image.code = in.getBlob();
  image.globalVariableBytes = in.get<uint64_t>();
  bool consistent = in.ok() && in.atEnd() && image.kernels.size() == kernelCount;
  for (const KernelDescription& kernel : image.kernels)
    consistent = consistent && isConsistent(kernel);
  if (!consistent)
    return Status::error(CL_INVALID_BINARY, "the program image of " + std::to_string(bytes.size()) +
                                                " bytes is truncated or damaged");
  return image;
}

} // namespace quern::abi
