#include "compiler/checks/check_directions.h"

#include <array>

#include <llvm/ADT/DenseMap.h>

#include "abi/checked_launch.h"
#include "compiler/checks/accesses.h"
#include "compiler/checks/fault.h"
#include "compiler/checks/launch_bits.h"
#include "compiler/checks/objects.h"
#include "compiler/il/kernel_function.h"

namespace quern::compiler {
namespace {

using abi::Fault;

/// Whether `value` only becomes, if anything, other elements of the vector that is stored at
/// `pointer`: then it is loaded because some of its elements are assigned to, and not all.
bool onlyFillsUp(const llvm::Value& value, const llvm::Value* pointer) {
  return value.getType()->isVectorTy() && llvm::all_of(value.users(), [&](const llvm::User* user) {
           if (llvm::isa<llvm::InsertElementInst, llvm::ShuffleVectorInst>(user))
             return onlyFillsUp(*user, pointer);
           const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
           return store && store->getPointerOperand() == pointer;
         });
}

bool isOfAssignment(const llvm::Instruction& access) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&access);
  return load && onlyFillsUp(*load, load->getPointerOperand());
}

class DirectionChecker {
public:
  explicit DirectionChecker(llvm::Function& body) : body_(body), objects_(body) {}

  void check(const CheckedAccess& access) {
    const Object object = objects_.of(access.pointer, access.isOfProgram);
    if (object.kind != abi::ObjectKind::Argument || object.argument >= abi::overlapBits ||
        isOfAssignment(*access.instruction))
      return;
    if (access.isWrite)
      reportWhere(Fault::ForbiddenWrite, access, object);
    // An atomic operation that writes reads, too.
    if (!access.isWrite || (access.isAtomic && !llvm::isa<llvm::StoreInst>(access.instruction)))
      reportWhere(Fault::ForbiddenRead, access, object);
  }

private:
  void reportWhere(Fault fault, const CheckedAccess& access, const Object& object) {
    const bool isWrite = fault == Fault::ForbiddenWrite;
    llvm::Value*& isForbidden = forbidden_[isWrite][object.argument];
    if (!isForbidden)
      isForbidden = launchBit(body_,
                              isWrite ? offsetof(abi::CheckedLaunchInfo, unwritable)
                                      : offsetof(abi::CheckedLaunchInfo, unreadable),
                              object.argument);
    llvm::IRBuilder<> report(&branchBefore(*access.instruction, isForbidden));
    reportFault(report,
                {.fault = fault,
                 .object = object.kind,
                 .argument = object.argument,
                 .name = object.name.str()},
                *access.instruction);
  }

  llvm::Function& body_;
  Objects objects_;
  std::array<llvm::DenseMap<unsigned, llvm::Value*>, 2> forbidden_; ///< reads, writes
};

} // namespace

llvm::PreservedAnalyses CheckDirectionsPass::run(llvm::Module& module,
                                                 llvm::ModuleAnalysisManager&) {
  for (llvm::Function* body : kernelFunctions(module)) {
    gatherVariables(*body);
    DirectionChecker checker(*body);
    for (const CheckedAccess& access : checkedAccesses(*body))
      checker.check(access);
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
