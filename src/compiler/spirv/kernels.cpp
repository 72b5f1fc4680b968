#include "compiler/spirv/kernels.h"

#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>

#include "base/sentence.h"
#include "compiler/il/address_space.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/spirv/failure.h"

namespace quern::compiler::spirv {
namespace {

/// 3.24 "Function Control".
enum FunctionControl : uint32_t {
  Inline = 0x1,
  DontInline = 0x2,
  Pure = 0x4,
  Const = 0x8,
  OptNone = 0x10000,
};

/// 3.19 "Function Parameter Attribute".
enum ParameterAttribute : uint32_t {
  Zext = 0,
  Sext = 1,
  ByVal = 2,
  Sret = 3,
  NoAlias = 4,
  NoCapture = 5,
  NoWrite = 6,
  NoReadWrite = 7,
};

enum ExecutionMode : uint32_t {
  LocalSize = 17,
  LocalSizeHint = 18,
  VecTypeHint = 30,
  SubgroupSize = 35,
  LocalSizeId = 38,
  LocalSizeHintId = 39,
};

std::optional<llvm::Attribute> attributeOf(uint32_t attribute, const Type& type,
                                           llvm::LLVMContext& context) {
  const bool isPointer = type.isPointer() && !type.parts.empty() && type.parts[0]->llvm &&
                         type.parts[0]->llvm->isSized();
  switch (attribute) {
  case Zext:
  case Sext:
    if (type.isInteger() || type.op == Op::TypeBool)
      return llvm::Attribute::get(context, attribute == Zext ? llvm::Attribute::ZExt
                                                             : llvm::Attribute::SExt);
    return std::nullopt;
  case ByVal:
    if (isPointer && type.storage == Storage::Function)
      return llvm::Attribute::getWithByValType(context, type.parts[0]->llvm);
    throw RuleBroken{"has a parameter by value that is no pointer to private memory"};
  case Sret:
    if (isPointer)
      return llvm::Attribute::getWithStructRetType(context, type.parts[0]->llvm);
    return std::nullopt;
  case NoAlias:
    if (isPointer)
      return llvm::Attribute::get(context, llvm::Attribute::NoAlias);
    return std::nullopt;
  case NoCapture:
    if (isPointer)
      return llvm::Attribute::getWithCaptureInfo(context, llvm::CaptureInfo::none());
    return std::nullopt;
  case NoWrite:
    if (isPointer)
      return llvm::Attribute::get(context, llvm::Attribute::ReadOnly);
    return std::nullopt;
  case NoReadWrite:
    if (isPointer)
      return llvm::Attribute::get(context, llvm::Attribute::ReadNone);
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

void addParameterAttributes(const ModuleReader& module, const Function& function, unsigned index,
                            uint32_t id) {
  const Type& type = *function.type->parts[index + 1];
  llvm::LLVMContext& context = function.function->getContext();
  const Decorations& decorations = module.decorations();
  decorations.forEach(id, Decoration::FuncParamAttr, [&](std::span<const uint32_t> operands) {
    if (!operands.empty())
      if (const auto attribute = attributeOf(operands[0], type, context))
        function.function->addParamAttr(index, *attribute);
  });
  if (!type.isPointer())
    return;
  if (decorations.has(id, Decoration::Restrict))
    function.function->addParamAttr(index, llvm::Attribute::NoAlias);
  if (const auto bytes = decorations.number(id, Decoration::Alignment))
    if (llvm::isPowerOf2_32(*bytes))
      function.function->addParamAttr(
          index, llvm::Attribute::getWithAlignment(context, llvm::Align(*bytes)));
  if (const auto bytes = decorations.number(id, Decoration::MaxByteOffset))
    if (*bytes > 0)
      function.function->addDereferenceableParamAttr(index, *bytes);
}

/// What Clang says of a type of OpenCL C; signs of integers are not known.
std::string typeName(const Type& type) {
  switch (type.op) {
  case Op::TypeBool:
    return "bool";
  case Op::TypeInt:
    switch (type.llvm->getIntegerBitWidth()) {
    case 8:
      return "char";
    case 16:
      return "short";
    case 32:
      return "int";
    default:
      return "long";
    }
  case Op::TypeFloat:
    return type.llvm->isHalfTy() ? "half" : type.llvm->isFloatTy() ? "float" : "double";
  case Op::TypeVector:
    return typeName(type.scalar()) + std::to_string(type.components());
  case Op::TypePointer:
    return type.parts.empty() ? "void*" : typeName(*type.parts[0]) + "*";
  case Op::TypeStruct:
    return "struct";
  case Op::TypeArray:
    return typeName(*type.parts[0]) + "[]";
  case Op::TypeSampler:
    return "sampler_t";
  case Op::TypeEvent:
    return "event_t";
  case Op::TypeQueue:
    return "queue_t";
  case Op::TypeImage: {
    std::string name = "image";
    name += type.dimensions == Dimensions::Two     ? "2d"
            : type.dimensions == Dimensions::Three ? "3d"
                                                   : "1d";
    if (type.isArrayed)
      name += "_array";
    if (type.dimensions == Dimensions::Buffer)
      name += "_buffer";
    if (type.isMultisampled)
      name += "_msaa";
    if (type.isDepth)
      name += "_depth";
    return name + "_t";
  }
  default:
    return "void";
  }
}

/// Makes one kernel.
class KernelMaker {
public:
  /// The kernel of a block where `block` is given.
  KernelMaker(ModuleReader& module, const EntryPoint& point, const Block* block)
      : module_(module), point_(point), source_(module.function(point.function)), block_(block),
        context_(module.context()) {}

  void make() {
    takeName();
    if (source_.type->parts[0]->op != Op::TypeVoid || !source_.hasBody)
      throw RuleBroken{sentence("for the kernel \"", point_.name,
                                "\" is a function with a result or without a body")};
    kernel_ = makeFunction();
    describeArguments();
    for (const Instruction* mode : point_.modes)
      addMode(*mode);
    if (module_.options().uniformWorkGroupSize)
      setUniformGroups(*kernel_);
  }

private:
  /// LLVM's translator to SPIR-V exports a function by the kernel's name, and makes the entry point
  /// of another that calls it.
  void takeName() {
    llvm::GlobalValue* other = module_.module().getNamedValue(point_.name);
    auto* exported = llvm::dyn_cast_or_null<llvm::Function>(other);
    if (other && (!exported || exported->isDeclaration() ||
                  exported->getCallingConv() == llvm::CallingConv::SPIR_KERNEL))
      throw RuleBroken{sentence("is named \"", point_.name, "\", as another symbol is")};
    if (!exported)
      return;
    exported->setName(point_.name + ".exported");
    exported->setLinkage(llvm::GlobalValue::InternalLinkage);
  }

  /// A kernel that does nothing but call the function, as long as that is called by others, too, or
  /// takes structures by value, which kernels are passed as the address of a copy.
  llvm::Function* makeFunction() {
    llvm::Function& body = *source_.function;
    llvm::SmallVector<llvm::Type*> parameters;
    for (llvm::Argument& argument : body.args())
      parameters.push_back(argument.getType()->isAggregateType()
                               ? llvm::PointerType::get(context_, address_space::privateMemory)
                               : argument.getType());
    if (block_)
      parameters[0] = llvm::PointerType::get(context_, address_space::privateMemory);
    auto* kernel =
        llvm::Function::Create(llvm::FunctionType::get(body.getReturnType(), parameters, false),
                               llvm::GlobalValue::ExternalLinkage, point_.name, module_.module());
    kernel->copyAttributesFrom(&body);
    kernel->setLinkage(llvm::GlobalValue::ExternalLinkage);
    kernel->setCallingConv(llvm::CallingConv::SPIR_KERNEL);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context_, "", kernel));
    llvm::SmallVector<llvm::Value*> arguments;
    for (llvm::Argument& argument : body.args()) {
      llvm::Argument* own = kernel->getArg(argument.getArgNo());
      own->setName(argument.getName());
      llvm::Value* passed = own;
      if (block_ && own->getArgNo() == 0)
        passed = takeLiteral(*kernel, builder, argument.getType());
      if (argument.getType()->isAggregateType()) {
        const llvm::Align align =
            module_.module().getDataLayout().getABITypeAlign(argument.getType());
        kernel->addParamAttr(own->getArgNo(),
                             llvm::Attribute::getWithByValType(context_, argument.getType()));
        kernel->addParamAttr(own->getArgNo(), llvm::Attribute::getWithAlignment(context_, align));
        passed = builder.CreateAlignedLoad(argument.getType(), own, align);
      }
      arguments.push_back(passed);
    }
    if (const llvm::DISubprogram* subprogram = body.getSubprogram())
      module_.debugLines().add(*kernel, point_.name,
                               {subprogram->getFilename(), subprogram->getLine(), 0});
    builder.SetCurrentDebugLocation(module_.debugLines().atBegin(*kernel));
    llvm::CallInst* call = builder.CreateCall(&body, arguments);
    call->setCallingConv(body.getCallingConv());
    call->setAttributes(body.getAttributes());
    builder.CreateRetVoid();
    if (!body.hasFnAttribute(llvm::Attribute::NoInline))
      body.addFnAttr(llvm::Attribute::AlwaysInline);
    return kernel;
  }

  /// A block's first argument: its bytes by value, of which the function takes the address.
  llvm::Value* takeLiteral(llvm::Function& kernel, llvm::IRBuilder<>& builder, llvm::Type* type) {
    llvm::Type* bytes = llvm::ArrayType::get(builder.getInt8Ty(), block_->literalBytes);
    kernel.removeParamAttrs(0, llvm::AttributeMask(kernel.getAttributes().getParamAttrs(0)));
    kernel.addParamAttr(0, llvm::Attribute::getWithByValType(context_, bytes));
    kernel.addParamAttr(0, llvm::Attribute::getWithAlignment(context_, block_->alignment));
    kernel.addFnAttr(names::blockAttribute);
    return builder.CreateAddrSpaceCast(kernel.getArg(0), type);
  }

  llvm::Metadata* text(llvm::StringRef value) { return llvm::MDString::get(context_, value); }

  /// The names that LLVM's translator to SPIR-V keeps in a string of this prefix, or nothing.
  llvm::SmallVector<llvm::StringRef> keptNames(llvm::StringRef kind) const {
    const std::string prefix = kind.str() + "." + point_.name + ".";
    llvm::SmallVector<llvm::StringRef> names;
    llvm::StringRef list = module_.stringWithPrefix(prefix);
    list.consume_back(",");
    if (!list.empty())
      list.split(names, ',');
    return names.size() == source_.function->arg_size() ? names
                                                        : llvm::SmallVector<llvm::StringRef>();
  }

  void describeArguments() {
    llvm::SmallVector<llvm::Metadata*> spaces, accesses, types, qualifiers, names;
    const auto keptTypes = keptNames("kernel_arg_type");
    const auto keptQualifiers = keptNames("kernel_arg_type_qual");
    unsigned index = 0;
    for (const Instruction& instruction : source_.instructions) {
      if (instruction.op != Op::FunctionParameter)
        continue;
      const Type& type = *source_.type->parts[index + 1];
      const bool isByValue = kernel_->hasParamAttribute(index, llvm::Attribute::ByVal);
      const unsigned space = isByValue ? address_space::privateMemory
                             : type.op == Op::TypeImage || type.op == Op::TypePipe
                                 ? address_space::global
                             : type.isPointer() ? type.llvm->getPointerAddressSpace()
                                                : address_space::privateMemory;
      spaces.push_back(llvm::ConstantAsMetadata::get(
          llvm::ConstantInt::get(llvm::Type::getInt32Ty(context_), space)));
      const bool hasAccess = type.op == Op::TypeImage || type.op == Op::TypePipe;
      accesses.push_back(text(!hasAccess                         ? "none"
                              : type.access == Access::ReadOnly  ? "read_only"
                              : type.access == Access::WriteOnly ? "write_only"
                                                                 : "read_write"));
      types.push_back(text(!keptTypes.empty()              ? keptTypes[index]
                           : isByValue && type.isPointer() ? typeName(*type.parts[0])
                                                           : typeName(type)));
      qualifiers.push_back(text(keptQualifiers.empty() ? qualifiersOf(instruction.result, type)
                                                       : keptQualifiers[index].str()));
      names.push_back(text(module_.decorations().name(instruction.result)));
      ++index;
    }
    kernel_->setMetadata("kernel_arg_addr_space", llvm::MDNode::get(context_, spaces));
    kernel_->setMetadata("kernel_arg_access_qual", llvm::MDNode::get(context_, accesses));
    kernel_->setMetadata("kernel_arg_type", llvm::MDNode::get(context_, types));
    kernel_->setMetadata("kernel_arg_base_type", llvm::MDNode::get(context_, types));
    kernel_->setMetadata("kernel_arg_type_qual", llvm::MDNode::get(context_, qualifiers));
    if (module_.options().kernelArgInfo)
      kernel_->setMetadata("kernel_arg_name", llvm::MDNode::get(context_, names));
  }

  std::string qualifiersOf(uint32_t id, const Type& type) const {
    const Decorations& decorations = module_.decorations();
    std::string words;
    const auto add = [&](const char* word) {
      words += (words.empty() ? "" : " ") + std::string(word);
    };
    if (decorations.has(id, Decoration::Constant) ||
        (type.isPointer() && type.storage == Storage::UniformConstant))
      add("const");
    if (decorations.has(id, Decoration::Restrict))
      add("restrict");
    if (decorations.has(id, Decoration::Volatile))
      add("volatile");
    if (type.op == Op::TypePipe)
      add("pipe");
    return words;
  }

  void addMode(const Instruction& mode) {
    const std::span<const uint32_t> operands = mode.operands.subspan(2);
    switch (mode.operands[1]) {
    case LocalSize:
      return addSizes("reqd_work_group_size", operands, false);
    case LocalSizeId:
      return addSizes("reqd_work_group_size", operands, true);
    case LocalSizeHint:
      return addSizes("work_group_size_hint", operands, false);
    case LocalSizeHintId:
      return addSizes("work_group_size_hint", operands, true);
    case VecTypeHint:
      if (!operands.empty())
        addVectorType(operands[0]);
      return;
    case SubgroupSize:
      if (!operands.empty())
        kernel_->setMetadata("intel_reqd_sub_group_size",
                             llvm::MDNode::get(context_, number(operands[0])));
      return;
    default:
      return;
    }
  }

  llvm::Metadata* number(uint64_t value) {
    return llvm::ConstantAsMetadata::get(
        llvm::ConstantInt::get(llvm::Type::getInt32Ty(context_), value & UINT32_MAX));
  }

  void addSizes(llvm::StringRef name, std::span<const uint32_t> operands, bool areIds) {
    if (operands.size() != 3)
      throw RuleBroken{sentence("for the kernel \"", point_.name, "\" has a mode with ",
                                operands.size(), " sizes instead of 3")};
    llvm::SmallVector<llvm::Metadata*> sizes;
    for (const uint32_t word : operands) {
      const std::optional<uint64_t> size = areIds ? module_.constant(word) : word;
      if (!size || *size == 0 || *size > UINT32_MAX)
        throw RuleBroken{sentence("for the kernel \"", point_.name,
                                  "\" has a mode with a size that is no positive constant")};
      sizes.push_back(number(*size));
    }
    kernel_->setMetadata(name, llvm::MDNode::get(context_, sizes));
  }

  /// The number of components in the upper half, and of the lower half 0 to 3 for integers and 4 to
  /// 6 for floats.
  void addVectorType(uint32_t hint) {
    llvm::Type* const scalars[] = {
        llvm::Type::getInt8Ty(context_),  llvm::Type::getInt16Ty(context_),
        llvm::Type::getInt32Ty(context_), llvm::Type::getInt64Ty(context_),
        llvm::Type::getHalfTy(context_),  llvm::Type::getFloatTy(context_),
        llvm::Type::getDoubleTy(context_)};
    const uint32_t components = hint >> 16;
    const uint32_t scalar = hint & 0xFFFF;
    if (scalar >= std::size(scalars) || components > 16)
      throw RuleBroken{sentence("for the kernel \"", point_.name,
                                "\" has a vector type hint that is not known")};
    llvm::Type* type =
        components > 1 ? llvm::FixedVectorType::get(scalars[scalar], components) : scalars[scalar];
    kernel_->setMetadata(
        "vec_type_hint",
        llvm::MDNode::get(context_,
                          {llvm::ConstantAsMetadata::get(llvm::UndefValue::get(type)), number(1)}));
  }

  ModuleReader& module_;
  const EntryPoint& point_;
  const Function& source_;
  const Block* block_;
  llvm::LLVMContext& context_;
  llvm::Function* kernel_ = nullptr;
};

} // namespace

void addFunctionAttributes(const ModuleReader& module, const Function& function) {
  const uint32_t control = function.instructions.front().operands[0];
  llvm::Function& target = *function.function;
  target.addFnAttr(llvm::Attribute::Convergent);
  target.addFnAttr(llvm::Attribute::NoUnwind);
  if (control & Inline)
    target.addFnAttr(llvm::Attribute::InlineHint);
  if (control & (DontInline | OptNone))
    target.addFnAttr(llvm::Attribute::NoInline);
  if (control & Const)
    target.setDoesNotAccessMemory();
  else if (control & Pure)
    target.setOnlyReadsMemory();
  unsigned index = 0;
  for (const Instruction& instruction : function.instructions)
    if (instruction.op == Op::FunctionParameter) {
      if (index >= target.arg_size())
        throw RuleBroken{"has more parameters than its type"};
      addParameterAttributes(module, function, index++, instruction.result);
    }
  if (index != target.arg_size())
    throw RuleBroken{sentence("has ", index, " parameters for a type of ", target.arg_size())};
}

void makeKernels(ModuleReader& module, std::span<const EntryPoint> entryPoints) {
  try {
    // LLVM's translator to SPIR-V makes entry points of blocks, which the host cannot launch.
    for (const EntryPoint& point : entryPoints)
      if (!module.blocks().find(point.function))
        KernelMaker(module, point, nullptr).make();
    for (const auto& [function, block] : module.blocks()) {
      EntryPoint point = {function, block.kernel, {}};
      for (const EntryPoint* known : module.entryPoints(function))
        point.modes.insert(point.modes.end(), known->modes.begin(), known->modes.end());
      KernelMaker(module, point, &block).make();
    }
  } catch (const RuleBroken& broken) {
    throw Failure{"SPIR-V: OpEntryPoint " + broken.rule};
  }
}

} // namespace quern::compiler::spirv
