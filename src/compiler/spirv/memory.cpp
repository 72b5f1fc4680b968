// Variables, loads, stores and addresses (SPIR-V 1.6, 3.52.8).
#include "base/sentence.h"
#include "compiler/spirv/failure.h"
#include "compiler/spirv/function_reader.h"

namespace quern::compiler::spirv {
namespace {

/// 3.26 "Memory Operands".
enum MemoryOperand : uint32_t {
  Volatile = 0x1,
  Aligned = 0x2,
  Nontemporal = 0x4,
  MakePointerAvailable = 0x8,
  MakePointerVisible = 0x10,
  NonPrivatePointer = 0x20,
  AliasScopeINTEL = 0x10000,
  NoAliasINTEL = 0x20000,
};

} // namespace

bool FunctionReader::readMemory(const Instruction& i) {
  switch (i.op) {
  case Op::Variable:
  case Op::UntypedVariableKHR:
    readVariable(i);
    return true;
  case Op::Load:
    readLoad(i);
    return true;
  case Op::Store:
    readStore(i);
    return true;
  case Op::CopyMemory:
  case Op::CopyMemorySized:
    readCopy(i);
    return true;
  case Op::PtrEqual:
  case Op::PtrNotEqual: {
    const Value a = operand(i, 0);
    const Value b = operand(i, 1);
    requireSame(a, b);
    requirePointer(a);
    define(i, i.op == Op::PtrEqual ? builder_.CreateICmpEQ(a.value, b.value)
                                   : builder_.CreateICmpNE(a.value, b.value));
    return true;
  }
  case Op::PtrDiff:
    readPointerDifference(i);
    return true;
  case Op::SizeOf: {
    const Type& pointer = requireTypedPointer(operand(i, 0));
    require(pointer.parts[0]->llvm && pointer.parts[0]->llvm->isSized() &&
                resultType(i).isInteger(),
            "has an operand that points to what has no size");
    const auto& layout = module_.module().getDataLayout();
    define(i, llvm::ConstantInt::get(resultType(i).llvm,
                                     layout.getTypeAllocSize(pointer.parts[0]->llvm)));
    return true;
  }
  case Op::UntypedPrefetchKHR: // A hint that no device here takes.
  case Op::LifetimeStart:
  case Op::LifetimeStop:
    // Optimisations see for themselves where a variable is not in use.
    requirePointer(operand(i, 0));
    return true;
  case Op::AssumeTrueKHR: {
    const Value condition = operand(i, 0);
    require(condition.type && condition.type->op == Op::TypeBool,
            "has an operand that is not Boolean");
    builder_.CreateAssumption(condition.value);
    return true;
  }
  default:
    return readAddress(i);
  }
}

void FunctionReader::readPointerDifference(const Instruction& i) {
  const Value a = operand(i, 0);
  const Type& content = *requireTypedPointer(a).parts[0];
  requireSame(a, operand(i, 1));
  require(content.llvm && content.llvm->isSized() && resultType(i).isInteger(),
          "has an operand that points to what has no size, or a result that is no whole number");
  llvm::Value* difference = builder_.CreatePtrDiff(content.llvm, a.value, operand(i, 1).value);
  define(i, builder_.CreateSExtOrTrunc(difference, resultType(i).llvm));
}

bool FunctionReader::readAddress(const Instruction& i) {
  bool hasElement = false;
  bool isInBounds = false;
  switch (i.op) {
  case Op::InBoundsPtrAccessChain:
  case Op::UntypedInBoundsPtrAccessChainKHR:
    hasElement = isInBounds = true;
    break;
  case Op::PtrAccessChain:
  case Op::UntypedPtrAccessChainKHR:
    hasElement = true;
    break;
  case Op::InBoundsAccessChain:
  case Op::UntypedInBoundsAccessChainKHR:
    isInBounds = true;
    break;
  case Op::AccessChain:
  case Op::UntypedAccessChainKHR:
    break;
  default:
    return false;
  }
  const bool isUntyped =
      i.op == Op::UntypedAccessChainKHR || i.op == Op::UntypedInBoundsAccessChainKHR ||
      i.op == Op::UntypedPtrAccessChainKHR || i.op == Op::UntypedInBoundsPtrAccessChainKHR;
  const size_t first = isUntyped ? 1 : 0;
  require(i.operands.size() >= first + 1 + (hasElement ? 1 : 0), "has too few operands");
  const Type& content =
      isUntyped ? type(i.operands[0]) : *requireTypedPointer(operand(i, 0)).parts[0];
  define(i, address(i, first, content, hasElement, isInBounds));
  return true;
}

void FunctionReader::readVariable(const Instruction& i) {
  const Type& pointer = resultType(i);
  require(pointer.isPointer() && pointer.storage == Storage::Function &&
              i.operands[0] == static_cast<uint32_t>(Storage::Function),
          "is within a function and not of the storage class Function");
  // An untyped variable says its type itself, and then what it begins as.
  const bool isUntyped = i.op == Op::UntypedVariableKHR;
  require(isUntyped ? i.operands.size() > 1 : !pointer.parts.empty(), "has no type");
  llvm::Type* content = isUntyped ? type(i.operands[1]).llvm : pointer.parts[0]->llvm;
  const size_t initializer = isUntyped ? 2 : 1;
  require(content && content->isSized(), "has a type without a size");
  std::optional<llvm::Align> align;
  if (const auto bytes = module_.decorations().number(i.result, Decoration::Alignment))
    if (llvm::isPowerOf2_32(*bytes))
      align = llvm::Align(*bytes);
  define(i, makeVariable(content, align));
  if (i.operands.size() > initializer) {
    const Value initial = operand(i, initializer);
    require(initial.value->getType() == content, "has an initializer of another type");
    builder_.CreateStore(initial.value, values_[i.result].value);
  }
}

llvm::Align FunctionReader::naturalAlign(const Type& content) const {
  return module_.module().getDataLayout().getABITypeAlign(content.llvm);
}

FunctionReader::MemoryAccess FunctionReader::memoryAccess(const Instruction& i, size_t first,
                                                          llvm::Align natural) const {
  MemoryAccess access;
  access.align = natural;
  if (first >= i.operands.size())
    return access;
  const uint32_t mask = i.operands[first];
  size_t next = first + 1;
  constexpr uint32_t withId =
      MakePointerAvailable | MakePointerVisible | AliasScopeINTEL | NoAliasINTEL;
  constexpr uint32_t known = Volatile | Aligned | Nontemporal | NonPrivatePointer | withId;
  require((mask & ~known) == 0, "has memory operands ", mask, ", which are not all known");
  access.isVolatile = mask & Volatile;
  access.isNontemporal = mask & Nontemporal;
  if (mask & Aligned) {
    require(next < i.operands.size(), "has no alignment");
    const uint32_t bytes = i.operands[next++];
    require(bytes == 0 || llvm::isPowerOf2_32(bytes), "has the alignment ", bytes,
            ", which is no power of two");
    // 0 stands for what nobody knows: DPC++ wrote it until 2024.
    access.align = llvm::Align(bytes == 0 ? 1 : bytes);
  }
  next += static_cast<size_t>(llvm::popcount(mask & withId));
  require(next <= i.operands.size(), "has too few memory operands");
  return access;
}

void FunctionReader::readLoad(const Instruction& i) {
  const Value pointer = operand(i, 0);
  const Type& content = contentOf(pointer, resultType(i));
  require(content.llvm && content.llvm->isSized() && content.llvm == resultType(i).llvm,
          "has a result type that is not what its pointer points to");
  const MemoryAccess access = memoryAccess(i, 1, naturalAlign(content));
  llvm::LoadInst* load =
      builder_.CreateAlignedLoad(content.llvm, pointer.value, access.align, access.isVolatile);
  if (access.isNontemporal)
    load->setMetadata(
        llvm::LLVMContext::MD_nontemporal,
        llvm::MDNode::get(module_.context(), llvm::ConstantAsMetadata::get(builder_.getInt32(1))));
  define(i, load);
}

void FunctionReader::readStore(const Instruction& i) {
  const Value pointer = operand(i, 0);
  const Value content = operand(i, 1);
  // Samplers that are constants have no type of their own.
  require(content.type || !requirePointer(pointer).parts.empty(),
          "stores what has no type by an untyped pointer");
  const Type& pointee = content.type ? contentOf(pointer, *content.type) : *pointer.type->parts[0];
  require(pointee.llvm == content.value->getType() && pointee.llvm->isSized(),
          "stores a value of another type than its pointer points to");
  const MemoryAccess access = memoryAccess(i, 2, naturalAlign(pointee));
  llvm::StoreInst* store =
      builder_.CreateAlignedStore(content.value, pointer.value, access.align, access.isVolatile);
  if (access.isNontemporal)
    store->setMetadata(
        llvm::LLVMContext::MD_nontemporal,
        llvm::MDNode::get(module_.context(), llvm::ConstantAsMetadata::get(builder_.getInt32(1))));
}

void FunctionReader::readCopy(const Instruction& i) {
  const Value to = operand(i, 0);
  const Value from = operand(i, 1);
  const bool isSized = i.op == Op::CopyMemorySized;
  // Of two untyped pointers, which only sized copies may have, any byte.
  const Type& byte = module_.types().integer(8);
  const Type& toContent = contentOf(to, contentOf(from, byte));
  const Type& fromContent = contentOf(from, toContent);
  require(isSized || !to.type->parts.empty() || !from.type->parts.empty(),
          "copies what is not known between untyped pointers");
  require(toContent.llvm && toContent.llvm->isSized() && fromContent.llvm &&
              fromContent.llvm->isSized(),
          "copies what has no size");
  require(isSized || toContent.llvm == fromContent.llvm, "copies between different types");
  const MemoryAccess access = memoryAccess(i, isSized ? 3 : 2, naturalAlign(toContent));
  llvm::Value* bytes = nullptr;
  if (isSized) {
    requireInteger(operand(i, 2));
    require(operand(i, 2).type->op == Op::TypeInt, "has a size that is no whole number");
    bytes = builder_.CreateZExtOrTrunc(operand(i, 2).value, builder_.getInt64Ty());
  } else {
    bytes = builder_.getInt64(module_.module().getDataLayout().getTypeAllocSize(toContent.llvm));
  }
  builder_.CreateMemCpy(to.value, access.align, from.value, access.align, bytes, access.isVolatile);
}

/// Indexes of structures are constants; others are signed.
llvm::Value* FunctionReader::address(const Instruction& i, size_t first, const Type& pointee,
                                     bool hasElement, bool isInBounds) {
  const Value base = operand(i, first);
  requirePointer(base);
  const Type* content = &pointee;
  const auto flags = isInBounds ? llvm::GEPNoWrapFlags::inBounds() : llvm::GEPNoWrapFlags::none();
  llvm::Value* pointer = base.value;
  size_t next = first + 1;
  const auto index = [&](size_t operandIndex) {
    const Value value = operand(i, operandIndex);
    requireInteger(value);
    require(value.type->op == Op::TypeInt, "has an index that is no whole number");
    return value.value;
  };
  require(content->llvm && content->llvm->isSized(), "goes into what has no size");
  llvm::Type* start = content->llvm;
  llvm::SmallVector<llvm::Value*> path = {hasElement ? index(next++) : builder_.getInt64(0)};
  for (; next < i.operands.size(); ++next) {
    if (content->op == Op::TypeStruct) {
      const uint64_t member = constant(i.operands[next], "member");
      require(member < content->parts.size(), "names the member ", member, " of a structure of ",
              content->parts.size());
      path.push_back(builder_.getInt32(static_cast<uint32_t>(member)));
      content = content->parts[member];
      continue;
    }
    require(content->op == Op::TypeArray || content->op == Op::TypeVector,
            "goes into what has no parts");
    path.push_back(index(next));
    content = content->parts[0];
  }
  const Type& result = resultType(i);
  require(result.isPointer() && result.llvm == pointer->getType() &&
              (result.parts.empty() || result.parts[0]->llvm == content->llvm),
          "has a result type that does not point to what it comes to");
  return builder_.CreateGEP(start, pointer, path, "", flags);
}

} // namespace quern::compiler::spirv
