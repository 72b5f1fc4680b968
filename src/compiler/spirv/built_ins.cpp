#include "compiler/spirv/built_ins.h"

#include <algorithm>
#include <array>

#include "base/sentence.h"
#include "compiler/spirv/failure.h"

namespace quern::compiler::spirv {
namespace {

struct Row {
  uint32_t number; ///< SPIR-V 1.6, 3.21 "BuiltIn"
  llvm::StringRef symbol;
  bool hasDimensions;
  unsigned bits;
  unsigned components = 1;
};

constexpr auto rows = std::to_array<Row>({
    {24, "_Z14get_num_groupsj", true, 64},
    {25, "_Z14get_local_sizej", true, 64},
    {26, "_Z12get_group_idj", true, 64},
    {27, "_Z12get_local_idj", true, 64},
    {28, "_Z13get_global_idj", true, 64},
    {29, "_Z19get_local_linear_idv", false, 64},
    {30, "_Z12get_work_dimv", false, 32},
    {31, "_Z15get_global_sizej", true, 64},
    {32, "_Z23get_enqueued_local_sizej", true, 64},
    {33, "_Z17get_global_offsetj", true, 64},
    {34, "_Z20get_global_linear_idv", false, 64},
    {36, "_Z18get_sub_group_sizev", false, 32},
    {37, "_Z22get_max_sub_group_sizev", false, 32},
    {38, "_Z18get_num_sub_groupsv", false, 32},
    {39, "_Z27get_enqueued_num_sub_groupsv", false, 32},
    {40, "_Z16get_sub_group_idv", false, 32},
    {41, "_Z22get_sub_group_local_idv", false, 32},
    {4416, "_Z21get_sub_group_eq_maskv", false, 32, 4},
    {4417, "_Z21get_sub_group_ge_maskv", false, 32, 4},
    {4418, "_Z21get_sub_group_gt_maskv", false, 32, 4},
    {4419, "_Z21get_sub_group_le_maskv", false, 32, 4},
    {4420, "_Z21get_sub_group_lt_maskv", false, 32, 4},
});

} // namespace

llvm::Type* BuiltInPart::typeIn(llvm::LLVMContext& context) const {
  llvm::Type* number = llvm::Type::getIntNTy(context, bits);
  return components == 1 ? number : llvm::FixedVectorType::get(number, components);
}

llvm::Value* valueOfBuiltIn(llvm::IRBuilder<>& builder, uint32_t number, const Type& content,
                            llvm::function_ref<llvm::Value*(const BuiltInPart&)> ask) {
  const auto* row = std::ranges::find(rows, number, &Row::number);
  if (row == rows.end())
    throw RuleBroken{
        sentence("names a variable that is the BuiltIn ", number, ", which kernels do not have")};
  const unsigned components = row->hasDimensions ? 3 : row->components;
  if (!content.scalar().isInteger() || content.components() != components)
    throw RuleBroken{sentence("names a variable that is the BuiltIn ", number, " and not ",
                              components, " whole numbers")};
  if (!row->hasDimensions)
    return builder.CreateZExtOrTrunc(ask({row->symbol, std::nullopt, row->bits, row->components}),
                                     content.llvm);
  llvm::Value* value = llvm::PoisonValue::get(content.llvm);
  for (unsigned dimension = 0; dimension < components; ++dimension)
    value = builder.CreateInsertElement(
        value,
        builder.CreateZExtOrTrunc(ask({row->symbol, dimension, row->bits}), content.scalar().llvm),
        dimension);
  return value;
}

} // namespace quern::compiler::spirv
