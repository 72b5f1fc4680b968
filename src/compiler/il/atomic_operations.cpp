#include "compiler/il/atomic_operations.h"

namespace quern::compiler {

using Operation = llvm::AtomicRMWInst::BinOp;

std::optional<Associative> joiningOf(Operation operation) {
  switch (operation) {
  case Operation::Add:
  case Operation::Sub:
    return Associative::Add;
  case Operation::And:
    return Associative::And;
  case Operation::Or:
    return Associative::Or;
  case Operation::Xor:
    return Associative::Xor;
  case Operation::Max:
    return Associative::Max;
  case Operation::Min:
    return Associative::Min;
  case Operation::UMax:
    return Associative::UMax;
  case Operation::UMin:
    return Associative::UMin;
  default:
    return std::nullopt;
  }
}

bool isJoinable(const llvm::AtomicRMWInst& atomic) {
  return atomic.getType()->isIntegerTy() && joiningOf(atomic.getOperation());
}

} // namespace quern::compiler
