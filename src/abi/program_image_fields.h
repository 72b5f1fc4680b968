#pragma once

#include "abi/program_image.h"
#include "base/fields.h"

/// The fields of what program_image.h declares, for base/fields.h.
namespace quern::abi {

template <typename Archive, MaybeConst<KernelArgument> T> void fields(Archive& archive, T& v) {
  archive(v.kind, v.offset, v.bytes, v.alignment, v.name, v.typeName, v.addressQualifier,
          v.accessQualifier, v.typeQualifier, v.imageType, v.isDepthImage, v.isMultisampleImage);
}

template <typename Archive, MaybeConst<ConstantCandidate> T> void fields(Archive& archive, T& v) {
  archive(v.argument, v.limit);
}

template <typename Archive, MaybeConst<KnownArgument> T> void fields(Archive& archive, T& v) {
  archive(v.argument, v.value);
}

inline void fields(FieldWriter& archive, const KnownArguments& v) {
  archive(v.size());
  for (const KnownArgument& known : v)
    archive(known);
}

inline void fields(FieldReader& archive, KnownArguments& v) {
  uint32_t count = 0;
  archive(count);
  if (count > KnownArguments::most)
    archive.fail();
  v.clear();
  for (uint32_t i = 0; i < count && archive.ok(); ++i) {
    KnownArgument known = {0, 0};
    archive(known);
    v.add(known);
  }
}

template <typename Archive, MaybeConst<LaunchFacts> T> void fields(Archive& archive, T& v) {
  archive(v.localSize, v.wholeGroups, v.disjointMemory, v.zeroOffset, v.mostColumns, v.storedBytes,
          v.constants, v.objects);
}

template <typename Archive, MaybeConst<FootprintStep> T> void fields(Archive& archive, T& v) {
  archive(v.operation, v.bits, v.value);
}

template <typename Archive, MaybeConst<FootprintAccess> T> void fields(Archive& archive, T& v) {
  archive(v.argument, v.reads, v.writes, v.bytes, v.offset);
}

template <typename Archive, MaybeConst<Footprint> T> void fields(Archive& archive, T& v) {
  archive(v.tie, v.accesses);
}

template <typename Archive, MaybeConst<KernelDescription> T> void fields(Archive& archive, T& v) {
  archive(v.name, v.attributes, v.arguments, v.argumentBlockBytes, v.requiredWorkGroupSize,
          v.workGroupSizeHint, v.localBytes, v.privateBytes, v.entrySymbol, v.contextUniformBytes,
          v.contextItemBytes, v.packetWidth, v.rangeLimit, v.flatDimensions, v.packetDimension,
          v.countsApart, v.seesOffset, v.storedBytes, v.subGroupSize, v.isBlock, v.enqueues,
          v.asksForTimes, v.childrenOffset, v.prints, v.startsEarly, v.isFirstVersion,
          v.constantCandidates, v.facts, v.comparedWidths, v.likelyWidths, v.footprint);
}

template <typename Archive, MaybeConst<ProgramImage> T> void fields(Archive& archive, T& v) {
  archive(v.kernels, v.code, v.globalVariableBytes);
}

} // namespace quern::abi
