#include "compiler/target/nvptx/remap_address_spaces.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "compiler/il/address_space.h"
#include "compiler/il/kernel_function.h"

namespace quern::compiler {
namespace {

unsigned remapped(unsigned space) {
  switch (space) {
  case address_space::constant:
    return nvptx_space::global;
  case address_space::generic:
    return nvptx_space::generic;
  default:
    return space;
  }
}

class TypeMap final : public llvm::ValueMapTypeRemapper {
public:
  llvm::Type* remapType(llvm::Type* type) override {
    if (auto* pointer = llvm::dyn_cast<llvm::PointerType>(type))
      return llvm::PointerType::get(type->getContext(), remapped(pointer->getAddressSpace()));
    if (type->getNumContainedTypes() == 0)
      return type;
    const auto known = types_.find(type);
    if (known != types_.end())
      return known->second;
    llvm::Type* result = remapContaining(type);
    types_[type] = result;
    return result;
  }

private:
  llvm::Type* remapContaining(llvm::Type* type) {
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
      return llvm::ArrayType::get(remapType(array->getElementType()), array->getNumElements());
    if (auto* vector = llvm::dyn_cast<llvm::VectorType>(type))
      return llvm::VectorType::get(remapType(vector->getElementType()), vector->getElementCount());
    llvm::SmallVector<llvm::Type*> parts;
    if (auto* function = llvm::dyn_cast<llvm::FunctionType>(type)) {
      for (llvm::Type* parameter : function->params())
        parts.push_back(remapType(parameter));
      return llvm::FunctionType::get(remapType(function->getReturnType()), parts,
                                     function->isVarArg());
    }
    auto* record = llvm::dyn_cast<llvm::StructType>(type);
    if (!record)
      return type;
    bool changed = false;
    for (llvm::Type* element : record->elements()) {
      parts.push_back(remapType(element));
      changed |= parts.back() != element;
    }
    if (!changed)
      return type;
    return record->isLiteral()
               ? llvm::StructType::get(type->getContext(), parts, record->isPacked())
               : llvm::StructType::create(type->getContext(), parts, "", record->isPacked());
  }

  llvm::DenseMap<llvm::Type*, llvm::Type*> types_;
};

class Remapper final : public llvm::ValueMaterializer {
public:
  explicit Remapper(llvm::Module& module) : module_(module) {}

  void run() {
    for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module_.globals()))
      replaceVariable(variable);
    for (llvm::Function& function : llvm::make_early_inc_range(module_))
      replaceFunction(function);
    for (llvm::GlobalVariable* variable : variables_) {
      auto* replacement = llvm::cast<llvm::GlobalVariable>(values_[variable]);
      if (variable->hasInitializer())
        replacement->setInitializer(llvm::cast<llvm::Constant>(map(variable->getInitializer())));
    }
    for (llvm::Function& function : module_)
      if (!function.isDeclaration())
        remapBody(function);
    for (llvm::Function* function : functions_)
      discard(*function);
    for (llvm::GlobalVariable* variable : variables_)
      discard(*variable);
  }

  /// A cast between two spaces that have become one is no cast any more, nor is one of the null
  /// pointer, which no initializer in PTX could express.
  llvm::Value* materialize(llvm::Value* value) override {
    auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(value);
    if (!cast || cast->getOpcode() != llvm::Instruction::AddrSpaceCast)
      return nullptr;
    llvm::Constant* operand = cast->getOperand(0);
    if (operand->isNullValue())
      return llvm::Constant::getNullValue(types_.remapType(cast->getType()));
    return types_.remapType(cast->getType()) == types_.remapType(operand->getType()) ? map(operand)
                                                                                     : nullptr;
  }

private:
  static inline const auto flags = llvm::RF_IgnoreMissingLocals | llvm::RF_NoModuleLevelChanges;

  llvm::Value* map(llvm::Value* value) {
    return llvm::MapValue(value, values_, flags, &types_, this);
  }

  /// Lists of pointers to functions and variables, which are not in the program's memory, stay.
  void replaceVariable(llvm::GlobalVariable& old) {
    if (old.hasAppendingLinkage())
      return;
    auto* variable = new llvm::GlobalVariable(
        module_, types_.remapType(old.getValueType()), old.isConstant(), old.getLinkage(), nullptr,
        "", &old, llvm::GlobalValue::NotThreadLocal, remapped(old.getAddressSpace()));
    variable->copyAttributesFrom(&old);
    variable->copyMetadata(&old, 0);
    variable->takeName(&old);
    values_[&old] = variable;
    variables_.push_back(&old);
  }

  void replaceFunction(llvm::Function& old) {
    auto* type = llvm::cast<llvm::FunctionType>(types_.remapType(old.getFunctionType()));
    remapTypesOfAttributes(old);
    if (type == old.getFunctionType())
      return;
    llvm::Function* function = llvm::Function::Create(type, old.getLinkage(), 0, "");
    module_.getFunctionList().insert(old.getIterator(), function);
    function->copyAttributesFrom(&old);
    function->copyMetadata(&old, 0);
    // Not takeName, which leaves unknown that a function is an intrinsic one.
    const std::string name = old.getName().str();
    old.setName("");
    function->setName(name);
    function->splice(function->begin(), &old);
    for (unsigned i = 0; i < old.arg_size(); ++i) {
      function->getArg(i)->takeName(old.getArg(i));
      values_[old.getArg(i)] = function->getArg(i);
    }
    markConstantArguments(*function, old);
    old.setSubprogram(nullptr);
    // The name of an intrinsic function names the types of its pointers.
    if (auto renamed = llvm::Intrinsic::remangleIntrinsicFunction(function)) {
      function->eraseFromParent();
      function = *renamed;
    }
    values_[&old] = function;
    functions_.push_back(&old);
  }

  void remapTypesOfAttributes(llvm::Function& function) {
    for (llvm::Argument& argument : function.args())
      if (llvm::Type* type = argument.getParamByValType()) {
        argument.removeAttr(llvm::Attribute::ByVal);
        argument.addAttr(
            llvm::Attribute::getWithByValType(function.getContext(), types_.remapType(type)));
      }
  }

  static void markConstantArguments(llvm::Function& function, const llvm::Function& old) {
    if (old.getCallingConv() != llvm::CallingConv::SPIR_KERNEL)
      return;
    for (unsigned i = 0; i < old.arg_size(); ++i) {
      const auto* type = llvm::dyn_cast<llvm::PointerType>(old.getArg(i)->getType());
      if (!type || type->getAddressSpace() != address_space::constant)
        continue;
      function.addParamAttr(i, llvm::Attribute::NoAlias);
      function.addParamAttr(i, llvm::Attribute::ReadOnly);
    }
  }

  void remapBody(llvm::Function& function) {
    llvm::RemapFunction(function, values_, flags, &types_, this);
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction);
          cast && cast->getSrcTy() == cast->getDestTy()) {
        cast->replaceAllUsesWith(cast->getPointerOperand());
        cast->eraseFromParent();
      }
  }

  static void discard(llvm::GlobalValue& old) {
    if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&old))
      variable->setInitializer(nullptr);
    old.removeDeadConstantUsers();
    if (!old.use_empty())
      old.replaceAllUsesWith(llvm::PoisonValue::get(old.getType()));
    old.eraseFromParent();
  }

  llvm::Module& module_;
  TypeMap types_;
  llvm::ValueToValueMapTy values_;
  llvm::SmallVector<llvm::GlobalVariable*> variables_;
  llvm::SmallVector<llvm::Function*> functions_;
};

} // namespace

llvm::PreservedAnalyses RemapAddressSpacesPass::run(llvm::Module& module,
                                                    llvm::ModuleAnalysisManager&) {
  Remapper(module).run();
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
