#include "compiler/frontend/builtin_declarations.h"

#include <algorithm>

#include <clang/AST/Attr.h>
#include <clang/Sema/Lookup.h>
#include <clang/Sema/Sema.h>

#include "compiler/frontend/intel_sub_groups.h"

namespace quern::compiler {
namespace {

using clang::LangAS;
using clang::QualType;

/// vloada_half for one number, 6.15.7 "Vector Data Load and Store Functions".
void declareHalfLoads(Overloads& overloads) {
  const clang::ASTContext& context = overloads.context();
  for (const LangAS space : overloads.addressSpaces())
    overloads
        .add(context.FloatTy,
             {context.getSizeType(), overloads.pointerTo(context.HalfTy.withConst(), space)})
        .addAttr(clang::PureAttr::CreateImplicit(overloads.context()));
}

/// vstorea_half for one number, with each rounding mode.
void declareHalfStores(Overloads& overloads, bool hasDoubles) {
  const clang::ASTContext& context = overloads.context();
  std::vector<QualType> types = {context.FloatTy};
  if (hasDoubles)
    types.push_back(context.DoubleTy);
  for (const QualType type : types)
    for (const LangAS space : overloads.addressSpaces())
      if (space != LangAS::opencl_constant)
        overloads.add(context.VoidTy,
                      {type, context.getSizeType(), overloads.pointerTo(context.HalfTy, space)});
}

/// cl_khr_subgroup_rotate.
void declareRotations(Overloads& overloads, bool isClustered, bool hasDoubles, bool hasHalfs) {
  const clang::ASTContext& context = overloads.context();
  std::vector<QualType> types = {context.CharTy, context.UnsignedCharTy,  context.ShortTy,
                                 context.IntTy,  context.UnsignedShortTy, context.UnsignedIntTy,
                                 context.LongTy, context.UnsignedLongTy,  context.FloatTy};
  if (hasDoubles)
    types.push_back(context.DoubleTy);
  if (hasHalfs)
    types.push_back(context.HalfTy);
  for (const QualType type : types)
    if (isClustered)
      overloads.addConvergent(type, {type, context.IntTy, context.UnsignedIntTy});
    else
      overloads.addConvergent(type, {type, context.IntTy});
}

/// cl_khr_extended_async_copies: two offsets, the size of an element and of what is copied in one,
/// two or three dimensions, and for each side what lies from one line, or plane, to the next.
void declareCopies(Overloads& overloads, unsigned sizes) {
  const clang::ASTContext& context = overloads.context();
  const auto add = [&](LangAS to, LangAS from) {
    const QualType size = context.getSizeType();
    std::vector<QualType> parameters = {overloads.pointerTo(context.VoidTy, to), size,
                                        overloads.pointerTo(context.VoidTy.withConst(), from),
                                        size};
    parameters.insert(parameters.end(), sizes, size);
    parameters.push_back(context.OCLEventTy);
    overloads.addConvergent(context.OCLEventTy, parameters);
  };
  add(LangAS::opencl_local, LangAS::opencl_global);
  add(LangAS::opencl_global, LangAS::opencl_local);
}

/// Whether a parameter is no power of two.
clang::Expr* isNoPowerOfTwo(clang::Sema& sema, clang::ParmVarDecl& parameter) {
  clang::ASTContext& context = sema.getASTContext();
  const clang::SourceLocation nowhere;
  const auto value = [&]() -> clang::Expr* {
    return clang::DeclRefExpr::Create(context, {}, nowhere, &parameter,
                                      /*RefersToEnclosingVariableOrCapture=*/false, nowhere,
                                      parameter.getType(), clang::VK_LValue);
  };
  const auto number = [&](unsigned value) -> clang::Expr* {
    const QualType type = parameter.getType();
    return clang::IntegerLiteral::Create(context, llvm::APInt(context.getIntWidth(type), value),
                                         type, nowhere);
  };
  const auto operation = [&](clang::BinaryOperatorKind kind, clang::Expr* left,
                             clang::Expr* right) {
    return sema.CreateBuiltinBinOp(nowhere, kind, left, right).get();
  };
  clang::Expr* lowerBits =
      operation(clang::BO_And, value(), operation(clang::BO_Sub, value(), number(1)));
  return operation(clang::BO_LOr, operation(clang::BO_EQ, value(), number(0)),
                   operation(clang::BO_NE, lowerBits, number(0)));
}

/// What stands for __builtin_assume_aligned (opencl_extra.h).
void declareAssumedAlignment(Overloads& overloads, clang::Sema& sema) {
  clang::ASTContext& context = overloads.context();
  const QualType size = context.getSizeType();
  for (const LangAS space : overloads.addressSpaces()) {
    clang::FunctionDecl& function =
        overloads.add(overloads.pointerTo(context.VoidTy, space),
                      {overloads.pointerTo(context.VoidTy.withConst(), space), size, size});
    function.addAttr(clang::ConstAttr::CreateImplicit(context));
    function.addAttr(clang::DiagnoseIfAttr::CreateImplicit(
        context, isNoPowerOfTwo(sema, *function.getParamDecl(1)),
        "the alignment is not a power of two", clang::DiagnoseIfAttr::DS_error,
        /*WarningGroup=*/"", /*ArgDependent=*/true, &function));
  }
}

} // namespace

bool BuiltinDeclarations::has(llvm::StringRef feature) const {
  return std::ranges::find(features_, feature) != features_.end();
}

std::vector<clang::FunctionDecl*>
BuiltinDeclarations::declare(clang::IdentifierInfo& identifier) const {
  Overloads overloads(sema_->getASTContext(), identifier);
  llvm::StringRef name = identifier.getName();
  if (name == "__quern_assume_aligned") {
    declareAssumedAlignment(overloads, *sema_);
  } else if (name == "vloada_half") {
    declareHalfLoads(overloads);
  } else if (name == "vstorea_half" || name == "vstorea_half_rte" || name == "vstorea_half_rtz" ||
             name == "vstorea_half_rtp" || name == "vstorea_half_rtn") {
    declareHalfStores(overloads, has("cl_khr_fp64"));
  } else if (name == "sub_group_rotate" || name == "sub_group_clustered_rotate") {
    if (has("cl_khr_subgroup_rotate"))
      declareRotations(overloads, name == "sub_group_clustered_rotate", has("cl_khr_fp64"),
                       has("cl_khr_fp16"));
  } else if (name == "async_work_group_copy_2D2D" || name == "async_work_group_copy_3D3D") {
    if (has("cl_khr_extended_async_copies"))
      declareCopies(overloads, name == "async_work_group_copy_2D2D" ? 5 : 8);
  } else if (name.consume_front("intel_sub_group_")) {
    if (has("cl_intel_subgroups"))
      declareIntelSubGroups(overloads, name);
  }
  return overloads.functions();
}

bool BuiltinDeclarations::LookupUnqualified(clang::LookupResult& result, clang::Scope*) {
  clang::IdentifierInfo* id = result.getLookupName().getAsIdentifierInfo();
  if (!sema_ || !id || result.getLookupKind() != clang::Sema::LookupOrdinaryName ||
      result.isForRedeclaration())
    return false;
  const auto [place, isNew] = declared_.try_emplace(id);
  if (isNew)
    place->second = declare(*id);
  for (clang::FunctionDecl* function : place->second)
    result.addDecl(function);
  result.resolveKind();
  return !place->second.empty();
}

} // namespace quern::compiler
