#pragma once

#include <algorithm>
#include <cmath>

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/Target/TargetMachine.h>

namespace quern::compiler {

/// Whether a processor has an instruction for a load or a store of elements behind a mask, which
/// are neighbours or lie anywhere.
bool hasMaskedNeighbours(const llvm::TargetTransformInfo& target, bool isLoad, llvm::Type* type,
                         llvm::Align alignment, unsigned space);
bool hasMaskedAnywhere(const llvm::TargetTransformInfo& target, bool isLoad,
                       llvm::FixedVectorType* type, llvm::Align alignment);

/// What code costs on a processor, for every choice between ways to make it. Costs are reciprocal
/// throughputs in the unit of LLVM's tables (TargetTransformInfo): 1 is the time of a simple vector
/// operation, of which two begin in a cycle. What those tables do not tell is named here, once.
class TargetModel {
public:
  /// `function` tells the features of the processor that its code may use.
  TargetModel(const llvm::TargetMachine& machine, const llvm::Function& function);

  /// Bits of the vectors that packets use, and of those that LLVM's vectoriser uses.
  unsigned vectorBits() const { return vectorBits_; }
  unsigned loopVectorBits() const { return loopVectorBits_; }
  unsigned vectorRegisters() const { return vectorRegisters_; }

  /// Whether an instruction becomes none, or one that the processor foretells.
  static bool isFree(const llvm::Instruction& instruction);

  /// An operation on numbers: `items` of them, or one if it is 1. Vectors of the program count as
  /// they are if it is 0 or 1, else those of all `items` as one.
  double operation(const llvm::Instruction& operation, unsigned items) const;
  /// A load or a store of neighbouring elements.
  double access(const llvm::Instruction& access, unsigned items, bool isMasked) const;
  /// Whether the processor has an instruction for it behind a mask.
  bool hasMaskedAccess(const llvm::Instruction& access, unsigned items) const;
  /// The same of elements of `type` anywhere.
  bool hasScatteredAccess(const llvm::Instruction& access, llvm::Type& type, unsigned items) const;
  /// A load or a store of elements of `type` anywhere.
  double scatteredAccess(const llvm::Instruction& access, llvm::Type& type, unsigned items) const;
  /// `members` of every `stride` elements, for each item.
  double interleavedAccess(const llvm::Instruction& access, unsigned items, unsigned stride,
                           llvm::ArrayRef<unsigned> members, bool isMasked) const;
  /// What accesses to one line for each item, `stride` bytes apart, cost in addition where too many
  /// of them belong into the same set of the first cache to stay there.
  static double cacheConflicts(int64_t stride, unsigned items);
  /// A permutation of a vector of elements.
  double permutation(llvm::Type* element, unsigned items) const;
  /// Registers that hold a vector of elements, at least 1.
  unsigned registers(llvm::Type* element, unsigned items) const;

  /// An instruction of numbers that are no vectors, of which four and more begin beside the others.
  static constexpr double scalar = 0.25;
  /// The same where there are no others.
  static constexpr double scalarAlone = 0.4;
  /// From an operand to the result of a vector operation, which the next one waits for.
  static constexpr double latency = 12;
  /// The same of a floating-point number that is no vector, and of what is read; of a sum, a
  /// comparison or a shift of integers.
  static constexpr double latencyOfNumber = 8, latencyOfInteger = 2;
  /// A branch that goes another way than the processor took it for, and the part of the branches by
  /// what was read or computed that do.
  static constexpr double misprediction = 32, mispredicted = 0.25;
  /// Operations among which the processor finds those that can begin.
  static constexpr double window = 128;
  /// What is live beyond the registers, in each iteration: to the stack and back.
  static constexpr double spill = 2;
  /// A number that becomes a vector of itself.
  static constexpr double splat = 1;
  /// A test whether any work-item goes on, and the branch.
  static constexpr double anyBranch = 3;
  /// Operations from which on a branch around them pays, where no work-item may run them; and those
  /// of a region from which on it matters how often they are skipped.
  static constexpr unsigned worthSkipping = 12, muchSkipped = 64;
  /// An access to a row of one work-item, beside those to the rows of all others: these are more
  /// than the processor fetches ahead.
  static constexpr double rowAccess = 2;
  /// Of the first cache: the bytes of a way, and the lines of a set that one of several accesses
  /// may count on.
  static constexpr uint64_t bytesOfWay = 4096, waysOfAccess = 4;
  static constexpr unsigned lineBytes = 64, pageBytes = 4096;
  /// Places of memory that the processor reads ahead of at the same time.
  static constexpr unsigned followedStreams = 16;
  /// A line that comes from the second cache.
  static constexpr double lineFromCache = 4;
  /// Bytes that a core gets in the unit from its second cache, and from memory that it shares.
  static constexpr double bytesFromCache = 16, bytesFromMemory = 4;
  /// A division of integers of one work-item, and the same by a constant.
  static constexpr double scalarDivision = 12, scalarConstantDivision = 3 * scalarAlone;
  /// A division of a vector of integers by way of the inverse of one divisor, and by a constant;
  /// and a division of floating-point numbers, which divisors of their own take too.
  static constexpr double vectorDivision = 8, constantDivision = 4, floatDivision = 8;
  /// Iterations that a loop makes where nothing is known about it.
  static constexpr double iterationsOfLoop = 8;
  /// How often code in so many loops runs.
  static double timesInLoops(unsigned depth) { return std::pow(iterationsOfLoop, depth); }
  /// Where nothing is known about a condition: the work-items that go one way, and the packets of
  /// which some do. Of both, those whose arguments a function of the library treats apart.
  static constexpr double itemsOnOneSide = 0.5, packetsOnOneSide = 0.75, rare = 0.02;
  /// Conditions within each other are not that independent: the least part of the work-items.
  static constexpr double leastItemsOnOneSide = 0.125;
  /// The factor by which two prices may be wrong next to each other, and one more each where
  /// packets make as many iterations as the slowest of their work-items, and where most of what
  /// they access lies apart: in the nearest cache, as a small table, or in lines that take each
  /// other's place.
  static constexpr double uncertainty = 1.5, uncertaintyOfIterations = 3, uncertaintyOfPlaces = 2;
  /// The factor by which they have been wrong in kernels of programs that nobody had looked at.
  static constexpr double surprise = 8;
  /// With so many operations for each scattered access it does not matter much what that costs.
  static constexpr double operationsPerScattered = 20;
  /// What must be cheaper by this factor to be worth more code.
  static constexpr double leastGain = 1.05;
  /// The same where packets transpose the program's vectors, which gains nothing where memory is
  /// the limit.
  static constexpr double leastGainOfTransposition = 1.25;
  /// The same of packets whose widest values fill several registers each, of which there are no
  /// more than before.
  static constexpr double leastGainOfWidth = 1.25;
  /// The same of packets along another dimension, which are code in addition to that along
  /// dimension 0.
  static constexpr double leastGainOfExchange = 1.5;
  /// Instructions that take as long to compile as a kernel runs in all. So much code more must make
  /// it twice as fast. Nothing is known of that time: it is taken to be some tens of milliseconds,
  /// or what a thousand work-items take where that is more, each instruction to take tens of
  /// thousands of the model's units; but no more than a second, for what loops within loops cost is
  /// a guess. Code that nobody waits for, because a kernel that has run for long is compiled again
  /// while it runs on, may take longer by a factor.
  static double codeForItsTime(double costOfItem, bool isWaitedFor) {
    constexpr double least = 1000, most = 6000, unitsOfInstruction = 60, whileItRuns = 4;
    return std::clamp(costOfItem / unitsOfInstruction, least, most) *
           (isWaitedFor ? 1 : whileItRuns);
  }
  /// Instructions of a test whether any work-item goes on, of a loop over a packet's work-items,
  /// and of an element that is read or written by itself.
  static constexpr unsigned codeOfTest = 8, codeForEachItem = 12, codeOfElement = 3;
  /// A call of a function that is no instruction, and for each work-item what it takes to hand its
  /// numbers over.
  static constexpr double call = 20, handOver = 3;

private:
  llvm::Type* typeFor(llvm::Type* type, unsigned items) const;
  double shuffle(const llvm::Instruction& operation, unsigned items) const;
  static double number(llvm::InstructionCost cost);

  llvm::TargetTransformInfo costs_;
  unsigned vectorBits_, loopVectorBits_, vectorRegisters_;
};

} // namespace quern::compiler
