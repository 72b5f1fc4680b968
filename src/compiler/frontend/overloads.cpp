#include "compiler/frontend/overloads.h"

#include <clang/AST/Attr.h>

namespace quern::compiler {

using clang::LangAS;
using clang::QualType;

QualType Overloads::vectorOf(QualType element, unsigned width) const {
  return width == 1 ? element : context_.getExtVectorType(element, width);
}

QualType Overloads::pointerTo(QualType type, LangAS space) const {
  return context_.getPointerType(context_.getAddrSpaceQualType(type, space));
}

std::vector<LangAS> Overloads::addressSpaces() const {
  std::vector<LangAS> spaces = {LangAS::opencl_constant, LangAS::opencl_global,
                                LangAS::opencl_local, LangAS::opencl_private};
  if (context_.getLangOpts().OpenCLGenericAddressSpace)
    spaces.push_back(LangAS::opencl_generic);
  return spaces;
}

clang::FunctionDecl& Overloads::add(QualType result, llvm::ArrayRef<QualType> parameters) {
  const clang::FunctionProtoType::ExtProtoInfo convention(context_.getDefaultCallingConvention(
      /*IsVariadic=*/false, /*IsCXXMethod=*/false));
  const QualType type = context_.getFunctionType(result, parameters, convention);
  auto* function = clang::FunctionDecl::Create(
      context_, context_.getTranslationUnitDecl(), {}, {}, &name_, type, nullptr, clang::SC_Extern,
      /*UsesFPIntrin=*/false, /*isInlineSpecified=*/false, /*hasWrittenPrototype=*/true);
  function->setImplicit();
  llvm::SmallVector<clang::ParmVarDecl*> variables;
  for (const QualType parameter : parameters) {
    auto* variable = clang::ParmVarDecl::Create(context_, function, {}, {}, nullptr, parameter,
                                                nullptr, clang::SC_None, nullptr);
    variable->setScopeInfo(/*scopeDepth=*/0, static_cast<unsigned>(variables.size()));
    variables.push_back(variable);
  }
  function->setParams(variables);
  if (!context_.getLangOpts().OpenCLCPlusPlus)
    function->addAttr(clang::OverloadableAttr::CreateImplicit(context_));
  functions_.push_back(function);
  return *function;
}

void Overloads::addConvergent(QualType result, llvm::ArrayRef<QualType> parameters) {
  add(result, parameters).addAttr(clang::ConvergentAttr::CreateImplicit(context_));
}

} // namespace quern::compiler
