#include "compiler/checks/local_tokens.h"

#include "abi/checked_launch.h"
#include "compiler/checks/fault.h"
#include "compiler/checks/meetings.h"
#include "compiler/il/address_space.h"
#include "compiler/il/kernel_function.h"

namespace quern::compiler {
namespace {

constexpr uint64_t tokenBytes = sizeof(abi::AccessToken);
/// Of an access that is looked at token by token.
constexpr uint64_t mostBytes = 64;
constexpr uint64_t localMemoryFence = 1;

/// Marked as what other checks do not look at.
template <typename Instruction> Instruction* marked(Instruction* added) {
  markAsOfChecks(added);
  return added;
}

/// As the device numbers work-items of a work-group.
llvm::Value* itemNumber(llvm::IRBuilder<>& builder, llvm::Function& body) {
  const auto part = [&](ImplicitArgument which, unsigned dimension) {
    return builder.CreateTrunc(implicitArgument(body, which, dimension), builder.getInt32Ty());
  };
  llvm::Value* number = part(ImplicitArgument::Item, 2);
  for (const unsigned dimension : {1, 0})
    number = builder.CreateAdd(builder.CreateMul(number, part(ImplicitArgument::Size, dimension)),
                               part(ImplicitArgument::Item, dimension));
  return number;
}

} // namespace

llvm::Value* LocalTokens::loadOfScratch(llvm::IRBuilder<>& builder, llvm::Type* type,
                                        uint64_t offset) const {
  return marked(builder.CreateLoad(
      type, builder.CreateConstInBoundsGEP1_64(
                builder.getInt8Ty(), implicitArgument(body_, ImplicitArgument::Scratch), offset)));
}

void LocalTokens::prepare() {
  llvm::IRBuilder<> builder(startOf(body_));
  // In an address space that is no work-item's own, or the region would not run in packets.
  tokens_ = loadOfScratch(builder, builder.getPtrTy(address_space::global),
                          offsetof(abi::CheckedScratch, tokens));
  item_ = builder.CreateShl(itemNumber(builder, body_), abi::tokenItemShift, "token.item");
  countIntervals(builder);
}

void LocalTokens::countIntervals(llvm::IRBuilder<>& builder) {
  llvm::Type* const type = builder.getInt32Ty();
  llvm::Value* first =
      builder.CreateShl(loadOfScratch(builder, type, offsetof(abi::CheckedScratch, interval)),
                        abi::tokenIntervalShift);
  interval_ = llvm::IRBuilder<>(&body_.getEntryBlock(), body_.getEntryBlock().begin())
                  .CreateAlloca(type, nullptr, "interval");
  marked(builder.CreateStore(first, interval_));
  for (const auto& [meeting, boundary] : meetingsOf(body_)) {
    builder.SetInsertPoint(meeting);
    llvm::Value* passed = builder.CreateAnd(
        builder.CreateTrunc(flagsOf(builder, *meeting, boundary), type), localMemoryFence);
    llvm::Value* now = marked(builder.CreateLoad(type, interval_));
    marked(builder.CreateStore(
        builder.CreateAdd(now, builder.CreateShl(passed, abi::tokenIntervalShift)), interval_));
  }
}

std::optional<LocalAccess> LocalTokens::of(const CheckedAccess& access) {
  if (access.length || access.bytes % tokenBytes != 0 || access.bytes > mostBytes ||
      access.alignment < tokenBytes)
    return std::nullopt;
  if (!tokens_)
    prepare();
  llvm::IRBuilder<> builder(access.instruction);
  llvm::Value* offset =
      builder.CreateSub(addressOf(builder, access.pointer),
                        addressOf(builder, implicitArgument(body_, ImplicitArgument::Local)));
  llvm::Value* first = builder.CreateGEP(builder.getInt8Ty(), tokens_, offset);
  llvm::Value* interval = marked(builder.CreateLoad(builder.getInt32Ty(), interval_));
  llvm::Value* own = builder.CreateOr(interval, item_, "token.own");
  llvm::Value* any = nullptr;
  for (uint64_t at = 0; at < access.bytes; at += tokenBytes) {
    llvm::Value* address = builder.CreateConstGEP1_64(builder.getInt8Ty(), first, at);
    llvm::Value* one = isNews(builder, access, address, interval, own);
    any = any ? builder.CreateOr(any, one) : one;
  }
  return LocalAccess{any, own};
}

llvm::Value* LocalTokens::isNews(llvm::IRBuilder<>& builder, const CheckedAccess& access,
                                 llvm::Value* address, llvm::Value* interval,
                                 llvm::Value* own) const {
  llvm::Value* token = marked(builder.CreateLoad(builder.getInt32Ty(), address, "token"));
  const auto isNotOfAll = [&](abi::AccessToken kind) {
    return builder.CreateICmpNE(token, builder.CreateOr(interval, builder.getInt32(kind)));
  };
  if (access.isAtomic)
    return isNotOfAll(abi::tokenOfAtomics);
  if (access.isWrite)
    return builder.CreateICmpNE(
        token, builder.CreateOr(own, static_cast<uint32_t>(abi::AccessTokenKind::OwnAccesses)));
  llvm::Value* isNotOwn = builder.CreateICmpUGT(
      builder.CreateSub(token, own),
      builder.getInt32(static_cast<uint32_t>(abi::AccessTokenKind::OwnAccesses)));
  return builder.CreateAnd(isNotOwn, isNotOfAll(abi::tokenOfReads));
}

} // namespace quern::compiler
