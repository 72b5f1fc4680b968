#pragma once

#include <array>
#include <string>
#include <vector>

#include <llvm/IR/IRBuilder.h>

#include "compiler/il/collective.h"
#include "compiler/il/region_function.h"
#include "compiler/packets/packet_tile.h"

namespace quern::compiler {

/// Builds a kernel's entry (abi::KernelEntry) around its regions.
class WorkGroupFunction {
public:
  /// `regions` in the order of their numbers. `build` inlines and erases them. `withoutPackets`, of
  /// the entry's type, runs NDRanges whose ids are too large for packets; where it is null and a
  /// region has packets, the entry gets a limit (names::rangeLimitAttribute).
  /// `subGroupPackets`, of the entry's type or null, runs NDRanges in which packets are sub-groups
  /// (il/sub_group_form.h). `vectorBits` is the size of the vectors in which collective functions
  /// are made, 0 for one work-item after the other.
  WorkGroupFunction(std::vector<llvm::Function*> regions, const std::string& symbol,
                    llvm::Function* withoutPackets, llvm::Function* subGroupPackets,
                    unsigned vectorBits);
  llvm::Function* build();

private:
  using Triple = std::array<llvm::Value*, 3>;

  void loadArguments();
  void loadLaunch();
  void leaveLargeIds();
  void leaveSubGroups();
  void leaveTo(llvm::Function& other, llvm::Value* condition, const char* name);
  void computePosition(unsigned dimension, llvm::Value* group);
  void computeRange();
  void addGroupLoop();
  void addWayIn();
  void addFlatGroup();
  void addRegions(llvm::BasicBlock* done);
  void addRegion(unsigned number, llvm::BasicBlock* done);
  void clearLocalShadow();
  void beginVote(const Collective& collective);
  void addCollective(unsigned number, const Collective& collective);
  void combine(unsigned number, const Collective& collective, llvm::Value* first,
               llvm::Value* count);
  llvm::Value* slotOf(const Collective::Slot& slot, llvm::Value* first);
  llvm::Value* addRow(unsigned number, const Triple& item, llvm::Value* rowStart);
  llvm::Value* addItemLoops(unsigned number);
  /// Whether a region does not ask where in `dimension` a work-item is.
  static bool repeats(llvm::Function& region, unsigned dimension);
  /// Calls one of the forms of a region.
  llvm::Value* call(llvm::Function& form, const Triple& item, llvm::Value* itemIndex);
  void addDispatch(unsigned number, llvm::Value* next, llvm::BasicBlock* done);
  void addJump(unsigned number, llvm::Value* next, llvm::BasicBlock* done);
  void leaveDivergent(unsigned number, llvm::BasicBlock* done);
  void addDivergentDispatch(llvm::BasicBlock* done);
  Collective::Slot nextRegionSlot() const;
  void beginNextRegions();
  void inlineRegions();

  // packet_loops.cpp
  void addEitherDimension(unsigned number);
  void addPacketsOrItems(unsigned number);
  struct Loop {
    llvm::PHINode* index;
    llvm::Value* end;
    llvm::Value* step;
    bool repeats = false; ///< one iteration is as the other
  };
  Loop openLoop(llvm::Value* begin, llvm::Value* end, llvm::Value* step, const llvm::Twine& name);
  Loop openLoop(llvm::Value* begin, llvm::Value* end, uint64_t step, const llvm::Twine& name);
  void closeLoop(const Loop& loop);
  void addExchangedLoops(const llvm::Function& region, llvm::Function& exchanged);
  void addPacketLoops(llvm::Function& region);
  std::pair<llvm::Value*, llvm::Value*> activeRange(const llvm::Function& region, uint64_t step);
  void runTile(const llvm::Function& region, const Triple& item, PacketTile tile);
  void runPackets(const llvm::Function& region, const Triple& item, PacketTile tile);
  llvm::Value* runForm(llvm::Function& form, const Triple& item);
  static llvm::Function& formOf(const llvm::Function& region, llvm::StringRef attribute);

  llvm::Value* scratchField(llvm::Type* type, uint64_t offset, const char* name);
  llvm::Value* launchField(uint64_t offset, bool isSize, const char* name);
  llvm::BasicBlock* newBlock(const llvm::Twine& name);

  std::vector<llvm::Function*> regions_;
  llvm::Function* withoutPackets_;
  llvm::Function* subGroupPackets_;
  unsigned vectorBits_;
  llvm::Function& function_;
  llvm::IRBuilder<> builder_;
  llvm::Type* int64_;
  llvm::BasicBlock* entry_;
  // What regions are called with.
  std::vector<llvm::Value*> arguments_;
  llvm::Value* local_ = nullptr;
  llvm::Value* context_ = nullptr;
  llvm::Value* uniformsIn_ = nullptr;
  llvm::Value* uniformsOut_ = nullptr;
  llvm::Value* items_ = nullptr;
  Triple group_{}, size_{}, first_{};
  Triple launchSize_{}, globalSize_{}, globalOffset_{};
  bool groupsAreFull_ = false; ///< the local size divides the global size, though tiles may not
  /// Where work-items may wait for different regions (names::nextRegionOffsetAttribute): the lowest
  /// one, minus 1. Null otherwise.
  llvm::Value* lowestNext_ = nullptr;
  std::vector<std::vector<unsigned>> following_; ///< then: of each region (following_regions.h)
  llvm::BasicBlock* dispatch_ = nullptr;         ///< then: asks which region is next
  /// Where a region with packets leaves the number of the next region; null where none has any.
  llvm::Value* next_ = nullptr;
  std::vector<llvm::BasicBlock*> heads_;
  std::vector<llvm::CallInst*> calls_;
};

} // namespace quern::compiler
