#include "compiler/frontend/intel_sub_groups.h"

#include <string>
#include <tuple>
#include <utility>

namespace quern::compiler {
namespace {

using clang::LangAS;
using clang::QualType;

class IntelSubGroups {
public:
  explicit IntelSubGroups(Overloads& overloads)
      : overloads_(overloads), context_(overloads.context()) {}

  void declare(llvm::StringRef name) {
    if (name == "shuffle" || name == "shuffle_xor")
      ofVectors(numbers(), 1);
    else if (name == "shuffle_up" || name == "shuffle_down")
      ofVectors(numbers(), 2);
    else if (name == "broadcast")
      ofVectors(smallIntegers(), 1);
    else if (isReduction(name))
      for (const QualType type : smallIntegers())
        overloads_.addConvergent(type, {type});
    else if (name.consume_front("block_"))
      declareBlocks(name);
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

  /// Of `values` values, and a number that says which work-item is meant.
  void ofVectors(const std::vector<QualType>& elements, size_t values) {
    for (const QualType element : elements)
      for (const unsigned width : widths) {
        std::vector<QualType> parameters(values, overloads_.vectorOf(element, width));
        parameters.push_back(context_.UnsignedIntTy);
        overloads_.addConvergent(parameters.front(), parameters);
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

  void declareReads(QualType element, unsigned width) {
    const QualType block = overloads_.vectorOf(element, width);
    for (const LangAS space : spaces)
      overloads_.addConvergent(block, {overloads_.pointerTo(element.withConst(), space)});
    for (const QualType image : {context_.OCLImage2dROTy, context_.OCLImage2dRWTy})
      overloads_.addConvergent(block, {image, overloads_.vectorOf(context_.IntTy, 2)});
  }

  void declareWrites(QualType element, unsigned width) {
    const QualType block = overloads_.vectorOf(element, width);
    for (const LangAS space : spaces)
      overloads_.addConvergent(context_.VoidTy, {overloads_.pointerTo(element, space), block});
    for (const QualType image : {context_.OCLImage2dWOTy, context_.OCLImage2dRWTy})
      overloads_.addConvergent(context_.VoidTy,
                               {image, overloads_.vectorOf(context_.IntTy, 2), block});
  }

  static constexpr unsigned widths[] = {1, 2, 3, 4, 8, 16};
  static constexpr LangAS spaces[] = {LangAS::opencl_global, LangAS::opencl_local};

  Overloads& overloads_;
  clang::ASTContext& context_;
};

} // namespace

void declareIntelSubGroups(Overloads& overloads, llvm::StringRef name) {
  IntelSubGroups(overloads).declare(name);
}

} // namespace quern::compiler
