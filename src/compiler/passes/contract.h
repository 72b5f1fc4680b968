#pragma once

#include <cstdint>
#include <initializer_list>

namespace quern::compiler {

/// What may hold of the code between two passes, like LLVM's MachineFunctionProperties. What the
/// IR shows of them is checked there (passes/properties.h), so that what a pass relies on is tested
/// and not only written down. Properties are those of functions; what says something of the module
/// holds for all of its functions or for none. What the IR does not show is known from the passes
/// that ran.
enum class Property : uint8_t {
  AsFrontEndMade,     ///< IR for spir64, as Clang and the linking of programs left it
  NothingAssumed,     ///< no optimisation has drawn conclusions from what a program may not do
  SafeDivisions,      ///< no integer division can trap
  OpaqueTypesLowered, ///< images and pipes are addresses, samplers and the like are numbers
  KernelsPrepared,    ///< kernels have one body, and all else is internal to the module
  CalleesInlined,     ///< what must be part of its callers is
  WorkItemBodies,     ///< what a work-item asks for its place is in implicit arguments
  LocalMemoryPlaced,  ///< local variables are offsets into the work-group's memory
  VariablesAreValues, ///< no private variable was left that could be a value
  NotCombined, ///< InstCombine has not run: both sides of a branch compute alike what they were
               ///< written alike
  AddressSpacesInferred, ///< those that could be seen are named; what is simplified later may show
                         ///< more
  SubGroupsPlaced,       ///< nothing asks where a work-item is in its sub-group
  BarriersIsolated,      ///< each barrier has a block of its own with one successor
  RegionsFormed,         ///< no barrier is left
  EntriesMade,           ///< no region is left; kernels are what the device calls
  LoopsSimplified,       ///< LLVM's LoopSimplify form
  LoopsClosed,           ///< LLVM's LCSSA form
  OpenToOptimization,    ///< nothing is there that LLVM would undo or does not understand
  NvptxAddressSpaces,    ///< pointers have NVPTX's address spaces
  NvptxKernels,          ///< kernels have the parameters that the NVIDIA device passes
  Count,
};

inline constexpr unsigned propertyCount = static_cast<unsigned>(Property::Count);

class PropertySet {
public:
  constexpr PropertySet() = default;
  constexpr PropertySet(std::initializer_list<Property> properties) {
    for (const Property property : properties)
      bits_ |= bit(property);
  }

  constexpr bool has(Property property) const { return (bits_ & bit(property)) != 0; }

private:
  static constexpr uint32_t bit(Property property) {
    return uint32_t{1} << static_cast<unsigned>(property);
  }

  uint32_t bits_ = 0;
};

/// What a pass says of itself, as its static member `contract`; a pass without one requires nothing
/// and ends nothing. The contract verifier (passes/contract_verifier.h) holds it to that.
struct Contract {
  PropertySet required; ///< must hold of the code that the pass is given
  PropertySet set;      ///< holds of the code that it leaves
  PropertySet cleared;  ///< may hold no longer where the pass has changed anything
};

} // namespace quern::compiler
