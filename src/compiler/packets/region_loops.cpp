// Loops are the strongly connected components of the regions, and those within one what is still
// connected without the ways back to its first region (Steensgaard, Sequentializing Program
// Dependence Graphs for Irreducible Programs, 1993).
#include "compiler/packets/region_loops.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

#include "compiler/il/names.h"
#include "compiler/il/region_function.h"

namespace quern::compiler {
namespace {

class RegionLoops {
public:
  explicit RegionLoops(const std::vector<llvm::Function*>& regions)
      : next_(regions.size()), depths_(regions.size()) {
    llvm::DenseMap<unsigned, unsigned> indices;
    for (unsigned i = 0; i < regions.size(); ++i)
      indices[numberAttribute(*regions[i], names::regionAttribute)] = i;
    for (unsigned i = 0; i < regions.size(); ++i)
      for (const unsigned exit : regionExits(*regions[i]))
        if (exit != 0) // the end
          next_[i].push_back(indices.lookup(exit));
  }

  std::vector<unsigned> depths() {
    addLoops(llvm::BitVector(size(), true), llvm::BitVector(size()));
    return depths_;
  }

private:
  unsigned size() const { return static_cast<unsigned>(next_.size()); }

  /// What is reached from `first` in one step or more within `among`, but not through its
  /// `headers`.
  llvm::BitVector reachedFrom(unsigned first, const llvm::BitVector& among,
                              const llvm::BitVector& headers) const {
    llvm::BitVector reached(size());
    llvm::SmallVector<unsigned> waiting{first};
    while (!waiting.empty())
      for (const unsigned next : next_[waiting.pop_back_val()])
        if (among[next] && !headers[next] && !reached[next]) {
          reached.set(next);
          waiting.push_back(next);
        }
    return reached;
  }

  void addLoops(const llvm::BitVector& among, const llvm::BitVector& headers) {
    std::vector<llvm::BitVector> reached(size());
    for (const unsigned region : among.set_bits())
      reached[region] = reachedFrom(region, among, headers);
    llvm::BitVector left = among;
    for (const unsigned region : among.set_bits()) {
      if (!left[region] || !reached[region][region])
        continue;
      llvm::BitVector loop(size()), withHeader = headers;
      for (const unsigned other : reached[region].set_bits())
        if (reached[other][region])
          loop.set(other);
      for (const unsigned inside : loop.set_bits())
        ++depths_[inside];
      left.reset(loop);
      withHeader.set(region);
      addLoops(loop, withHeader);
    }
  }

  std::vector<llvm::SmallVector<unsigned, 2>> next_; ///< by index
  std::vector<unsigned> depths_;
};

} // namespace

std::vector<unsigned> regionLoopDepths(const std::vector<llvm::Function*>& regions) {
  return RegionLoops(regions).depths();
}

} // namespace quern::compiler
