#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

#include "compiler/packets/whole_vectors.h"
#include "compiler/target/target_model.h"

namespace quern::compiler {

/// Instructions of the largest regions of which packets are made: they gain as much as others, but
/// LLVM takes seconds for more.
inline constexpr unsigned maxPacketInstructions = 16'000;

/// Brings a copy of a region into the form that packets are made from: called functions become part
/// of it where they are small enough, vectors become what `vectors` says, and the control flow is
/// that of simple loops with one return. `items` is how many work-items a packet may have. True if
/// functions became part of it.
bool prepareForPackets(llvm::Function& copy, VectorForm vectors, unsigned items,
                       const TargetModel& target, llvm::FunctionAnalysisManager& analyses);

/// Whether that becomes of a call, where the region does not get too large.
bool isInlinable(const llvm::CallInst& call);

/// Makes elements of what the scalarizer leaves alone: reductions of vectors, and, where these come
/// apart, conversions of bits between types of different numbers of elements. True if there was
/// any.
bool expandVectorOperations(llvm::Function& function, VectorForm vectors);

} // namespace quern::compiler
