#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace quern::compiler {

/// What becomes of the program's vectors, such as float4, in packets.
enum class VectorForm : uint8_t {
  Apart, ///< a vector for each of their elements, with those of all work-items
  /// One vector with all elements of the first work-item, then those of the next one, as they lie
  /// in memory: accesses transpose nothing, and short elements fill registers.
  Whole,
};

/// Elements of a vector of the program; 1 of a number.
unsigned elementsOf(const llvm::Type* type);

/// Whether an instruction has to do with vectors of the program.
bool isOfVectors(const llvm::Instruction& instruction);

/// Whether packets can make an instruction that has to do with vectors of the program while these
/// are whole.
bool canStayWhole(const llvm::Instruction& instruction);

/// Whether a region computes with such vectors and takes none apart, nor puts one together.
bool keepsVectorsWhole(const llvm::Function& region);

/// Bits of the largest vector that a region computes with; 0 if there is none.
unsigned widestVectorBits(const llvm::Function& region);

/// Of `vector`, which has a number for each work-item, each `elements` times in a row.
llvm::Value* forEachElement(llvm::IRBuilderBase& builder, llvm::Value* vector, unsigned elements);
/// What all of `items` work-items have, a number or a vector.
llvm::Value* forEachItem(llvm::IRBuilderBase& builder, llvm::Value* value, unsigned items);
/// `item`'s part of a whole vector.
llvm::Value* partOfItem(llvm::IRBuilderBase& builder, llvm::Value* whole, unsigned item,
                        unsigned elements);

/// An element of each work-item's vector, which is `whole`.
llvm::Value* takeElement(llvm::IRBuilderBase& builder, llvm::Value* whole, unsigned elements,
                         unsigned place);
/// `whole` with another element, of which `element` holds that of each work-item.
llvm::Value* putElement(llvm::IRBuilderBase& builder, llvm::Value* whole, llvm::Value* element,
                        unsigned elements, unsigned place);
/// What `shuffle` makes of two whole vectors.
llvm::Value* shuffleWhole(llvm::IRBuilderBase& builder, const llvm::ShuffleVectorInst& shuffle,
                          llvm::Value* left, llvm::Value* right);

} // namespace quern::compiler
