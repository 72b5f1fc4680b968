#include "compiler/il/kernel_function.h"

#include <algorithm>

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>

#include "abi/cpu_kernel.h"
#include "compiler/il/address_space.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

/// Clang's.
constexpr llvm::StringRef uniformGroupsAttribute = "uniform-work-group-size";

} // namespace

bool isClangKernel(const llvm::Function& function) {
  return !function.isDeclaration() && function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL &&
         !function.getName().starts_with("_GLOBAL__");
}

std::string describeFunction(const llvm::Function& function) {
  llvm::StringRef kernel = function.getFnAttribute(names::kernelAttribute).getValueAsString();
  if (kernel.empty() && function.getName().starts_with(names::clangKernelBody))
    kernel = function.getName().drop_front(names::clangKernelBody.size());
  return kernel.empty() ? "function '" + llvm::demangle(function.getName().str()) + "'"
                        : "kernel '" + kernel.str() + "'";
}

std::string entrySymbol(llvm::StringRef name) {
  return ("quern.kernel." + name).str();
}

std::vector<llvm::Type*> implicitArgumentTypes(llvm::LLVMContext& context) {
  std::vector<llvm::Type*> types = {llvm::PointerType::get(context, 0),
                                    llvm::PointerType::get(context, 0),
                                    llvm::PointerType::get(context, address_space::local)};
  types.resize(static_cast<unsigned>(ImplicitArgument::Count), llvm::Type::getInt64Ty(context));
  return types;
}

void nameImplicitArguments(llvm::Function& function, unsigned first) {
  static constexpr const char* names[] = {"launch",  "scratch", "local",  "group.x", "group.y",
                                          "group.z", "size.x",  "size.y", "size.z",  "first.x",
                                          "first.y", "first.z", "item.x", "item.y",  "item.z"};
  static_assert(std::size(names) == static_cast<unsigned>(ImplicitArgument::Count));
  for (unsigned i = 0; i < std::size(names); ++i) {
    function.getArg(first + i)->setName(names[i]);
    function.addParamAttr(first + i, llvm::Attribute::NoUndef);
  }
  // With both size and alignment known, loops need not read them again.
  const auto constantMemory = [&](ImplicitArgument which, uint64_t bytes, uint64_t alignment) {
    const unsigned index = first + static_cast<unsigned>(which);
    function.addParamAttr(index, llvm::Attribute::NoAlias);
    function.addParamAttr(index, llvm::Attribute::ReadOnly);
    function.addDereferenceableParamAttr(index, bytes);
    function.addParamAttr(
        index, llvm::Attribute::getWithAlignment(function.getContext(), llvm::Align(alignment)));
  };
  constantMemory(ImplicitArgument::Launch, sizeof(abi::LaunchInfo), alignof(abi::LaunchInfo));
  constantMemory(ImplicitArgument::Scratch, sizeof(abi::GroupScratch), alignof(abi::GroupScratch));
  function.addParamAttr(first + static_cast<unsigned>(ImplicitArgument::Local),
                        llvm::Attribute::getWithAlignment(function.getContext(), llvm::Align(128)));
}

llvm::Argument* implicitArgument(llvm::Function& function, ImplicitArgument which,
                                 unsigned dimension) {
  return function.getArg(kernelArgumentCount(function) + static_cast<unsigned>(which) + dimension);
}

unsigned kernelArgumentCount(const llvm::Function& function) {
  return static_cast<unsigned>(numberAttribute(function, names::argumentsAttribute));
}

llvm::Instruction* startOf(llvm::Function& function) {
  return &*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
}

uint64_t numberAttribute(const llvm::Function& function, llvm::StringRef name) {
  uint64_t value = 0;
  function.getFnAttribute(name).getValueAsString().getAsInteger(10, value);
  return value;
}

void setNumberAttribute(llvm::Function& function, llvm::StringRef name, uint64_t value) {
  function.addFnAttr(name, std::to_string(value));
}

std::vector<llvm::Function*> kernelFunctions(llvm::Module& module) {
  std::vector<llvm::Function*> kernels;
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && function.hasFnAttribute(names::kernelAttribute))
      kernels.push_back(&function);
  return kernels;
}

bool hasVariables(const llvm::Module& module) {
  return llvm::any_of(module.globals(), [](const llvm::GlobalVariable& variable) {
    return !variable.isConstant() && !variable.isDeclaration();
  });
}

uint64_t subGroupSize(const llvm::Function& function) {
  return std::max<uint64_t>(1, numberAttribute(function, names::subGroupSizeAttribute));
}

bool isFlat(const llvm::Function& function, unsigned dimension) {
  return (numberAttribute(function, names::flatAttribute) >> dimension & 1) != 0;
}

bool hasZeroOffset(const llvm::Function& function) {
  return function.hasFnAttribute(names::zeroOffsetAttribute);
}

bool hasUniformGroups(const llvm::Function& kernel) {
  return kernel.getFnAttribute(uniformGroupsAttribute).getValueAsString() == "true";
}

void setUniformGroups(llvm::Function& kernel) {
  kernel.addFnAttr(uniformGroupsAttribute, "true");
}

std::array<uint64_t, 3> requiredWorkGroupSize(const llvm::Function& kernel) {
  std::array<uint64_t, 3> size = {0, 0, 0};
  if (const llvm::MDNode* node = kernel.getMetadata("reqd_work_group_size"))
    for (unsigned i = 0; i < 3 && i < node->getNumOperands(); ++i)
      size[i] = llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(i))->getZExtValue();
  return size;
}

} // namespace quern::compiler
