#pragma once

#include <map>
#include <optional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/IRBuilder.h>

#include "base/sentence.h"
#include "compiler/spirv/failure.h"
#include "compiler/spirv/mangling.h"
#include "compiler/spirv/module_reader.h"

namespace quern::compiler::spirv {

/// What a function of the built-in library does beside giving its result.
enum class Effects { None, Reads, Any };

/// An argument of a function of the built-in library.
struct Argument {
  llvm::Value* value = nullptr;
  Parameter parameter;
};

/// Reads the body of one function. Functions named read... make what an instruction means, and say
/// whether it is one of theirs. They throw RuleBroken.
class FunctionReader {
public:
  FunctionReader(ModuleReader& module, const Function& function);

  /// Throws a Failure.
  void read();

  /// Reads one instruction that has a value.
  llvm::Value* readAlone(const Instruction& instruction);

private:
  using Builder = llvm::IRBuilder<>;

  /// Gives the function a place in its source.
  void beginLines();
  bool readLine(const Instruction& instruction);
  void readInstruction(const Instruction& instruction);
  bool readValue(const Instruction& instruction);

  // What most instructions need.
  const Type& type(uint32_t id) const { return module_.types().get(id); }
  const Type& resultType(const Instruction& i) const { return type(i.type); }
  /// The value of an operand, which must have one by now.
  Value value(uint32_t id);
  Value operand(const Instruction& i, size_t index) { return value(i.operand(index)); }
  void define(const Instruction& i, llvm::Value* result);
  void define(uint32_t id, const Type& type, llvm::Value* result);
  uint64_t constant(uint32_t id, std::string_view what) const;
  /// `rule` is the end of a sentence, in parts that nobody puts together while it holds.
  template <typename... Parts> static void require(bool holds, const Parts&... rule) {
    if (!holds)
      throw RuleBroken{sentence(rule...)};
  }
  static void requireSame(const Value& a, const Value& b);
  static void requireInteger(const Value& value);
  static void requireFloat(const Value& value);
  static const Type& requirePointer(const Value& value);
  /// Likewise, and to what has a type.
  static const Type& requireTypedPointer(const Value& value);
  /// What `pointer` points to, which an untyped one does not say: `content`.
  static const Type& contentOf(const Value& pointer, const Type& content);
  /// As `pointer`, with the type of one to `content` where it is untyped.
  Value typed(const Value& pointer, const Type& content);
  llvm::FastMathFlags fastMath(const Instruction& i) const;
  /// Where variables are made: at the function's begin.
  Builder atEntry();
  llvm::AllocaInst* makeVariable(llvm::Type* type, std::optional<llvm::Align> align = {});
  llvm::Value* builtInVariable(uint32_t id, const Type& pointer);
  void readPrivately(llvm::Instruction& pointer, llvm::Value& own);
  void finishBuiltIns();

  // library.cpp: calls of the built-in library, by the name in OpenCL C or by the symbol.
  llvm::CallInst* call(llvm::StringRef name, llvm::Type* result, llvm::ArrayRef<Argument> arguments,
                       Effects effects);
  llvm::CallInst* callSymbol(Builder& builder, llvm::StringRef symbol, llvm::Type* result,
                             llvm::ArrayRef<llvm::Value*> arguments, Effects effects);
  static Argument asIs(const Value& value) { return {value.value, {.type = value.type}}; }
  static Argument asUnsigned(const Value& value) {
    return {value.value, {.type = value.type, .isUnsigned = true}};
  }
  /// An argument of a number that is no operand.
  Argument number(uint64_t value, unsigned bits, bool isUnsigned);
  Argument named(llvm::Value* value, const char* name) { return {value, {.name = name}}; }
  Argument memoryScope(uint32_t scopeId);
  Argument memoryOrder(uint32_t semanticsId);
  llvm::Value* memoryFlags(uint32_t semanticsId);
  llvm::Value* toInt(const Value& boolean);
  llvm::Value* toBool(llvm::Value* number, const Type& result);

  // arithmetic.cpp
  bool readArithmetic(const Instruction& i);
  bool readBinary(const Instruction& i);
  bool readComparison(const Instruction& i);
  bool readFloatTest(const Instruction& i);
  bool readBits(const Instruction& i);
  bool readDotProduct(const Instruction& i);
  llvm::Value* floatRemainder(const Instruction& i);
  llvm::Value* wideProduct(const Instruction& i);
  llvm::Value* withCarry(const Instruction& i);
  llvm::Value* anyOrAll(const Instruction& i);

  // conversions.cpp
  bool readConversion(const Instruction& i);
  bool readCast(const Instruction& i);
  llvm::Value* convertByLibrary(const Instruction& i, const Value& from, bool fromUnsigned,
                                bool toUnsigned, bool saturates);

  // composites.cpp
  bool readComposite(const Instruction& i);
  llvm::Value* construct(const Instruction& i);
  llvm::Value* extract(const Value& from, std::span<const uint32_t> path);
  llvm::Value* insert(llvm::Value* into, const Type& type, llvm::Value* part,
                      std::span<const uint32_t> path);
  llvm::Value* shuffle(const Instruction& i);

  // memory.cpp
  struct MemoryAccess {
    llvm::Align align;
    bool isVolatile = false;
    bool isNontemporal = false;
  };
  bool readMemory(const Instruction& i);
  MemoryAccess memoryAccess(const Instruction& i, size_t first, llvm::Align natural) const;
  llvm::Align naturalAlign(const Type& content) const;
  void readVariable(const Instruction& i);
  void readLoad(const Instruction& i);
  void readStore(const Instruction& i);
  void readCopy(const Instruction& i);
  void readPointerDifference(const Instruction& i);
  bool readAddress(const Instruction& i);
  /// The base begins at the operand `first`, and points to `content`.
  llvm::Value* address(const Instruction& i, size_t first, const Type& content, bool hasElement,
                       bool isInBounds);

  // control_flow.cpp
  bool readControlFlow(const Instruction& i);
  llvm::BasicBlock* block(uint32_t label);
  void readPhi(const Instruction& i);
  void finishPhis();
  void readSwitch(const Instruction& i);
  void readCall(const Instruction& i);
  void readPointerCall(const Instruction& i);
  void readReturn(const Instruction& i);
  void finishLoops();

  // atomics.cpp
  bool readAtomic(const Instruction& i);
  void readCompareExchange(const Instruction& i);
  void readReadModifyWrite(const Instruction& i, llvm::StringRef name, const Value& operand,
                           bool isUnsigned);
  Argument atomicPointer(const Value& pointer, const Type& content, bool isUnsigned);

  // groups.cpp
  bool readGroup(const Instruction& i);
  bool readCollective(const Instruction& i);
  void readBarrier(const Instruction& i);
  void readAsyncCopy(const Instruction& i);
  const Type& elementOf(uint64_t bytes);
  /// Calls `function`, of scalars, for each component of `operand`.
  llvm::Value* eachComponent(const Value& operand, const Type& result,
                             llvm::function_ref<llvm::Value*(const Value&)> function);

  // sub_groups.cpp
  bool readSubGroup(const Instruction& i);
  bool readBlock(const Instruction& i);

  // images.cpp
  bool readImage(const Instruction& i);
  Argument coordinates(const Type& image, const Value& given);
  void defineTexel(const Instruction& i, const Type& image, uint32_t operands,
                   llvm::ArrayRef<Argument> arguments);
  void readSample(const Instruction& i);
  void readImageRead(const Instruction& i);
  void readImageWrite(const Instruction& i);
  bool readImageQuery(const Instruction& i);
  llvm::Value* imageSize(const Value& image, const Type& result);

  // pipes.cpp
  bool readPipe(const Instruction& i);

  // device_enqueue.cpp
  /// A block and the bytes that it is given, as the built-in library takes them.
  struct BlockUse {
    llvm::Value* id = nullptr;
    llvm::Value* literal = nullptr;
    uint32_t literalBytes = 0;
    size_t localCount = 0; ///< of its pointers to local memory
  };
  bool readDeviceEnqueue(const Instruction& i);
  bool readDeviceEvent(const Instruction& i);
  bool readKernelQuery(const Instruction& i);
  void readEnqueueKernel(const Instruction& i);
  BlockUse blockAt(const Instruction& i, size_t first);
  llvm::Value* localSizes(const Instruction& i, size_t first);
  llvm::StructType* rangeType();
  llvm::Value* rangeAddress(const Instruction& i, size_t index);
  llvm::Value* buildRange(const Instruction& i);
  Value opaque(const Instruction& i, size_t index, Op type);
  llvm::Value* number32(const Instruction& i, size_t index);
  llvm::Value* genericPointer(const Value& pointer);

  // opencl_std.cpp
  bool readExtended(const Instruction& i);
  void readStandard(const Instruction& i, uint32_t number, std::span<const uint32_t> operands);
  void readPrintf(const Instruction& i, std::span<const uint32_t> operands);

  ModuleReader& module_;
  const Function& source_;
  llvm::Function& function_;
  Builder builder_;
  llvm::BasicBlock* entry_ = nullptr; ///< of our own, before the first of the module
  llvm::DenseMap<uint32_t, Value> values_;
  std::map<uint32_t, std::pair<llvm::Value*, llvm::Value*>> sampledImages_; ///< image and sampler
  std::map<uint32_t, const Type*> sampledImageTypes_;
  llvm::DenseMap<uint32_t, llvm::BasicBlock*> blocks_;
  llvm::DenseSet<uint32_t> definedBlocks_;
  std::vector<std::pair<const Instruction*, llvm::PHINode*>> phis_;
  std::vector<std::pair<llvm::BasicBlock*, const Instruction*>> loops_; ///< headers
  std::vector<llvm::AddrSpaceCastInst*> builtInsElsewhere_; ///< variables that are not in Input
  const Instruction* current_ = nullptr;
  const Instruction* loopMerge_ = nullptr; ///< of the block that is being read
};

/// The constant that `operation`, an instruction with a result, makes of constants.
llvm::Constant* foldConstant(ModuleReader& module, const Instruction& operation);

} // namespace quern::compiler::spirv
