#include "compiler/il/kernel_description.h"

#include <bit>

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>

#include "base/sentence.h"
#include "compiler/il/address_space.h"
#include "compiler/il/argument_layout.h"
#include "compiler/il/enqueue_functions.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/opaque_types.h"
#include "compiler/il/required_sub_group_size.h"

namespace quern::compiler {
namespace {

using abi::ArgumentKind;
using abi::KernelArgument;

std::string textOperand(const llvm::MDNode* node, unsigned index) {
  if (!node || index >= node->getNumOperands())
    return {};
  const auto* text = llvm::dyn_cast<llvm::MDString>(node->getOperand(index));
  return text ? text->getString().str() : std::string();
}

uint64_t numberOperand(const llvm::MDNode* node, unsigned index) {
  if (!node || index >= node->getNumOperands())
    return 0;
  const auto* number = llvm::mdconst::dyn_extract<llvm::ConstantInt>(node->getOperand(index));
  return number ? number->getZExtValue() : 0;
}

cl_kernel_arg_type_qualifier typeQualifiers(llvm::StringRef text) {
  cl_kernel_arg_type_qualifier qualifiers = CL_KERNEL_ARG_TYPE_NONE;
  llvm::SmallVector<llvm::StringRef, 4> words;
  text.split(words, ' ', -1, false);
  for (llvm::StringRef word : words) {
    if (word == "const")
      qualifiers |= CL_KERNEL_ARG_TYPE_CONST;
    else if (word == "restrict")
      qualifiers |= CL_KERNEL_ARG_TYPE_RESTRICT;
    else if (word == "volatile")
      qualifiers |= CL_KERNEL_ARG_TYPE_VOLATILE;
    else if (word == "pipe")
      qualifiers |= CL_KERNEL_ARG_TYPE_PIPE;
  }
  return qualifiers;
}

cl_kernel_arg_access_qualifier accessQualifier(llvm::StringRef text) {
  if (text == "read_only")
    return CL_KERNEL_ARG_ACCESS_READ_ONLY;
  if (text == "write_only")
    return CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
  if (text == "read_write")
    return CL_KERNEL_ARG_ACCESS_READ_WRITE;
  return CL_KERNEL_ARG_ACCESS_NONE;
}

/// Whatever the pointee: blocks have local arguments of void alone, and kernels take bytes for
/// vectors. No type of OpenCL C needs more.
constexpr uint64_t localArgumentAlignment = 128;

void setKind(KernelArgument& argument, const llvm::Type* type) {
  if (isImageType(type)) {
    argument.kind = ArgumentKind::Image;
    argument.addressQualifier = CL_KERNEL_ARG_ADDRESS_GLOBAL;
    argument.imageType = imageObjectType(*llvm::cast<llvm::TargetExtType>(type));
    argument.isDepthImage = isDepthImage(*llvm::cast<llvm::TargetExtType>(type));
    argument.isMultisampleImage = isMultisampleImage(*llvm::cast<llvm::TargetExtType>(type));
    return;
  }
  if (isSamplerType(type)) {
    argument.kind = ArgumentKind::Sampler;
    argument.addressQualifier = CL_KERNEL_ARG_ADDRESS_PRIVATE;
    return;
  }
  if (isQueueType(type)) {
    argument.kind = ArgumentKind::Queue;
    argument.addressQualifier = CL_KERNEL_ARG_ADDRESS_PRIVATE;
    return;
  }
  if (isPipeType(type)) {
    argument.kind = ArgumentKind::Pipe;
    argument.addressQualifier = CL_KERNEL_ARG_ADDRESS_GLOBAL;
    return;
  }
  const unsigned addressSpace =
      type->isPointerTy() ? type->getPointerAddressSpace() : address_space::privateMemory;
  switch (addressSpace) {
  case address_space::global:
    argument.kind = ArgumentKind::Global;
    argument.addressQualifier = CL_KERNEL_ARG_ADDRESS_GLOBAL;
    break;
  case address_space::constant:
    argument.kind = ArgumentKind::Constant;
    argument.addressQualifier = CL_KERNEL_ARG_ADDRESS_CONSTANT;
    break;
  case address_space::local:
    argument.kind = ArgumentKind::Local;
    argument.addressQualifier = CL_KERNEL_ARG_ADDRESS_LOCAL;
    break;
  default:
    argument.kind = ArgumentKind::Value;
    argument.addressQualifier = CL_KERNEL_ARG_ADDRESS_PRIVATE;
  }
}

KernelArgument describeArgument(const llvm::Function& kernel, unsigned index,
                                const ArgumentPlace& place) {
  KernelArgument argument;
  argument.offset = place.offset;
  argument.bytes = place.bytes;
  argument.alignment = place.alignment.value();
  setKind(argument, kernel.getArg(index)->getType());
  if (argument.kind == ArgumentKind::Local)
    argument.alignment =
        std::max(localArgumentAlignment, kernel.getParamAlign(index).valueOrOne().value());
  argument.accessQualifier =
      accessQualifier(textOperand(kernel.getMetadata("kernel_arg_access_qual"), index));
  argument.typeQualifier =
      typeQualifiers(textOperand(kernel.getMetadata("kernel_arg_type_qual"), index));
  // Clang keeps the names only with -cl-kernel-arg-info, and types always.
  if (const llvm::MDNode* names = kernel.getMetadata("kernel_arg_name")) {
    argument.name = textOperand(names, index);
    argument.typeName = textOperand(kernel.getMetadata("kernel_arg_type"), index);
  }
  return argument;
}

std::string sizesAttribute(const char* name, const llvm::MDNode* node) {
  return sentence(name, "(", numberOperand(node, 0), ",", numberOperand(node, 1), ",",
                  numberOperand(node, 2), ")");
}

/// The name of the type that vec_type_hint was given; the metadata holds a value of the type and
/// its signedness.
std::string vectorTypeName(const llvm::MDNode* node) {
  const auto* value = llvm::mdconst::dyn_extract_or_null<llvm::Constant>(node->getOperand(0));
  llvm::Type* type = nullptr;
  if (value)
    type = value->getType();
  else if (const auto* metadata = llvm::dyn_cast<llvm::ValueAsMetadata>(node->getOperand(0)))
    type = metadata->getType();
  if (!type)
    return "int";
  std::string name;
  llvm::Type* element = type->getScalarType();
  if (element->isFloatTy())
    name = "float";
  else if (element->isDoubleTy())
    name = "double";
  else if (element->isHalfTy())
    name = "half";
  else {
    static constexpr std::pair<unsigned, const char*> integers[] = {
        {8, "char"}, {16, "short"}, {32, "int"}, {64, "long"}};
    for (auto [bits, word] : integers)
      if (element->isIntegerTy(bits))
        name = (numberOperand(node, 1) ? "" : "u") + std::string(word);
  }
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    name += std::to_string(vector->getNumElements());
  return name;
}

std::string attributesOf(const llvm::Function& kernel) {
  std::string text;
  const auto add = [&](const std::string& attribute) {
    text += (text.empty() ? "" : " ") + attribute;
  };
  if (const llvm::MDNode* node = kernel.getMetadata("reqd_work_group_size"))
    add(sizesAttribute("reqd_work_group_size", node));
  if (const llvm::MDNode* node = kernel.getMetadata("work_group_size_hint"))
    add(sizesAttribute("work_group_size_hint", node));
  if (const uint64_t size = requiredSubGroupSize(kernel))
    add("intel_reqd_sub_group_size(" + std::to_string(size) + ")");
  if (const llvm::MDNode* node = kernel.getMetadata("vec_type_hint"))
    add("vec_type_hint(" + vectorTypeName(node) + ")");
  return text;
}

abi::KernelDescription describe(const llvm::Function& kernel, uint64_t maxAlignment) {
  abi::KernelDescription description;
  description.name = kernel.getName().str();
  description.attributes = attributesOf(kernel);
  description.requiredWorkGroupSize = requiredWorkGroupSize(kernel);
  if (const llvm::MDNode* node = kernel.getMetadata("work_group_size_hint"))
    for (unsigned i = 0; i < 3; ++i)
      description.workGroupSizeHint[i] = numberOperand(node, i);
  const ArgumentLayout layout = layOutArguments(kernel, kernel.arg_size(), maxAlignment);
  for (unsigned i = 0; i < kernel.arg_size(); ++i)
    description.arguments.push_back(describeArgument(kernel, i, layout.places[i]));
  description.argumentBlockBytes = layout.bytes;
  description.isBlock = kernel.hasFnAttribute(names::blockAttribute);
  // The step child-records appends the argument.
  if (usesChildRecords(kernel)) {
    description.enqueues = true;
    description.asksForTimes = asksForTimes(kernel);
    description.childrenOffset = llvm::alignTo(layout.bytes, sizeof(uint64_t));
    description.argumentBlockBytes = description.childrenOffset + sizeof(uint64_t);
  }
  return description;
}

/// Small enough for strides and loops (work_items/constant_candidates.h).
constexpr uint64_t smallConstant = 32;

std::vector<abi::ConstantCandidate> constantCandidates(const llvm::Function& entry) {
  const uint64_t divisors = numberAttribute(entry, names::divisorArgumentsAttribute);
  const uint64_t small = numberAttribute(entry, names::smallArgumentsAttribute);
  std::vector<abi::ConstantCandidate> candidates;
  for (uint32_t i = 0; i < 64 && candidates.size() < abi::KnownArguments::most; ++i)
    if (divisors >> i & 1)
      candidates.push_back({i, UINT64_MAX});
    else if (small >> i & 1)
      candidates.push_back({i, smallConstant});
  return candidates;
}

/// 32-bit lanes of the vector registers that LLVM prefers for `entry`.
uint32_t lanesOf(const llvm::Function& entry, const llvm::TargetMachine& machine) {
  const auto bits = machine.getTargetTransformInfo(entry).getRegisterBitWidth(
      llvm::TargetTransformInfo::RGK_FixedWidthVector);
  return std::max<uint32_t>(1, bits.getFixedValue() / 32);
}

void describeWidths(const llvm::Function& entry, abi::KernelDescription& kernel) {
  kernel.comparedWidths.clear();
  kernel.likelyWidths = 0;
  const uint64_t likely = numberAttribute(entry, names::alternativeWidthsAttribute),
                 unlikely = numberAttribute(entry, names::unlikelyWidthsAttribute);
  if ((likely | unlikely) == 0)
    return;
  std::vector<uint32_t>& widths = kernel.comparedWidths;
  widths.push_back(static_cast<uint32_t>(numberAttribute(entry, names::chosenWidthAttribute)));
  // The narrowest take the least time to compile.
  const auto add = [&](uint64_t others) {
    for (; others != 0 && widths.size() < abi::mostComparedWidths; others &= others - 1)
      widths.push_back(uint32_t{1} << std::countr_zero(others));
  };
  add(likely);
  kernel.likelyWidths = static_cast<uint32_t>(widths.size());
  add(unlikely);
}

} // namespace

std::vector<abi::KernelDescription> describeKernels(const llvm::Module& module,
                                                    uint64_t maxAlignment) {
  std::vector<abi::KernelDescription> kernels;
  for (const llvm::Function& function : module)
    if (isClangKernel(function))
      kernels.push_back(describe(function, maxAlignment));
  return kernels;
}

void completeDescriptions(const llvm::Module& module, const llvm::TargetMachine& machine,
                          std::vector<abi::KernelDescription>& kernels) {
  for (abi::KernelDescription& kernel : kernels) {
    const std::string symbol = entrySymbol(kernel.name);
    const llvm::Function* entry = module.getFunction(symbol);
    if (!entry)
      continue;
    kernel.entrySymbol = symbol;
    kernel.packetWidth = lanesOf(*entry, machine);
    kernel.rangeLimit = numberAttribute(*entry, names::rangeLimitAttribute);
    kernel.flatDimensions = numberAttribute(*entry, names::flatAttribute);
    kernel.packetDimension =
        static_cast<uint32_t>(numberAttribute(*entry, names::packetDimensionAttribute));
    kernel.countsApart = entry->hasFnAttribute(names::countsApartAttribute);
    kernel.seesOffset = entry->hasFnAttribute(names::seesOffsetAttribute);
    kernel.storedBytes = numberAttribute(*entry, names::storedBytesAttribute);
    kernel.constantCandidates = constantCandidates(*entry);
    describeWidths(*entry, kernel);
    kernel.subGroupSize = subGroupSize(*entry);
    kernel.localBytes = numberAttribute(*entry, names::localBytesAttribute);
    kernel.contextUniformBytes = numberAttribute(*entry, names::contextUniformBytesAttribute);
    kernel.contextItemBytes = numberAttribute(*entry, names::contextItemBytesAttribute);
    kernel.privateBytes =
        numberAttribute(*entry, names::privateBytesAttribute) + kernel.contextItemBytes;
  }
}

void completeNvptxDescriptions(const llvm::Module& module,
                               std::vector<abi::KernelDescription>& kernels) {
  for (abi::KernelDescription& kernel : kernels) {
    const llvm::Function* function = module.getFunction(kernel.name);
    if (!function)
      continue;
    kernel.entrySymbol = kernel.name;
    kernel.subGroupSize = subGroupSize(*function);
    kernel.packetWidth = kernel.subGroupSize;
    kernel.localBytes = numberAttribute(*function, names::localBytesAttribute);
    kernel.prints = function->hasFnAttribute(names::printsAttribute);
    kernel.startsEarly = function->hasFnAttribute(names::startsEarlyAttribute);
  }
}

} // namespace quern::compiler
