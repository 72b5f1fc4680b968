#pragma once

#include <memory>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/LLVMContext.h>

#include "spirv/module.h"

namespace quern::compiler::spirv {

using quern::spirv::Instruction;
using quern::spirv::Op;

/// SPIR-V 1.6, 3.7 "Storage Class".
enum class Storage : uint32_t {
  UniformConstant = 0,
  Input = 1,
  Workgroup = 4,
  CrossWorkgroup = 5,
  Function = 7,
  Generic = 8,
  CodeSectionINTEL = 5605, ///< of functions
};

/// 3.8 "Dim" and 3.17 "Access Qualifier".
enum class Dimensions : uint32_t { One = 0, Two = 1, Three = 2, Buffer = 5 };
enum class Access : uint32_t { ReadOnly = 0, WriteOnly = 1, ReadWrite = 2 };

/// A type of a module.
struct Type {
  Op op = Op::TypeVoid;
  uint32_t id = 0;
  /// What stands for it in our IR. Images, samplers and their like have the types that Clang gives
  /// those of OpenCL C. Null for functions and sampled images, which are no values there.
  llvm::Type* llvm = nullptr;
  /// The component of a vector, the element of an array, the members of a structure, the pointee of
  /// a pointer, the result and the parameters of a function, the image of a sampled image. Untyped
  /// pointers are pointers without one.
  std::vector<const Type*> parts;
  Storage storage = Storage::Function;     ///< of a pointer
  Dimensions dimensions = Dimensions::One; ///< of an image, as the next four
  bool isDepth = false;
  bool isArrayed = false;
  bool isMultisampled = false;
  Access access = Access::ReadOnly; ///< of a pipe, too
  unsigned depth = 0;               ///< of composites within composites

  bool isInteger() const { return op == Op::TypeInt; }
  bool isFloat() const { return op == Op::TypeFloat; }
  bool isPointer() const { return op == Op::TypePointer; }
  bool isComposite() const { return op == Op::TypeStruct || op == Op::TypeArray; }
  /// Itself, or the component of a vector.
  const Type& scalar() const { return op == Op::TypeVector ? *parts[0] : *this; }
  unsigned components() const {
    return op == Op::TypeVector ? llvm::cast<llvm::FixedVectorType>(llvm)->getNumElements() : 1;
  }
};

/// The types of a module. Its functions throw RuleBroken.
class Types {
public:
  Types(llvm::LLVMContext& context, const llvm::DataLayout& layout)
      : context_(context), layout_(layout) {}

  /// Adds what a type instruction defines. `lengthOf` gives the value of the constant that an array
  /// names, `isPacked` whether the structure is decorated as CPacked.
  void add(const Instruction& instruction, uint64_t arrayLength, bool isPacked);
  static bool isTypeInstruction(Op op);

  const Type& get(uint32_t id) const;
  bool has(uint32_t id) const { return types_.contains(id); }

  /// Types that a module need not have for what its instructions need in between.
  const Type& integer(unsigned bits);
  const Type& half();
  const Type& event();
  const Type& vectorOf(const Type& component, unsigned count);
  const Type& pointerTo(const Type& pointee, Storage storage);

private:
  Type& insert(uint32_t id);
  Type& insertOwn(Op op);
  void addPointer(const Instruction& instruction);
  void addComposite(const Instruction& instruction, uint64_t arrayLength, bool isPacked);
  void addOpaque(const Instruction& instruction);
  const Type& part(uint32_t id) const;
  llvm::Type* opaque(llvm::StringRef name, llvm::ArrayRef<unsigned> numbers = {}) const;

  llvm::LLVMContext& context_;
  const llvm::DataLayout& layout_;
  llvm::DenseMap<uint32_t, std::unique_ptr<Type>> types_;
  std::vector<std::unique_ptr<Type>> own_;
};

/// The type of our IR for the function type `type`.
llvm::FunctionType* functionTypeOf(const Type& type);

/// The address space of our IR that `storage` means; throws RuleBroken for those that kernels do
/// not have.
unsigned addressSpaceOf(Storage storage);

} // namespace quern::compiler::spirv
