#include "compiler/frontend/intel_sub_groups.h"

#include <string>
#include <tuple>
#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/Sema/Lookup.h>
#include <clang/Sema/Sema.h>

namespace quern::compiler {
namespace {

using clang::QualType;

/// All overloads of one function.
class Overloads {
public:
  Overloads(clang::ASTContext& context, clang::IdentifierInfo& name)
      : context_(context), name_(name) {}

  /// `name` is what follows `intel_sub_group_`. None where no function has that name.
  std::vector<clang::FunctionDecl*> declare(llvm::StringRef name) {
    if (name == "shuffle" || name == "shuffle_xor")
      ofVectors(numbers(), 1);
    else if (name == "shuffle_up" || name == "shuffle_down")
      ofVectors(numbers(), 2);
    else if (name == "broadcast")
      ofVectors(smallIntegers(), 1);
    else if (isReduction(name))
      for (const QualType type : smallIntegers())
        add(type, {type});
    else if (name.consume_front("block_"))
      declareBlocks(name);
    return std::move(functions_);
  }

private:
  std::vector<QualType> smallIntegers() const {
    return {context_.CharTy, context_.UnsignedCharTy, context_.ShortTy, context_.UnsignedShortTy};
  }

  std::vector<QualType> numbers() const {
    std::vector<QualType> types = smallIntegers();
    types.insert(types.end(),
                 {context_.IntTy, context_.UnsignedIntTy, context_.LongTy, context_.UnsignedLongTy,
                  context_.FloatTy, context_.DoubleTy, context_.HalfTy});
    return types;
  }

  static bool isReduction(llvm::StringRef name) {
    return (name.consume_front("reduce_") || name.consume_front("scan_inclusive_") ||
            name.consume_front("scan_exclusive_")) &&
           (name == "add" || name == "min" || name == "max");
  }

  QualType vectorOf(QualType element, unsigned width) const {
    return width == 1 ? element : context_.getExtVectorType(element, width);
  }

  /// Of `values` values, and a number that says which work-item is meant.
  void ofVectors(const std::vector<QualType>& elements, size_t values) {
    for (const QualType element : elements)
      for (const unsigned width : widths) {
        std::vector<QualType> parameters(values, vectorOf(element, width));
        parameters.push_back(context_.UnsignedIntTy);
        add(parameters.front(), parameters);
      }
  }

  /// What follows is `read` or `write`, the type of the elements, and how many of them each
  /// work-item has.
  void declareBlocks(llvm::StringRef name) {
    const bool isRead = name.consume_front("read");
    if (!isRead && !name.consume_front("write"))
      return;
    QualType element = context_.UnsignedIntTy;
    unsigned most = 8;
    if (name.consume_front("_uc"))
      std::tie(element, most) = std::pair(context_.UnsignedCharTy, 16u);
    else if (name.consume_front("_us"))
      std::tie(element, most) = std::pair(context_.UnsignedShortTy, 16u);
    else if (name.consume_front("_ul"))
      element = context_.UnsignedLongTy;
    else
      name.consume_front("_ui");
    for (const unsigned width : {1u, 2u, 4u, 8u, 16u})
      if (width <= most && name == (width == 1 ? "" : std::to_string(width)))
        isRead ? declareReads(element, width) : declareWrites(element, width);
  }

  QualType pointerTo(QualType element, clang::LangAS space) const {
    return context_.getPointerType(context_.getAddrSpaceQualType(element, space));
  }

  void declareReads(QualType element, unsigned width) {
    const QualType block = vectorOf(element, width);
    for (const clang::LangAS space : spaces)
      add(block, {pointerTo(element.withConst(), space)});
    for (const QualType image : {context_.OCLImage2dROTy, context_.OCLImage2dRWTy})
      add(block, {image, vectorOf(context_.IntTy, 2)});
  }

  void declareWrites(QualType element, unsigned width) {
    const QualType block = vectorOf(element, width);
    for (const clang::LangAS space : spaces)
      add(context_.VoidTy, {pointerTo(element, space), block});
    for (const QualType image : {context_.OCLImage2dWOTy, context_.OCLImage2dRWTy})
      add(context_.VoidTy, {image, vectorOf(context_.IntTy, 2), block});
  }

  void add(QualType result, llvm::ArrayRef<QualType> parameters) {
    const clang::FunctionProtoType::ExtProtoInfo convention(context_.getDefaultCallingConvention(
        /*IsVariadic=*/false, /*IsCXXMethod=*/false));
    const QualType type = context_.getFunctionType(result, parameters, convention);
    auto* function = clang::FunctionDecl::Create(
        context_, context_.getTranslationUnitDecl(), {}, {}, &name_, type, nullptr,
        clang::SC_Extern, /*UsesFPIntrin=*/false, /*isInlineSpecified=*/false,
        /*hasWrittenPrototype=*/true);
    function->setImplicit();
    llvm::SmallVector<clang::ParmVarDecl*, 3> variables;
    for (const QualType parameter : parameters)
      variables.push_back(clang::ParmVarDecl::Create(context_, function, {}, {}, nullptr, parameter,
                                                     nullptr, clang::SC_None, nullptr));
    function->setParams(variables);
    if (!context_.getLangOpts().OpenCLCPlusPlus)
      function->addAttr(clang::OverloadableAttr::CreateImplicit(context_));
    function->addAttr(clang::ConvergentAttr::CreateImplicit(context_));
    functions_.push_back(function);
  }

  static constexpr unsigned widths[] = {1, 2, 3, 4, 8, 16};
  static constexpr clang::LangAS spaces[] = {clang::LangAS::opencl_global,
                                             clang::LangAS::opencl_local};

  clang::ASTContext& context_;
  clang::IdentifierInfo& name_;
  std::vector<clang::FunctionDecl*> functions_;
};

} // namespace

bool IntelSubGroups::LookupUnqualified(clang::LookupResult& result, clang::Scope*) {
  clang::IdentifierInfo* id = result.getLookupName().getAsIdentifierInfo();
  if (!sema_ || !id || result.getLookupKind() != clang::Sema::LookupOrdinaryName ||
      result.isForRedeclaration())
    return false;
  llvm::StringRef name = id->getName();
  if (!name.consume_front("intel_sub_group_"))
    return false;
  const auto [place, isNew] = declared_.try_emplace(id);
  if (isNew)
    place->second = Overloads(sema_->getASTContext(), *id).declare(name);
  for (clang::FunctionDecl* function : place->second)
    result.addDecl(function);
  result.resolveKind();
  return !place->second.empty();
}

} // namespace quern::compiler
