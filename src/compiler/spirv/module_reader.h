#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Module.h>

#include "compiler/interface/compiler.h"
#include "compiler/spirv/blocks.h"
#include "compiler/spirv/debug_lines.h"
#include "compiler/spirv/decorations.h"
#include "compiler/spirv/function_pointers.h"
#include "compiler/spirv/types.h"

namespace quern::compiler::spirv {

/// A value of a module and what SPIR-V says of it.
struct Value {
  const Type* type = nullptr;
  llvm::Value* value = nullptr;
};

/// A function of a module: its instructions, from OpFunction to OpFunctionEnd, and what they
/// become.
struct Function {
  uint32_t id = 0;
  const Type* type = nullptr;
  std::span<const Instruction> instructions;
  llvm::Function* function = nullptr;
  bool hasBody = false;
  SourcePlace place; ///< empty where it is not known
};

/// An entry point: a kernel by the name that the host knows.
struct EntryPoint {
  uint32_t function = 0;
  std::string name;
  std::vector<const Instruction*> modes;
};

/// Reads a module into one of LLVM. What is outside of functions it knows by the time when the
/// first function is read. Throws a Failure with a sentence that names the word and the rule.
class ModuleReader {
public:
  ModuleReader(const quern::spirv::Module& source, std::span<const SpecializationValue> constants,
               const Options& options, const Target& target, llvm::Module& module);

  void read();

  llvm::Module& module() { return module_; }
  llvm::LLVMContext& context() { return module_.getContext(); }
  const Options& options() const { return options_; }
  const Target& target() const { return target_; }
  Types& types() { return types_; }
  const Decorations& decorations() const { return decorations_; }
  Blocks& blocks() { return blocks_; }
  FunctionPointers& functionPointers() { return functionPointers_; }
  DebugLines& debugLines() { return debugLines_; }
  /// The FP Fast Math Mode of operations on the float type `type` that say none themselves
  /// (FPFastMathDefault); nothing where the module says none.
  std::optional<uint32_t> fastMathDefault(uint32_t type) const;
  /// Whether a product and a sum may be rounded together.
  bool mayContract() const { return mayContract_; }
  uint32_t version() const { return source_.version(); }

  /// Null where `id` is no constant or variable.
  const Value* find(uint32_t id) const;
  const Function& function(uint32_t id) const;
  bool isFunction(uint32_t id) const { return functions_.contains(id); }
  /// The number of the BuiltIn that the variable `id` stands for.
  std::optional<uint32_t> builtIn(uint32_t id) const;
  /// The bits of an OpConstantSampler.
  std::optional<uint32_t> sampler(uint32_t id) const;
  llvm::StringRef string(uint32_t id) const;
  /// What OpLine, or the same as an extended instruction, says; nothing for other instructions.
  std::optional<SourcePlace> sourcePlace(const Instruction& instruction) const;
  /// What follows `prefix` in the OpString that begins so, or nothing.
  llvm::StringRef stringWithPrefix(llvm::StringRef prefix) const;
  /// The name of a set of extended instructions.
  llvm::StringRef extendedSet(uint32_t id) const;
  /// The value of a constant whole number.
  std::optional<uint64_t> constant(uint32_t id) const;

  std::vector<const EntryPoint*> entryPoints(uint32_t function) const;

  /// Throws a Failure about `instruction`.
  [[noreturn]] static void fail(const Instruction& instruction, std::string_view rule);

private:
  void readGlobal(const Instruction& instruction);
  void readPreamble(const Instruction& instruction);
  void readEntryPoint(const Instruction& instruction);
  void readMode(const Instruction& instruction);
  void readType(const Instruction& instruction);
  void checkWidth(const Instruction& instruction);
  void readFunctions(std::span<const Instruction> instructions);
  void declare(Function& function);
  /// Null for functions that are none.
  llvm::Function* importedIntrinsic(uint32_t id, llvm::FunctionType* type);
  void setLinkage(llvm::GlobalValue& value, uint32_t id, bool hasBody);
  void dropReservedImports();

  // constants.cpp
  bool readConstant(const Instruction& instruction);
  llvm::Constant* scalarConstant(const Instruction& instruction, const Type& type);
  llvm::Constant* compositeConstant(const Instruction& instruction, const Type& type);
  llvm::Constant* constantOperation(const Instruction& instruction);
  const SpecializationValue* setValue(const Instruction& instruction) const;
  void readVariable(const Instruction& instruction);
  void define(const Instruction& instruction, const Type& type, llvm::Constant* value);

  const quern::spirv::Module& source_;
  const std::span<const SpecializationValue> specialization_;
  const Options& options_;
  const Target& target_;
  llvm::Module& module_;
  Types types_;
  Decorations decorations_;
  Blocks blocks_;
  FunctionPointers functionPointers_;
  DebugLines debugLines_;
  std::set<uint32_t> capabilities_;
  llvm::DenseMap<uint32_t, Value> values_;
  std::map<uint32_t, Function> functions_;
  std::map<uint32_t, llvm::StringRef> reservedImports_; ///< symbols of functions that none may call
  std::map<uint32_t, uint32_t> builtIns_;
  std::map<uint32_t, uint32_t> samplers_;
  std::map<uint32_t, llvm::StringRef> strings_;
  std::map<uint32_t, llvm::StringRef> extendedSets_;
  std::map<uint32_t, uint32_t> debugSources_; ///< the strings with their files' names
  std::vector<EntryPoint> entryPoints_;
  std::map<uint32_t, uint32_t> fastMathDefaults_; ///< ids of constants by ids of types
  bool mayContract_ = true;
  bool hasMemoryModel_ = false;
};

} // namespace quern::compiler::spirv
