// Votes, ballots, broadcasts and shuffles of sub-groups (SPIR-V 1.6, 3.52.24 "Non-Uniform
// Instructions").
#include "base/sentence.h"
#include "compiler/spirv/failure.h"
#include "compiler/spirv/function_reader.h"

namespace quern::compiler::spirv {
namespace {

constexpr uint64_t subgroupScope = 3;

bool isNonUniform(Op op) {
  return (op >= Op::GroupNonUniformElect && op <= Op::GroupNonUniformShuffleDown) ||
         op == Op::GroupNonUniformRotateKHR;
}

/// The function that gives each work-item a value that another has, and the operand with its place.
llvm::StringRef exchangeOf(Op op) {
  switch (op) {
  case Op::GroupNonUniformBroadcast:
    return "sub_group_non_uniform_broadcast";
  case Op::GroupNonUniformShuffle:
  case Op::SubgroupShuffleINTEL:
    return "sub_group_shuffle";
  case Op::GroupNonUniformShuffleXor:
  case Op::SubgroupShuffleXorINTEL:
    return "sub_group_shuffle_xor";
  case Op::GroupNonUniformShuffleUp:
    return "sub_group_shuffle_up";
  case Op::GroupNonUniformShuffleDown:
    return "sub_group_shuffle_down";
  default:
    return {};
  }
}

/// The end of the names of functions that read or write blocks of such elements.
llvm::StringRef blockSuffix(const Type& element) {
  switch (element.llvm->getScalarSizeInBits()) {
  case 8:
    return "_uc";
  case 16:
    return "_us";
  case 32:
    return "_ui";
  default:
    return "_ul";
  }
}

} // namespace

bool FunctionReader::readSubGroup(const Instruction& i) {
  if (isNonUniform(i.op))
    require(constant(i.operands[0], "scope") == subgroupScope,
            "has a scope other than that of sub-groups");
  const Type& word = module_.types().integer(32);
  const auto wordOf = [&](size_t index) {
    const Value value = operand(i, index);
    requireInteger(value);
    require(value.type->op == Op::TypeInt, "has an operand that is no whole number");
    return Value{&word, builder_.CreateZExtOrTrunc(value.value, word.llvm)};
  };
  const auto ask = [&](llvm::StringRef name, llvm::ArrayRef<Argument> arguments) {
    return call(name, word.llvm, arguments, Effects::Any);
  };
  const auto ballotOf = [&](size_t index) {
    const Value value = operand(i, index);
    require(value.type && value.type->components() == 4 &&
                value.type->scalar().llvm->isIntegerTy(32),
            "has an operand that is no ballot");
    return asUnsigned(value);
  };
  const auto defineNumber = [&](llvm::Value* number) {
    require(resultType(i).isInteger(), "has a result type that is no whole number");
    define(i, builder_.CreateZExtOrTrunc(number, resultType(i).llvm));
  };
  if (const llvm::StringRef name = exchangeOf(i.op); !name.empty()) {
    const size_t first = isNonUniform(i.op) ? 1 : 0;
    const Value place = wordOf(first + 1);
    define(
        i, eachComponent(operand(i, first), resultType(i), [&](const Value& part) -> llvm::Value* {
          if (part.type->op == Op::TypeBool)
            return builder_.CreateIsNotNull(call(
                name, word.llvm, {asIs({&word, toInt(part)}), asUnsigned(place)}, Effects::Any));
          return call(name, part.value->getType(), {asIs(part), asUnsigned(place)}, Effects::Any);
        }));
    return true;
  }
  switch (i.op) {
  case Op::GroupNonUniformElect:
    define(i, toBool(ask("sub_group_elect", {}), resultType(i)));
    return true;
  case Op::GroupNonUniformAll:
  case Op::GroupNonUniformAny:
    define(i, toBool(ask(i.op == Op::GroupNonUniformAll ? "sub_group_non_uniform_all"
                                                        : "sub_group_non_uniform_any",
                         {asIs({&word, toInt(operand(i, 1))})}),
                     resultType(i)));
    return true;
  case Op::GroupNonUniformAllEqual: {
    Value x = operand(i, 1);
    if (x.type && x.type->op == Op::TypeBool)
      x = {&word, toInt(x)};
    define(i, toBool(ask("sub_group_non_uniform_all_equal", {asIs(x)}), resultType(i)));
    return true;
  }
  case Op::GroupNonUniformBroadcastFirst:
    define(i, eachComponent(operand(i, 1), resultType(i), [&](const Value& part) -> llvm::Value* {
             if (part.type->op == Op::TypeBool)
               return builder_.CreateIsNotNull(
                   ask("sub_group_broadcast_first", {asIs({&word, toInt(part)})}));
             return call("sub_group_broadcast_first", part.value->getType(), {asIs(part)},
                         Effects::Any);
           }));
    return true;
  case Op::GroupNonUniformBallot:
    define(i, call("sub_group_ballot", llvm::FixedVectorType::get(word.llvm, 4),
                   {asIs({&word, toInt(operand(i, 1))})}, Effects::Any));
    return true;
  case Op::GroupNonUniformInverseBallot:
    define(i, toBool(ask("sub_group_inverse_ballot", {ballotOf(1)}), resultType(i)));
    return true;
  case Op::GroupNonUniformBallotBitExtract:
    define(i, toBool(ask("sub_group_ballot_bit_extract", {ballotOf(1), asUnsigned(wordOf(2))}),
                     resultType(i)));
    return true;
  case Op::GroupNonUniformBallotBitCount: {
    constexpr llvm::StringLiteral names[] = {"sub_group_ballot_bit_count",
                                             "sub_group_ballot_inclusive_scan",
                                             "sub_group_ballot_exclusive_scan"};
    require(i.operands[1] < std::size(names), "has a group operation that is not known");
    defineNumber(ask(names[i.operands[1]], {ballotOf(2)}));
    return true;
  }
  case Op::GroupNonUniformBallotFindLSB:
    defineNumber(ask("sub_group_ballot_find_lsb", {ballotOf(1)}));
    return true;
  case Op::GroupNonUniformBallotFindMSB:
    defineNumber(ask("sub_group_ballot_find_msb", {ballotOf(1)}));
    return true;
  case Op::GroupNonUniformRotateKHR: {
    llvm::SmallVector<Argument> more = {asIs(wordOf(2))};
    if (i.operands.size() > 3)
      more.push_back(number(constant(i.operands[3], "size of clusters"), 32, true));
    const llvm::StringRef name =
        more.size() > 1 ? "sub_group_clustered_rotate" : "sub_group_rotate";
    define(i, eachComponent(operand(i, 1), resultType(i), [&](const Value& part) {
             llvm::SmallVector<Argument> arguments = {asIs(part)};
             arguments.append(more);
             return call(name, part.value->getType(), arguments, Effects::Any);
           }));
    return true;
  }
  case Op::SubgroupShuffleDownINTEL:
  case Op::SubgroupShuffleUpINTEL: {
    const Value first = operand(i, 0);
    const Value second = operand(i, 1);
    requireSame(first, second);
    define(i, call(i.op == Op::SubgroupShuffleDownINTEL ? "intel_sub_group_shuffle_down"
                                                        : "intel_sub_group_shuffle_up",
                   resultType(i).llvm, {asIs(first), asIs(second), asUnsigned(wordOf(2))},
                   Effects::Any));
    return true;
  }
  default:
    return readBlock(i);
  }
}

/// Blocks of memory or of an image that a sub-group reads or writes together (SPV_INTEL_subgroups).
bool FunctionReader::readBlock(const Instruction& i) {
  const bool isImage =
      i.op == Op::SubgroupImageBlockReadINTEL || i.op == Op::SubgroupImageBlockWriteINTEL;
  const bool isRead = i.op == Op::SubgroupBlockReadINTEL || i.op == Op::SubgroupImageBlockReadINTEL;
  if (!isImage && !isRead && i.op != Op::SubgroupBlockWriteINTEL)
    return false;
  const Value from = operand(i, 0);
  Value data;
  if (!isRead)
    data = operand(i, isImage ? 2 : 1);
  const Type* block = isRead ? &resultType(i) : data.type;
  require(block && block->scalar().isInteger(), "has data that are no whole numbers");
  llvm::SmallVector<Argument> arguments;
  if (isImage) {
    require(from.type && from.type->op == Op::TypeImage, "has an operand that is no image");
    arguments = {asIs(from), coordinates(*from.type, operand(i, 1))};
  } else {
    const Value elements = typed(from, block->scalar());
    require(elements.type->parts[0]->llvm == block->scalar().llvm,
            "has data of another type than what the pointer points to");
    arguments = {asUnsigned(elements)};
    arguments[0].parameter.isConst = isRead;
  }
  if (!isRead)
    arguments.push_back(asUnsigned(data));
  const unsigned width = block->components();
  const std::string name =
      (llvm::Twine("intel_sub_group_block_") + (isRead ? "read" : "write") +
       blockSuffix(block->scalar()) + (width > 1 ? llvm::Twine(width).str() : std::string()))
          .str();
  llvm::CallInst* result = call(name, isRead ? block->llvm : builder_.getVoidTy(), arguments,
                                isRead ? Effects::Reads : Effects::Any);
  if (isRead)
    define(i, result);
  return true;
}

} // namespace quern::compiler::spirv
