// Barriers and instructions of groups and sub-groups (SPIR-V 1.6, 3.52.20, 3.52.21 and 3.52.24).
#include "base/sentence.h"
#include "compiler/spirv/failure.h"
#include "compiler/spirv/function_reader.h"

namespace quern::compiler::spirv {
namespace {

enum Scope : uint64_t { Workgroup = 2, Subgroup = 3 };
/// 3.28 "Group Operation".
enum GroupOperation : uint32_t { Reduce = 0, InclusiveScan = 1, ExclusiveScan = 2, Clustered = 3 };

/// What reductions and scans combine by, as the names of OpenCL C say it.
struct Combination {
  llvm::StringRef name;
  bool isUnsigned = false;
  bool isLogical = false; ///< of Booleans
};

Combination combinationOf(Op op) {
  switch (op) {
  case Op::GroupIAdd:
  case Op::GroupFAdd:
  case Op::GroupNonUniformIAdd:
  case Op::GroupNonUniformFAdd:
    return {"add"};
  case Op::GroupFMin:
  case Op::GroupSMin:
  case Op::GroupNonUniformFMin:
  case Op::GroupNonUniformSMin:
    return {"min"};
  case Op::GroupUMin:
  case Op::GroupNonUniformUMin:
    return {"min", true};
  case Op::GroupFMax:
  case Op::GroupSMax:
  case Op::GroupNonUniformFMax:
  case Op::GroupNonUniformSMax:
    return {"max"};
  case Op::GroupUMax:
  case Op::GroupNonUniformUMax:
    return {"max", true};
  case Op::GroupIMulKHR:
  case Op::GroupFMulKHR:
  case Op::GroupNonUniformIMul:
  case Op::GroupNonUniformFMul:
    return {"mul"};
  case Op::GroupBitwiseAndKHR:
  case Op::GroupNonUniformBitwiseAnd:
    return {"and"};
  case Op::GroupBitwiseOrKHR:
  case Op::GroupNonUniformBitwiseOr:
    return {"or"};
  case Op::GroupBitwiseXorKHR:
  case Op::GroupNonUniformBitwiseXor:
    return {"xor"};
  case Op::GroupLogicalAndKHR:
  case Op::GroupNonUniformLogicalAnd:
    return {"logical_and", false, true};
  case Op::GroupLogicalOrKHR:
  case Op::GroupNonUniformLogicalOr:
    return {"logical_or", false, true};
  case Op::GroupLogicalXorKHR:
  case Op::GroupNonUniformLogicalXor:
    return {"logical_xor", false, true};
  default:
    return {};
  }
}

/// The function that reduces or scans a whole sub-group, or a group where `ofGroup`.
std::string collectiveName(const Combination& combination, uint32_t operation, bool ofGroup) {
  const std::string prefix = ofGroup ? "work_group_" : "sub_group_non_uniform_";
  switch (operation) {
  case Reduce:
    return prefix + "reduce_" + combination.name.str();
  case InclusiveScan:
    return prefix + "scan_inclusive_" + combination.name.str();
  case ExclusiveScan:
    return prefix + "scan_exclusive_" + combination.name.str();
  case Clustered:
    return "sub_group_clustered_reduce_" + combination.name.str();
  default:
    throw RuleBroken{sentence("has the group operation ", operation, ", which is not known")};
  }
}

} // namespace

llvm::Value*
FunctionReader::eachComponent(const Value& operand, const Type& result,
                              llvm::function_ref<llvm::Value*(const Value&)> function) {
  if (!operand.value->getType()->isVectorTy())
    return function(operand);
  require(operand.type->components() == result.components(),
          "has a result type that has not the shape of its operand");
  llvm::Value* combined = llvm::PoisonValue::get(result.llvm);
  for (unsigned k = 0; k < result.components(); ++k) {
    llvm::Value* part =
        function({&operand.type->scalar(), builder_.CreateExtractElement(operand.value, k)});
    require(part->getType() == result.scalar().llvm,
            "has a result type that its operands do not give");
    combined = builder_.CreateInsertElement(combined, part, k);
  }
  return combined;
}

bool FunctionReader::readGroup(const Instruction& i) {
  switch (i.op) {
  case Op::ControlBarrier:
    readBarrier(i);
    return true;
  case Op::GroupAsyncCopy:
  case Op::UntypedGroupAsyncCopyKHR:
    readAsyncCopy(i);
    return true;
  case Op::GroupWaitEvents: {
    const Value count = operand(i, 1);
    requireInteger(count);
    const Value events = typed(operand(i, 2), module_.types().event());
    require(count.type->op == Op::TypeInt && events.type->parts[0]->op == Op::TypeEvent,
            "has operands that are no number and a pointer to events");
    const Type& number = module_.types().integer(32);
    call("wait_group_events", builder_.getVoidTy(),
         {asIs({&number, builder_.CreateZExtOrTrunc(count.value, number.llvm)}), asIs(events)},
         Effects::Any);
    return true;
  }
  case Op::ReadClockKHR: {
    const uint64_t scope = constant(i.operands[0], "scope");
    const llvm::StringRef of = scope == 1           ? "device"
                               : scope == Workgroup ? "work_group"
                               : scope == Subgroup  ? "sub_group"
                                                    : "";
    require(!of.empty(), "has a scope that has no clock");
    const bool isPair = resultType(i).op == Op::TypeVector;
    define(i, call(((isPair ? "clock_read_hilo_" : "clock_read_") + of).str(), resultType(i).llvm,
                   {}, Effects::Any));
    return true;
  }
  default:
    return readCollective(i) || readSubGroup(i);
  }
}

void FunctionReader::readBarrier(const Instruction& i) {
  const uint64_t scope = constant(i.operands[0], "scope");
  // The wider scopes are not allowed, but there are modules with them, of KernelAbstractions.jl for
  // one, and all that can wait for each other are the work-items of a work-group.
  require(scope <= Subgroup, "has the execution scope ", scope,
          ", for which there are no barriers");
  const llvm::StringRef symbol = scope == Subgroup ? "_Z17sub_group_barrierj12memory_scope"
                                                   : "_Z18work_group_barrierj12memory_scope";
  callSymbol(builder_, symbol, builder_.getVoidTy(),
             {memoryFlags(i.operands[2]), memoryScope(i.operands[1]).value}, Effects::Any);
}

/// What has so many bytes and is copied by a function of the library.
const Type& FunctionReader::elementOf(uint64_t bytes) {
  require(llvm::isPowerOf2_64(bytes) && bytes <= 128, "copies elements of ", bytes, " bytes");
  Types& types = module_.types();
  if (bytes <= 8)
    return types.integer(static_cast<unsigned>(bytes) * 8);
  return types.vectorOf(types.integer(64), static_cast<unsigned>(bytes / 8));
}

void FunctionReader::readAsyncCopy(const Instruction& i) {
  // Untyped pointers come with the size of an element.
  const size_t first = i.op == Op::UntypedGroupAsyncCopyKHR ? 4 : 3;
  const Type& element =
      first == 4 ? elementOf(constant(i.operands[3], "element size")) : module_.types().integer(8);
  const Value to = typed(operand(i, 1), element);
  const Value from = typed(operand(i, 2), element);
  const Value count = operand(i, first);
  const Value stride = operand(i, first + 1);
  const Value event = operand(i, first + 2);
  requireInteger(count);
  requireInteger(stride);
  require(event.type && event.type->op == Op::TypeEvent, "has an event that is none");
  const Type& size = module_.types().integer(64);
  const auto asSize = [&](const Value& value) {
    require(value.type->op == Op::TypeInt, "has a number that is none");
    return asUnsigned({&size, builder_.CreateZExtOrTrunc(value.value, size.llvm)});
  };
  Argument source = asIs(from);
  source.parameter.isConst = true;
  llvm::SmallVector<Argument> arguments = {asIs(to), source, asSize(count)};
  const bool isStrided = module_.constant(i.operands[first + 1]) != 1;
  if (isStrided)
    arguments.push_back(asSize(stride));
  arguments.push_back(asIs(event));
  define(i, call(isStrided ? "async_work_group_strided_copy" : "async_work_group_copy",
                 event.type->llvm, arguments, Effects::Any));
}

bool FunctionReader::readCollective(const Instruction& i) {
  const auto isOfGroup = [&] {
    const uint64_t scope = constant(i.operands[0], "scope");
    require(scope == Workgroup || scope == Subgroup, "has the scope ", scope,
            ", which is no group");
    return scope == Workgroup;
  };
  if (const Combination combination = combinationOf(i.op); !combination.name.empty()) {
    const bool ofGroup = isOfGroup();
    const Value x = operand(i, 2);
    const std::string name = collectiveName(combination, i.operands[1], ofGroup);
    const Type& result = resultType(i);
    llvm::SmallVector<Argument> more;
    if (i.operands[1] == Clustered) {
      require(i.operands.size() > 3, "has no size of clusters");
      more.push_back(number(constant(i.operands[3], "size of clusters"), 32, true));
    }
    define(i, eachComponent(x, result, [&](const Value& part) -> llvm::Value* {
             if (combination.isLogical) {
               const Type& number = module_.types().integer(32);
               llvm::SmallVector<Argument> arguments = {asIs({&number, toInt(part)})};
               arguments.append(more);
               return builder_.CreateIsNotNull(call(name, number.llvm, arguments, Effects::Any));
             }
             require(part.type->isInteger() || part.type->isFloat(),
                     "has an operand that is no number");
             Argument argument = asIs(part);
             argument.parameter.isUnsigned = combination.isUnsigned;
             llvm::SmallVector<Argument> arguments = {argument};
             arguments.append(more);
             return call(name, part.type->llvm, arguments, Effects::Any);
           }));
    return true;
  }
  switch (i.op) {
  case Op::GroupAll:
  case Op::GroupAny: {
    const std::string name = std::string(isOfGroup() ? "work_group_" : "sub_group_") +
                             (i.op == Op::GroupAll ? "all" : "any");
    const Type& number = module_.types().integer(32);
    llvm::Value* vote =
        call(name, number.llvm, {asIs({&number, toInt(operand(i, 1))})}, Effects::Any);
    define(i, toBool(vote, resultType(i)));
    return true;
  }
  case Op::GroupBroadcast: {
    const bool ofGroup = isOfGroup();
    const Value id = operand(i, 2);
    requireInteger(id);
    llvm::SmallVector<Argument> places;
    const Type& size = module_.types().integer(ofGroup ? 64 : 32);
    for (unsigned k = 0; k < id.type->components(); ++k)
      places.push_back(asUnsigned(
          {&size, builder_.CreateZExtOrTrunc(id.type->op == Op::TypeVector
                                                 ? builder_.CreateExtractElement(id.value, k)
                                                 : id.value,
                                             size.llvm)}));
    require(places.size() <= (ofGroup ? 3 : 1), "names a work-item by too many numbers");
    define(i, eachComponent(operand(i, 1), resultType(i), [&](const Value& part) {
             llvm::SmallVector<Argument> arguments = {asIs(part)};
             arguments.append(places);
             return call(ofGroup ? "work_group_broadcast" : "sub_group_broadcast",
                         part.value->getType(), arguments, Effects::Any);
           }));
    return true;
  }
  default:
    return false;
  }
}

} // namespace quern::compiler::spirv
