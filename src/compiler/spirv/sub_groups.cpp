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
    // Of two values side by side: down reaches from the first into the second, up from the second
    // into the first.
    const bool isDown = i.op == Op::SubgroupShuffleDownINTEL;
    const Value first = operand(i, 0);
    const Value second = operand(i, 1);
    requireSame(first, second);
    llvm::Value* lane =
        callSymbol(builder_, "_Z22get_sub_group_local_idv", word.llvm, {}, Effects::None);
    llvm::Value* size =
        callSymbol(builder_, "_Z22get_max_sub_group_sizev", word.llvm, {}, Effects::None);
    llvm::Value* delta = wordOf(2).value;
    llvm::Value* place = isDown ? builder_.CreateAdd(lane, delta)
                                : builder_.CreateSub(builder_.CreateAdd(lane, size), delta);
    llvm::Value* isInFirst = builder_.CreateICmpULT(place, size);
    const Value inFirst = {&word, builder_.CreateSelect(isInFirst, place, lane)};
    const Value inSecond = {
        &word, builder_.CreateSelect(isInFirst, lane, builder_.CreateSub(place, size))};
    const auto shuffled = [&](const Value& from, const Value& at) {
      return eachComponent(from, resultType(i), [&](const Value& part) {
        return call("sub_group_shuffle", part.value->getType(), {asIs(part), asUnsigned(at)},
                    Effects::Any);
      });
    };
    llvm::Value* fromFirst = shuffled(first, inFirst);
    define(i, builder_.CreateSelect(isInFirst, fromFirst, shuffled(second, inSecond)));
    return true;
  }
  default:
    return false;
  }
}

} // namespace quern::compiler::spirv
