// Pipes (SPIR-V 1.6, 3.52.23), by the functions that Clang calls for those of OpenCL C.
#include "compiler/spirv/failure.h"
#include "compiler/spirv/function_reader.h"

namespace quern::compiler::spirv {
namespace {

struct PipeFunction {
  llvm::StringRef name;
  bool ofGroup = false; ///< all work-items of a group or sub-group call it
};

PipeFunction pipeFunctionOf(Op op) {
  switch (op) {
  case Op::ReadPipe:
    return {"__read_pipe_2"};
  case Op::WritePipe:
    return {"__write_pipe_2"};
  case Op::ReservedReadPipe:
    return {"__read_pipe_4"};
  case Op::ReservedWritePipe:
    return {"__write_pipe_4"};
  case Op::ReserveReadPipePackets:
    return {"__reserve_read_pipe"};
  case Op::ReserveWritePipePackets:
    return {"__reserve_write_pipe"};
  case Op::CommitReadPipe:
    return {"__commit_read_pipe"};
  case Op::CommitWritePipe:
    return {"__commit_write_pipe"};
  case Op::GroupReserveReadPipePackets:
    return {"reserve_read_pipe", true};
  case Op::GroupReserveWritePipePackets:
    return {"reserve_write_pipe", true};
  case Op::GroupCommitReadPipe:
    return {"commit_read_pipe", true};
  case Op::GroupCommitWritePipe:
    return {"commit_write_pipe", true};
  case Op::GetNumPipePackets:
    return {"__get_pipe_num_packets"};
  case Op::GetMaxPipePackets:
    return {"__get_pipe_max_packets"};
  default:
    return {};
  }
}

} // namespace

bool FunctionReader::readPipe(const Instruction& i) {
  if (i.op == Op::IsValidReserveId) {
    const Value id = operand(i, 0);
    require(id.type && id.type->op == Op::TypeReserveId, "has an operand that is no reservation");
    define(i, call("is_valid_reserve_id", builder_.getInt1Ty(), {asIs(id)}, Effects::None));
    return true;
  }
  const PipeFunction function = pipeFunctionOf(i.op);
  if (function.name.empty())
    return false;
  std::string name = function.name.str();
  if (function.ofGroup) {
    constexpr uint64_t workgroup = 2;
    constexpr uint64_t subgroup = 3;
    const uint64_t scope = constant(i.operands[0], "scope");
    require(scope == workgroup || scope == subgroup, "has a scope that is no group");
    name = (scope == workgroup ? "__work_group_" : "__sub_group_") + name;
  }
  // The packet's address is generic in the library, and numbers are of 32 bits.
  llvm::SmallVector<llvm::Value*> arguments;
  const Type* pipe = nullptr;
  for (size_t k = function.ofGroup ? 1 : 0; k < i.operands.size(); ++k) {
    const Value x = operand(i, k);
    require(x.type, "has an operand that is nothing of a pipe's");
    if (!pipe) {
      require(x.type->op == Op::TypePipe, "has an operand that is no pipe");
      pipe = x.type;
    }
    if (x.type->isPointer())
      arguments.push_back(builder_.CreateAddrSpaceCast(
          x.value, llvm::PointerType::get(module_.context(), addressSpaceOf(Storage::Generic))));
    else if (x.type->isInteger())
      arguments.push_back(builder_.CreateZExtOrTrunc(x.value, builder_.getInt32Ty()));
    else
      arguments.push_back(x.value);
  }
  if (i.op == Op::GetNumPipePackets || i.op == Op::GetMaxPipePackets)
    name += pipe->access == Access::ReadOnly ? "_ro" : "_wo";
  llvm::Type* result = i.type ? resultType(i).llvm : builder_.getVoidTy();
  require(result != nullptr, "has a type without values");
  llvm::CallInst* made = callSymbol(builder_, name, result, arguments, Effects::Any);
  if (i.type)
    define(i, made);
  return true;
}

} // namespace quern::compiler::spirv
