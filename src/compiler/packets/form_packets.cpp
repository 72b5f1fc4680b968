#include "compiler/packets/form_packets.h"

#include <bit>
#include <cmath>
#include <memory>

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LCSSA.h>

#include "abi/program_image.h"
#include "compiler/il/group_shape.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/region_function.h"
#include "compiler/il/sub_group_form.h"
#include "compiler/packets/active_range.h"
#include "compiler/packets/assumptions.h"
#include "compiler/packets/common_iterations.h"
#include "compiler/packets/exchanged_dimensions.h"
#include "compiler/packets/guards.h"
#include "compiler/packets/legality.h"
#include "compiler/packets/memory_streams.h"
#include "compiler/packets/packet_emitter.h"
#include "compiler/packets/preparation.h"
#include "compiler/packets/price_region.h"
#include "compiler/packets/region_loops.h"
#include "compiler/packets/region_prices.h"
#include "compiler/packets/region_traits.h"
#include "compiler/packets/report.h"
#include "compiler/packets/tile_choice.h"
#include "compiler/packets/whole_vectors.h"

namespace quern::compiler {
namespace {

/// Private memory of a packet. It lies on the stack of a thread, which may be one of the program.
constexpr uint64_t maxPrivateBytes = 32 << 10;

/// Instructions of a region beyond which it takes too long to compile a form for whole packets and
/// another one for the last packet of a row.
constexpr unsigned maxForTwoForms = 5000;

/// What packets are made from.
struct PacketAnalysis {
  PacketAnalysis(llvm::Function& region, unsigned width, llvm::FunctionAnalysisManager& analyses)
      : loops(analyses.getResult<llvm::LoopAnalysis>(region)),
        uniformities(analyses.getResult<UniformityAnalysis>(region)),
        inPacket(uniformities.of(UniformityRoot::packet(width))),
        inRow(uniformities.of(UniformityRoot::row())),
        inColumn(uniformities.of(UniformityRoot::column())),
        lanes(analyses.getResult<ShapeAnalysis>(region)), shapes(lanes.ofPackets(width)),
        masked(region, loops, inPacket),
        groups(region, shapes, analyses.getResult<llvm::ScalarEvolutionAnalysis>(region)) {
    // Packets begin where such a row does.
    if (const uint64_t row = shortRow(region);
        row != 0 && row < width && (shapes.isWholeRow() || width % row == 0))
      rows.emplace(region, static_cast<unsigned>(row), shapes, analyses);
  }

  PacketPlan plan(llvm::Function& region, const llvm::TargetMachine& machine, unsigned width,
                  const TileSharing& sharing, bool isAtEdge) const {
    return {region, machine,     loops, lanes,   shapes,  masked,
            groups, shortRows(), width, sharing, isAtEdge};
  }

  const ShortRows* shortRows() const { return rows ? &*rows : nullptr; }

  const llvm::LoopInfo& loops;
  Uniformities& uniformities;
  const Uniformity &inPacket, &inRow, &inColumn;
  LaneShapes& lanes;
  const Shapes& shapes;
  MaskedBlocks masked;
  InterleaveGroups groups;
  std::optional<ShortRows> rows;
};

class PacketForms {
public:
  PacketForms(llvm::Function& region, const llvm::TargetMachine& machine, PacketChoice choice,
              bool isBaseline, bool isCodeWaitedFor, llvm::FunctionAnalysisManager& analyses)
      : region_(region), machine_(machine), choice_(choice), isBaseline_(isBaseline),
        isCodeWaitedFor_(isCodeWaitedFor), analyses_(analyses), target_(machine, region) {}

  /// Whether the region has packets now, or needs none.
  bool make() {
    if (!actsForItem(region_)) {
      line_ = "once for all work-items of a group";
      return true;
    }
    std::string reason = whyTooLong(region_, false);
    if (reason.empty()) {
      serialLoops_ =
          priceSerialLoops(region_, analyses_.getResult<llvm::LoopAnalysis>(region_),
                           analyses_.getResult<llvm::ScalarEvolutionAnalysis>(region_), target_);
      reason = tryForms();
    }
    if (!reason.empty())
      reject(reason);
    return reason.empty();
  }

  void reject(const std::string& reason) {
    line_ = (subGroupsArePackets(region_) ? "sub-groups are no packets, because "
             : groupsArePackets(region_)  ? "groups are no packets, because "
                                          : "one work-item after the other, because ") +
            reason;
  }

  /// Of the region's packets.
  const RegionPrices& prices() const { return prices_; }
  /// The part of a packet's places that have work-items, where groups are packets.
  double filled() const {
    return groupsArePackets(region_) ? static_cast<double>(groupShape(region_)[0]) / width_ : 1;
  }

  /// The width of the region's packets; 1 where it has none.
  unsigned width() const { return region_.hasFnAttribute(names::packetAttribute) ? width_ : 1; }
  /// Other widths that may be faster (abi::KernelDescription::comparedWidths), a bit for each.
  struct Alternatives {
    uint64_t likely = 0, unlikely = 0;
  };
  Alternatives alternatives() const {
    if (choice_.which != PacketChoice::Which::Worthwhile || mustBePackets() || prices_.packets == 0)
      return {};
    if (!region_.hasFnAttribute(names::packetAttribute)) {
      if (width_ <= 1 || prices_.whyNotPackets().empty())
        return {};
      return alternative(width_, prices_.mayPacketsBeCheaper());
    }
    Alternatives alternatives = withoutPackets();
    if (mayBeDouble_)
      alternatives.likely |= 2 * width_;
    alternatives.likely |= widthsForStreams_;
    if (prices_.isLimitedByMemory() || widthsForStreams_ != 0)
      return alternatives;
    if (width_ >= 2 * abi::leastComparedWidth)
      alternatives.likely |= width_ / 2;
    // It may be faster where half is slower: short rows and lines of caches have best widths of
    // their own.
    if (width_ >= 4 * abi::leastComparedWidth)
      alternatives.unlikely |= width_ / 4;
    return alternatives;
  }

  /// Of packets: one work-item after the other.
  Alternatives withoutPackets() const { return alternative(1, prices_.maySerialBeCheaper()); }

  void addToReport(const std::string& place = {}) const {
    quern::compiler::addToReport(region_, place + line_);
  }

  /// What a work-item costs in the form that the region has now. Of those one after the other, at
  /// least where there are too few in a row for packets: it is not known that they wait.
  double price() const {
    return region_.hasFnAttribute(names::packetAttribute)        ? prices_.packets
           : region_.hasFnAttribute(names::mostColumnsAttribute) ? prices_.serial
                                                                 : prices_.withoutPackets();
  }

private:
  Alternatives alternative(uint64_t width, bool isLikely) const {
    Alternatives alternatives;
    if (isLikely)
      alternatives.likely = width;
    else if (prices_.mayOtherBeCheaper())
      alternatives.unlikely = width;
    return alternatives;
  }

  /// The largest width that a packet may get.
  unsigned widest() const { return choice_.width ? choice_.width : vectorBits(machine_) / 32; }

  /// The width for which one packet holds a row of a work-group, or of an NDRange that is none,
  /// where that is known.
  unsigned rowItems() const {
    const uint64_t known = isFlat(region_, 0)
                               ? numberAttribute(region_, names::mostColumnsAttribute)
                               : groupShape(region_)[0];
    if (known == 0)
      return UINT32_MAX;
    return std::bit_ceil(static_cast<uint32_t>(std::min<uint64_t>(known, 1u << 16)));
  }

  static llvm::Function* clone(llvm::Function& region) {
    llvm::ValueToValueMapTy map;
    return llvm::CloneFunction(&region, map);
  }

  /// A copy of the region that packets may be made from.
  struct Candidate {
    llvm::Function* copy = nullptr;
    bool calledFunctions = false;
    std::optional<PacketAnalysis> analysis;
    unsigned width = 1;
    RegionPrices prices;
    std::string reason; ///< why there are no packets, or nothing
    bool isRefusedByPrice = false;

    /// What costs less than a form that is worthwhile is worthwhile, too.
    bool isCheaperThan(const Candidate& worthwhile) const {
      return isRefusedByPrice && prices.packets < worthwhile.prices.packets;
    }
  };

  /// Makes packets in the cheapest form. Why there are none, or nothing.
  std::string tryForms() {
    std::unique_ptr<Candidate> whole, apart;
    if (mayKeepVectors())
      whole = prepare(VectorForm::Whole);
    const bool isFull = choice_.which != PacketChoice::Which::All && !mustBePackets() &&
                        hasFullVectors(region_, analyses_.getResult<llvm::LoopAnalysis>(region_),
                                       target_.vectorBits());
    bool isWhole = whole && whole->reason.empty();
    // To take vectors apart that only meet whole gains nothing.
    if (!isFull && !(isWhole && keepsVectorsWhole(*whole->copy)))
      apart = prepare(VectorForm::Apart);
    bool isApart = apart && apart->reason.empty();
    if (isApart && !isWhole)
      isWhole = whole && whole->isCheaperThan(*apart);
    else if (isWhole && !isApart)
      isApart = apart && apart->isCheaperThan(*whole);
    std::string reason;
    // Those that are apart wait less for each other, for each is a chain of its own.
    if (isWhole &&
        !(isApart && apart->prices.packets < TargetModel::leastGain * whole->prices.packets))
      makeForms(*whole);
    else if (isApart)
      makeForms(*apart);
    else
      reason = apart ? apart->reason : "its vectors fill registers";
    for (Candidate* candidate : {whole.get(), apart.get()})
      if (candidate)
        erase(*candidate->copy);
    return reason;
  }

  /// Whether there are vectors of the program that packets may have whole.
  bool mayKeepVectors() const {
    bool hasVectors = false;
    for (const llvm::Instruction& instruction : llvm::instructions(region_)) {
      hasVectors = hasVectors || instruction.getType()->isVectorTy();
      if (!llvm::isa<llvm::CallInst>(instruction) && isOfVectors(instruction) &&
          !canStayWhole(instruction))
        return false;
    }
    return hasVectors && !mustBePackets();
  }

  std::unique_ptr<Candidate> prepare(VectorForm vectors) {
    auto candidate = std::make_unique<Candidate>();
    candidate->copy = clone(region_);
    width_ = 1;
    calledFunctions_ = candidate->calledFunctions =
        prepareForPackets(*candidate->copy, vectors, widest(), target_, analyses_);
    candidate->reason = examine(*candidate, vectors);
    candidate->width = width_;
    candidate->prices = prices_;
    candidate->isRefusedByPrice =
        !candidate->reason.empty() && candidate->reason == prices_.whyNotPackets();
    return candidate;
  }

  bool isIrreducible(llvm::Function& copy) const {
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&copy);
    return llvm::containsIrreducibleCFG<llvm::BasicBlock*>(
        order, analyses_.getResult<llvm::LoopAnalysis>(copy));
  }

  /// Chooses the width of the candidate's packets. Why there can be none, or they are not
  /// worthwhile; or nothing.
  std::string examine(Candidate& candidate, VectorForm vectors) {
    llvm::Function& copy = *candidate.copy;
    if (isIrreducible(copy))
      return "it jumps into a loop";
    if (vectors == VectorForm::Whole && widestVectorBits(copy) == 0)
      return "it has no vectors for packets";
    std::optional<PacketAnalysis>& analysis = candidate.analysis;
    analysis.emplace(copy, widest(), analyses_);
    std::string notWidest = whyNot(copy, *analysis, widest());
    const RegionPrices ofWidest = prices_;
    const uint64_t privateBytes = analysis->shapes.arrays().bytes();
    width_ = preferredWidth(copy, vectors, analysis->shapes);
    if (width_ == 1)
      return isFlat(region_, 0) ? "its NDRanges are one work-item wide"
                                : "its work-groups are one work-item wide";
    while (!isWidthGiven() && width_ > 1 && privateBytes * width_ > maxPrivateBytes)
      width_ /= 2;
    if (width_ == 1 || privateBytes * width_ > maxPrivateBytes)
      return "its private memory is too large for a packet";
    if (width_ == widest())
      return notWidest;
    const bool mayBeWidest = notWidest.empty() && mayChooseWidth(vectors) &&
                             rowItems() >= widest() && privateBytes * widest() <= maxPrivateBytes &&
                             ofOnePacket(copy, *analysis, widest(), fitsRegisters);
    analysis.emplace(copy, width_, analyses_);
    std::string reason = whyNot(copy, *analysis, width_);
    if (!mayBeWidest ||
        (reason.empty() && prices_.packets < TargetModel::leastGainOfWidth * ofWidest.packets))
      return reason;
    width_ = widest();
    analysis.emplace(copy, width_, analyses_);
    prices_ = ofWidest;
    return {};
  }

  bool isWidthGiven() const { return choice_.width != 0 || mustBePackets(); }

  /// Whether the width is neither given, nor that of a whole row of the work-group.
  bool mayChooseWidth(VectorForm vectors) const {
    return !isWidthGiven() && !(vectors == VectorForm::Apart && isOneRow());
  }

  bool isOneRow() const { return hasOwnShape(region_) && rowItems() <= widest(); }

  /// The width that packets must have, or that for which their widest values fill a register.
  unsigned preferredWidth(llvm::Function& copy, VectorForm vectors, const Shapes& shapes) const {
    if (subGroupsArePackets(region_))
      return subGroupSize(region_);
    if (choice_.width != 0)
      return choice_.width;
    if (!mayChooseWidth(vectors))
      return rowItems();
    const unsigned bits =
        vectors == VectorForm::Whole ? widestVectorBits(copy) : widestVaryingBits(copy, shapes);
    return std::min({std::max(vectorBits(machine_) / bits, 2u), rowItems(), widest()});
  }

  /// Whether packets twice as wide, of which each operation is two, may be faster: two chains of
  /// operations wait at once where one alone does not keep the processor busy, and narrow elements
  /// fill the registers.
  bool mayBeDouble(llvm::Function& copy, const PacketAnalysis& analysis) const {
    if (isBaseline_)
      return false;
    if (width_ < widest())
      return prices_.hidesLatency;
    const unsigned wide = 2 * width_;
    if (isWidthGiven() || rowItems() < wide || prices_.isLimitedByMemory() ||
        analysis.shapes.arrays().bytes() * wide > maxPrivateBytes)
      return false;
    return areNarrow_ || (prices_.hidesLatency && ofOnePacket(copy, analysis, wide, fitsRegisters));
  }

  /// Wider packets, a bit for each, that do more at each place of memory, where there are too many
  /// for the processor to read ahead of all.
  uint64_t widthsForStreams(llvm::Function& copy, const PacketAnalysis& analysis) const {
    if (isBaseline_ || isWidthGiven() || analysis.shapes.isWholeRow() ||
        countMemoryStreams(copy, analysis.shapes,
                           analyses_.getResult<llvm::ScalarEvolutionAnalysis>(copy)) <=
            TargetModel::followedStreams)
      return 0;
    uint64_t widths = 0;
    for (const unsigned wide : {2 * width_, 4 * width_})
      if (rowItems() >= wide && analysis.shapes.arrays().bytes() * wide <= maxPrivateBytes)
        widths |= wide;
    return widths;
  }

  void makeForms(const Candidate& candidate) {
    llvm::Function& copy = *candidate.copy;
    const std::optional<PacketAnalysis>& analysis = candidate.analysis;
    calledFunctions_ = candidate.calledFunctions;
    width_ = candidate.width;
    prices_ = candidate.prices;
    areNarrow_ = !isBaseline_ && areMostlyNarrow(copy, analysis->shapes, analysis->loops);
    mayBeDouble_ = mayBeDouble(copy, *analysis);
    widthsForStreams_ = widthsForStreams(copy, *analysis);
    if (llvm::Function* range = makeActiveRange(copy, analyses_)) {
      range->setName(region_.getName() + ".active_range");
      region_.addFnAttr(names::activeRangeAttribute, range->getName());
    }
    if (mayHaveTile(copy, *analysis))
      makeTile(copy, *analysis);
    makePacket(copy, *analysis);
  }

  bool mayHaveTile(const llvm::Function& copy, const PacketAnalysis& analysis) const {
    const bool areWhole = !analysis.shapes.isWholeRow() || analysis.shapes.items() == width_;
    return !isBaseline_ && areWhole && copy.getInstructionCount() <= maxForTwoForms;
  }

  std::string whyNot(llvm::Function& copy, const PacketAnalysis& analysis, unsigned width) {
    if (std::string reason = whyNotPackets(copy, analysis.shapes, analysis.masked, analysis.loops);
        !reason.empty())
      return reason;
    const TileSharing sharing({}, analysis.inPacket, analysis.inColumn);
    const PacketPlan plan = analysis.plan(copy, machine_, width, sharing, false);
    const unsigned forms = mayHaveTile(copy, analysis) ? 2 : 1;
    // Functions that packets inline are compiled once for all that call them one by one, which
    // matters where better code comes soon.
    const unsigned instructions = (isBaseline_ ? region_ : copy).getInstructionCount();
    prices_ = priceRegion(plan, AccessPlan(plan),
                          {region_, analysis.inRow, calledFunctions_, forms, instructions,
                           isCodeWaitedFor_, serialLoops_},
                          target_);
    const bool mustBe = choice_.which == PacketChoice::Which::All || mustBePackets();
    return mustBe ? "" : prices_.whyNotPackets();
  }

  /// Whether the region belongs to a form of a kernel that only exists in packets.
  bool mustBePackets() const { return subGroupsArePackets(region_) || groupsArePackets(region_); }

  void erase(llvm::Function& copy) {
    analyses_.clear(copy, copy.getName());
    copy.eraseFromParent();
  }

  /// One packet, of which some work-items may lie outside the work-group.
  void makePacket(llvm::Function& copy, const PacketAnalysis& analysis) {
    const TileSharing sharing({}, analysis.inPacket, analysis.inColumn);
    const bool isAtEdge = !analysis.shapes.isWholeRow() || analysis.shapes.items() != width_;
    const PacketPlan plan = analysis.plan(copy, machine_, width_, sharing, isAtEdge);
    const AccessPlan accesses(plan);
    llvm::Function& form = emit(plan, accesses, names::packetAttribute, ".packet");
    setNumberAttribute(region_, names::packetWidthAttribute, width_);
    noteLeastColumns(analysis.loops);
    if (!region_.hasFnAttribute(names::tileAttribute)) {
      report(plan, accesses, form);
      setNumberAttribute(region_, names::tileColumnsAttribute, 1);
      setNumberAttribute(region_, names::tileRowsAttribute, 1);
      return;
    }
    // Few work-items run this.
    const llvm::DominatorTree dominators(form);
    const llvm::LoopInfo loops(dominators);
    for (llvm::Loop* loop : loops.getLoopsInPreorder())
      loop->setLoopAlreadyUnrolled();
  }

  /// Code that is there before any launch also runs launches whose packets have one work-item or
  /// few, which matters where these loop.
  void noteLeastColumns(const llvm::LoopInfo& loops) {
    const double least = std::ceil(prices_.packets * width_ / prices_.serial);
    if (isBaseline_ && isFlat(region_, 0) && !loops.empty() && !mustBePackets() && least >= 3)
      setNumberAttribute(region_, names::leastColumnsAttribute,
                         static_cast<uint64_t>(std::min<double>(least, width_)));
  }

  /// Whole packets for which the region's guards hold.
  void makeTile(llvm::Function& copy, const PacketAnalysis& ofCopy) {
    // Bounds that are the same for all work-items are worth a guard where a loop is left by all at
    // once then.
    if (!makeTile(copy, ofCopy, /*withBounds=*/true))
      makeTile(copy, ofCopy, /*withBounds=*/false);
  }

  /// False, and nothing is made, where bounds of loops were assumed for nothing.
  bool makeTile(llvm::Function& copy, const PacketAnalysis& ofCopy, bool withBounds) {
    llvm::Function* guarded = clone(copy);
    takeOutGuards(*guarded, width_, analyses_);
    llvm::FunctionPassManager passes;
    const Assumed assumed = assumeConditions(*guarded, withBounds, analyses_);
    if (assumed != Assumed::Nothing) {
      passes.addPass(llvm::EarlyCSEPass());
      passes.addPass(llvm::ADCEPass());
    }
    // Ways that nobody takes any more were the other values of phis behind loops.
    passes.addPass(llvm::LCSSAPass());
    analyses_.invalidate(*guarded, llvm::PreservedAnalyses::none());
    analyses_.invalidate(*guarded, passes.run(*guarded, analyses_));
    std::optional<PacketAnalysis> analysis(std::in_place, *guarded, width_, analyses_);
    const bool isForNothing = assumed == Assumed::BoundsOfLoops &&
                              countDivergentLoops(*analysis) >= countDivergentLoops(ofCopy);
    if (!isForNothing) {
      if (analysis->masked.isValid() &&
          splitOffCommonIterations(analysis->loops, analysis->inPacket, analysis->shapes,
                                   analysis->masked)) {
        analyses_.invalidate(*guarded, llvm::PreservedAnalyses::none());
        analysis.emplace(*guarded, width_, analyses_);
      }
      if (!tryTile(*guarded, *analysis, assumed))
        tryTile(copy, ofCopy, Assumed::Nothing);
    }
    erase(*guarded);
    return !isForNothing;
  }

  /// How many loops the work-items of a row, or of a column of packets, leave one by one.
  static size_t countDivergentLoops(const PacketAnalysis& analysis) {
    return static_cast<size_t>(
        llvm::count_if(analysis.loops.getLoopsInPreorder(), [&](const llvm::Loop* loop) {
          llvm::SmallVector<llvm::BasicBlock*> exiting;
          loop->getExitingBlocks(exiting);
          return llvm::any_of(exiting, [&](const llvm::BasicBlock* block) {
            return analysis.inRow.hasDivergentTerminator(*block) ||
                   analysis.inColumn.hasDivergentTerminator(*block);
          });
        }));
  }

  /// What `function` says of one packet.
  template <typename Function>
  std::invoke_result_t<Function, const TileCandidate&>
  ofOnePacket(llvm::Function& region, const PacketAnalysis& analysis, unsigned width,
              const Function& function) const {
    const TileSharing one({}, analysis.inRow, analysis.inColumn);
    const PacketPlan plan = analysis.plan(region, machine_, width, one, false);
    return function({region, analysis.loops, analysis.shapes, analysis.masked, AccessPlan(plan),
                     target_, analysis.inPacket, analysis.inRow, analysis.inColumn, width});
  }

  /// False where the control flow has no joins, as when the only way to the end was one that a
  /// guard leaves by.
  bool tryTile(llvm::Function& guarded, const PacketAnalysis& analysis, Assumed assumed) {
    if (!analysis.masked.isValid())
      return false;
    // What is mostly skipped would be there once for each packet, and takes long to compile.
    TileChoice choice;
    if (!skipsMuch(guarded, analysis.masked))
      choice = ofOnePacket(guarded, analysis, width_, [assumed](const TileCandidate& candidate) {
        return chooseTile(candidate, assumed);
      });
    const PacketTile tile = choice.tile;
    if (tile.packets() > 1) {
      prices_.setTile(choice.part);
      // Such tiles are several chains, too.
      mayBeDouble_ = mayBeDouble_ && (areNarrow_ || width_ < widest());
    }
    const TileSharing sharing(tile, analysis.inRow, analysis.inColumn);
    const PacketPlan plan = analysis.plan(guarded, machine_, width_, sharing, false);
    const AccessPlan accesses(plan);
    report(plan, accesses, emit(plan, accesses, names::tileAttribute, ".tile"));
    setNumberAttribute(region_, names::tileColumnsAttribute, tile.columns);
    setNumberAttribute(region_, names::tileRowsAttribute, tile.rows);
    return true;
  }

  void report(const PacketPlan& plan, const AccessPlan& accesses, const llvm::Function& form) {
    std::string text = subGroupsArePackets(region_) ? "sub-groups as "
                       : groupsArePackets(region_)  ? "groups as "
                                                    : "";
    text += describePackets(plan, accesses, form);
    if (region_.hasFnAttribute(names::activeRangeAttribute))
      text += "; a condition bounds each row";
    text += "; costs " + prices_.text();
    line_ = text;
  }

  llvm::Function& emit(const PacketPlan& plan, const AccessPlan& accesses,
                       llvm::StringRef attribute, llvm::StringRef suffix) {
    llvm::Function* form = emitPacket(plan, accesses, region_.getName() + suffix);
    form->removeFnAttr(names::regionAttribute);
    form->removeFnAttr(names::kernelAttribute);
    region_.addFnAttr(attribute, form->getName());
    return *form;
  }

  llvm::Function& region_;
  const llvm::TargetMachine& machine_;
  PacketChoice choice_;
  bool isBaseline_, isCodeWaitedFor_;
  llvm::FunctionAnalysisManager& analyses_;
  TargetModel target_;
  SerialLoops serialLoops_;
  RegionPrices prices_;
  unsigned width_ = 1;
  bool calledFunctions_ = false;
  bool areNarrow_ = false, mayBeDouble_ = false; ///< of the packets that were made
  uint64_t widthsForStreams_ = 0;
  std::string line_; ///< of the report
};

/// The regions of one kernel's forms: the general one, and those that only exist in packets.
struct Kernel {
  std::vector<llvm::Function*> regions, ofSubGroups, ofGroup;
};

void eraseRegions(const std::vector<llvm::Function*>& regions,
                  llvm::FunctionAnalysisManager& analyses) {
  const auto erase = [&](llvm::Function& function) {
    analyses.clear(function, function.getName());
    function.eraseFromParent();
  };
  for (llvm::Function* region : regions) {
    for (llvm::StringRef form :
         {names::packetAttribute, names::tileAttribute, names::activeRangeAttribute})
      if (region->hasFnAttribute(form))
        erase(*region->getParent()->getFunction(region->getFnAttribute(form).getValueAsString()));
    erase(*region);
  }
}

/// How often each region of one form of a kernel runs, by the loops that it is part of.
std::vector<double> timesOfRegions(const std::vector<llvm::Function*>& regions) {
  std::vector<double> times;
  for (const unsigned depth : regionLoopDepths(regions))
    times.push_back(TargetModel::timesInLoops(depth));
  return times;
}

/// Copies of a region with exchanged dimensions, made before it has packets.
std::vector<llvm::Function*> exchangedCopies(llvm::Function& region,
                                             llvm::FunctionAnalysisManager& analyses) {
  std::vector<llvm::Function*> copies;
  for (const unsigned dimension : {1u, 2u})
    if (llvm::Function* copy = exchangeDimensions(region, dimension, analyses))
      copies.push_back(copy);
  return copies;
}

/// What describes the kernel of `region`, the first one, whose packets have `width` work-items.
void noteAlternatives(llvm::Function& region, unsigned width,
                      PacketForms::Alternatives alternatives) {
  alternatives.likely &= ~uint64_t{width};
  alternatives.unlikely &= ~(uint64_t{width} | alternatives.likely);
  if ((alternatives.likely | alternatives.unlikely) != 0)
    setNumberAttribute(region, names::chosenWidthAttribute, width);
  if (alternatives.likely != 0)
    setNumberAttribute(region, names::alternativeWidthsAttribute, alternatives.likely);
  if (alternatives.unlikely != 0)
    setNumberAttribute(region, names::unlikelyWidthsAttribute, alternatives.unlikely);
}

/// Copied first, for packets make functions of their own.
std::vector<llvm::Function*> regionsOf(llvm::Module& module) {
  std::vector<llvm::Function*> regions = kernelFunctions(module);
  std::erase_if(regions, [](const llvm::Function* function) {
    return !function->hasFnAttribute(names::regionAttribute);
  });
  return regions;
}

} // namespace

/// What the `general` regions have more than `regions` of the same code, in which work-items meet
/// as those of a packet.
FormPacketsPass::Meetings
FormPacketsPass::meetings(const std::vector<llvm::Function*>& general,
                          const std::vector<llvm::Function*>& regions) const {
  Meetings meetings;
  const auto add = [&](const std::vector<llvm::Function*>& functions, double sign) {
    const std::vector<double> times = timesOfRegions(functions);
    for (size_t i = 0; i < functions.size(); ++i) {
      llvm::Function& function = *functions[i];
      meetings.accesses +=
          sign * times[i] * priceAccesses(function, TargetModel(machine_, function));
      meetings.instructions += sign * function.getInstructionCount();
    }
  };
  add(general, 1);
  add(regions, -1);
  return {std::max(0.0, meetings.accesses), std::max(0.0, meetings.instructions)};
}

/// There LLVM's loops, which run along dimension 0, are none of the other ways.
bool FormPacketsPass::makeExchanged(llvm::Function& region, double price,
                                    const std::vector<llvm::Function*>& copies,
                                    llvm::FunctionAnalysisManager& analyses) const {
  PacketChoice choice = choice_;
  const bool mustBe = choice.which == PacketChoice::Which::All;
  choice.which = PacketChoice::Which::All;
  std::optional<PacketForms> best;
  llvm::Function* chosen = nullptr;
  for (llvm::Function* copy : copies) {
    PacketForms forms(*copy, machine_, choice, isBaseline_, isCodeWaitedFor_, analyses);
    const bool arePackets = forms.make() && copy->hasFnAttribute(names::packetAttribute);
    const bool isWorthwhile = mustBe || forms.price() * TargetModel::leastGainOfExchange <= price;
    if (!arePackets || !isWorthwhile || (best && best->price() <= forms.price())) {
      eraseRegions({copy}, analyses);
      continue;
    }
    if (chosen)
      eraseRegions({chosen}, analyses);
    chosen = copy;
    best.emplace(std::move(forms));
  }
  if (!chosen)
    return false;
  best->addToReport("along dimension " +
                    std::to_string(numberAttribute(*chosen, names::packetDimensionAttribute)) +
                    " ");
  setNumberAttribute(*chosen, names::leastFilledAttribute,
                     static_cast<uint64_t>(std::ceil(16 * std::min(best->price() / price, 1.0))));
  if (!mustBe)
    noteAlternatives(region, best->width(), best->withoutPackets());
  region.addFnAttr(names::exchangedAttribute, chosen->getName());
  region.addFnAttr(chosen->getFnAttribute(names::packetDimensionAttribute));
  chosen->removeFnAttr(names::regionAttribute);
  chosen->removeFnAttr(names::kernelAttribute);
  return true;
}

/// All regions get packets that together cost less than one work-item after the other, with the
/// meetings of the `general` form's, or the kernel does not have this form. `isInAddition`: the
/// general form is compiled, too.
bool FormPacketsPass::makeAll(const std::vector<llvm::Function*>& regions,
                              const std::vector<llvm::Function*>& general, bool isInAddition,
                              llvm::FunctionAnalysisManager& analyses) const {
  if (regions.empty())
    return false;
  const Meetings meetings = this->meetings(general, regions);
  std::vector<PacketForms> forms;
  std::vector<RegionPrices> prices;
  const std::vector<double> times = timesOfRegions(regions);
  double instructions = 0;
  for (size_t i = 0; i < regions.size(); ++i) {
    instructions += regions[i]->getInstructionCount();
    PacketForms& each =
        forms.emplace_back(*regions[i], machine_, choice_, isBaseline_, isCodeWaitedFor_, analyses);
    if (!each.make()) {
      each.addToReport();
      eraseRegions(regions, analyses);
      return false;
    }
    RegionPrices& price = prices.emplace_back(each.prices());
    price.packets /= each.filled();
    price.repeat(times[i]);
  }
  prices.front().serial += meetings.accesses;
  prices.front().code += isInAddition ? instructions : -meetings.instructions;
  const bool areWorthwhile =
      arePacketsWorthwhile(prices) || choice_.which == PacketChoice::Which::All;
  for (size_t i = 0; i < forms.size(); ++i) {
    if (!areWorthwhile)
      forms[i].reject("it costs " + prices[i].text());
    forms[i].addToReport();
  }
  if (!areWorthwhile)
    eraseRegions(regions, analyses);
  return areWorthwhile;
}

llvm::PreservedAnalyses FormPacketsPass::run(llvm::Module& module,
                                             llvm::ModuleAnalysisManager& modules) {
  llvm::FunctionAnalysisManager& analyses =
      modules.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  const bool needsGeneral = hasVariables(module);
  llvm::MapVector<llvm::StringRef, Kernel> kernels;
  for (llvm::Function* region : regionsOf(module)) {
    Kernel& kernel = kernels[region->getFnAttribute(names::kernelAttribute).getValueAsString()];
    (subGroupsArePackets(*region) ? kernel.ofSubGroups
     : groupsArePackets(*region)  ? kernel.ofGroup
                                  : kernel.regions)
        .push_back(region);
  }
  for (const auto& [name, kernel] : kernels) {
    if (makeAll(kernel.ofGroup, kernel.regions, false, analyses)) {
      eraseRegions(kernel.regions, analyses);
      continue;
    }
    const bool runsGeneral = needsGeneral || !alwaysRunsSubGroupPackets(*kernel.regions.front());
    const bool hasSubGroups = makeAll(kernel.ofSubGroups, kernel.regions, runsGeneral, analyses);
    if (hasSubGroups && !runsGeneral) {
      eraseRegions(kernel.regions, analyses);
      continue;
    }
    PacketForms::Alternatives alternatives;
    unsigned width = 1;
    for (llvm::Function* region : kernel.regions) {
      std::vector<llvm::Function*> exchanged;
      if (!hasSubGroups && kernel.regions.size() == 1)
        exchanged = exchangedCopies(*region, analyses);
      PacketForms forms(*region, machine_, choice_, isBaseline_, isCodeWaitedFor_, analyses);
      // Where sub-groups are packets, few launches run these, and code for their local size
      // follows.
      if (hasSubGroups && !needsGeneral && actsForItem(*region) &&
          choice_.which == PacketChoice::Which::Worthwhile)
        forms.reject("few launches run it");
      else
        forms.make();
      forms.addToReport();
      if (hasSubGroups)
        continue;
      if (!makeExchanged(*region, forms.price(), exchanged, analyses)) {
        const PacketForms::Alternatives own = forms.alternatives();
        alternatives.likely |= own.likely;
        alternatives.unlikely |= own.unlikely;
      }
      width = std::max(width, forms.width());
    }
    noteAlternatives(*kernel.regions.front(), width, alternatives);
  }
  for (llvm::StringRef marker : {names::packetGuard, names::packetAll})
    if (llvm::Function* function = module.getFunction(marker))
      function->eraseFromParent();
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
