#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "kernels/random/counting.h"
#include "kernels/random/value.h"

/// A random kernel as a tree: written by the generator, printed as OpenCL C, and run on the host by
/// the interpreter. Everything in it has one meaning: no undefined behaviour, no race, barriers
/// only where all work-items of the group arrive that have not ended.
namespace quern::tests::random {

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

struct Expression {
  enum class Kind : uint8_t {
    Constant,      ///< value
    Variable,      ///< index: Program::variables
    LocalId,       ///< index: dimension; uint
    GlobalId,      ///< index: dimension; uint
    GroupId,       ///< index: dimension; uint
    LocalSize,     ///< index: dimension; uint
    LinearLocalId, ///< uint
    GroupItems,    ///< work-items in a group; uint
    OpaqueUniform, ///< index: one of Program::opaqueUniforms, read from a place that depends on the
                   ///< work-item; int
    Input,         ///< in[operands[0] % inputCount], read as `inputFrom` says; int
    Halves,        ///< with each operand modulo 32: operands[0] * operands[1] + operands[2] in
                   ///< numbers of type half, which is exact; int
    ArrayElement,  ///< index: Program::arrays, at operands[0]
    PointerTarget, ///< index: Program::pointers, at operands[0] within its reach
    LocalElement,  ///< index: Program::locals, at operands[0] modulo the group's size
    LocalOwn,      ///< index: Program::locals, at the own place
    Operation,     ///< op of one or two operands
    Choice,        ///< operands[0] ? operands[1] : operands[2]
    Convert,       ///< operands[0] to type, lane by lane
    Splat,         ///< the scalar operands[0] in every lane
    Build,         ///< a vector of scalar operands
    Swizzle,       ///< the given lanes of operands[0]
    Call,          ///< index: Program::functions; a function without barriers and pointers
    Field,         ///< lanes[0] of Program::records[index]
    Linked,        ///< what link lanes[0] of Program::records[index] leads to; null: operands[0]
    LinkIsNull,    ///< link lanes[0] of Program::records[index]; int
  };
  /// Halves: the remainder of a division by 2048, which a half holds.
  enum class InputFrom : uint8_t { Buffer, Image, SampledImage, SharedMemory, Halves };
  Kind kind = Kind::Constant;
  Type type;
  Operator op = Operator::Add;
  InputFrom inputFrom = InputFrom::Buffer;
  int index = 0;
  Value value = {};
  std::vector<ExpressionPtr> operands = {};
  std::vector<uint8_t> lanes = {};
};

/// What the work-items of a sub-group that reach a statement do together, or what each is told of
/// its place among them.
enum class SubGroupFunction : uint8_t {
  Reduce, ///< by Statement::atomic, as the scans
  ScanInclusive,
  ScanExclusive,
  BroadcastFirst,
  AllEqual,
  All,
  Any,
  Ballot,
  Elect,
  Id,
  LocalId,
  Size,
  // Only where all work-items of the group are together:
  Shuffle, ///< expressions[1] modulo the size (of a group: in dimension 0) names another one
  ClusteredReduce, ///< of Statement::lane work-items
};

/// What a link of a record leads to: memory of the work-item's own, or nothing.
struct LinkTarget {
  enum class Kind : uint8_t { Null, Field, Element, Own };
  Kind kind = Kind::Null;
  int index = 0;      ///< Program::records (the first field), arrays or locals
  unsigned place = 0; ///< of an element
};

struct Statement;
using StatementPtr = std::unique_ptr<Statement>;

/// Declarations, initialised each time the block is entered, and statements.
struct Block {
  std::vector<int> variables, arrays, pointers;
  std::vector<int> records = {};
  std::vector<StatementPtr> statements;
};

struct Statement {
  enum class Kind : uint8_t {
    Assign,     ///< variables[index] = expressions[0]
    AssignLane, ///< variables[index].s<lane> = expressions[0]
    SetElement, ///< arrays[index][expressions[0]] = expressions[1]
    SetTarget,  ///< pointers[index][expressions[0]] = expressions[1]
    SetPointer, ///< pointers[index] = expressions[0] ? &arrays[first][..] : &arrays[second][..]
    Nested,     ///< blocks[0]
    If,         ///< expressions[0], blocks[0], blocks[1] (may be empty)
    Loop,       ///< counter variables[index], as `counting` says, for expressions[0]; blocks[0]
    Switch,     ///< expressions[0] modulo the number of blocks; fallsThrough for each
    Break,
    Continue,
    Finish, ///< write the results and leave the kernel
    Return, ///< leave the function with expressions[0]
    Barrier,
    Exchange, ///< local[index][own] = expressions[0]; blocks[0]; barrier; blocks[1], which may read
              ///< any place; barrier
    Accumulate, ///< clear local[index]; barrier; atomically combine expressions[1] into the place
                ///< expressions[0]; barrier; blocks[1], which may read any place; barrier
    SubGroup,   ///< variables[index] = subGroupFunction(expressions[0], expressions[1])
    WorkGroup, ///< the same for the whole group: a reduction, scan or vote, or Shuffle, a broadcast
    CallInto,  ///< variables[index] = functions[first](expressions..., array)
    SetOwn,    ///< local[index][own] = expressions[0]
    SetField,  ///< field lane of records[index] = expressions[0]
    SetLink,   ///< link lane of records[index] = expressions[0] ? targets[0] : targets[1]
    CopyLink,  ///< link lane of records[index] = link second of records[first]
    SetLinked, ///< what link lane of records[index] leads to, unless it is null, = expressions[0]
  };
  enum class LoopForm : uint8_t { For, While, DoWhile };

  Kind kind = Kind::Assign;
  int index = 0;
  int first = -1, second = -1;
  unsigned firstOffset = 0, secondOffset = 0; ///< Accumulate: firstOffset is the value cleared to
  unsigned lane = 0;
  LoopForm form = LoopForm::For;
  Counting counting = {};
  SubGroupFunction subGroupFunction = SubGroupFunction::Reduce;
  std::vector<ExpressionPtr> expressions = {};
  std::vector<Block> blocks = {};
  std::vector<bool> fallsThrough = {};
  std::array<LinkTarget, 2> targets = {};
  Operator atomic = Operator::Add; ///< of Accumulate, SubGroup and WorkGroup
  bool removed = false;            ///< by the reducer; neither printed nor run
};

struct Variable {
  std::string name;
  Type type;
  bool isUniform = false;
  bool isCounter = false; ///< of a loop: only the loop changes it
  uint64_t initial = 0;
};

struct PrivateArray {
  std::string name;
  Type element;
  unsigned count = 1;
  uint64_t initial = 0; ///< element i starts as i * 3 + initial
};

/// Points at `reach` or more elements of some private array.
struct Pointer {
  std::string name;
  Type element;
  unsigned reach = 1;
  int array = -1; ///< at first
};

/// A structure in private memory, with links: pointers to the generic address space that lead to
/// what has the type of the first field, and are null at first.
struct Record {
  static constexpr unsigned links = 2;
  std::string name;
  std::vector<Type> fields;
  uint64_t initial = 0;    ///< field i starts as i + initial
  size_t arraysBefore = 0; ///< its links may lead into those
  Type linked() const { return fields.front(); }
};

/// Memory of a group, one element for each work-item.
struct LocalArray {
  enum class Place : uint8_t { Variable, Argument, Global };
  std::string name;
  Type element;
  Place place = Place::Variable; ///< Global: the group's part of a buffer
};

struct Function {
  std::string name;
  std::vector<int> parameters; ///< variables
  int pointer = -1;            ///< last parameter, or -1
  bool hasBarrier = false;
  bool isNoinline = false;
  bool usesIds = false;
  unsigned cost = 1;       ///< statements it runs, as an order of magnitude
  unsigned bodies = 1;     ///< function bodies after inlining every call
  unsigned barriers = 0;   ///< after inlining every call
  std::vector<int> locals; ///< that it exchanges values through
  Block body;
  ExpressionPtr result; ///< null for the kernel
};

struct Program {
  static constexpr unsigned inputCount = 64;
  static constexpr unsigned pictureWidth = 8; ///< of the inputs as an image
  static constexpr unsigned opaqueCopies = 8;

  uint64_t seed = 0;
  bool usesSubGroups = false;   ///< OpenCL C 3.0
  bool usesCollectives = false; ///< of work-groups: OpenCL C 3.0
  bool usesRecords = false;     ///< OpenCL C 3.0
  bool dividesIds = false;      ///< many places in memory are parts of ids
  bool countsWidely = false;    ///< loops have counters of all kinds
  bool endsEarly = false;       ///< work-items may end before others go on to barriers
  /// Whether neighbours in dimension 1, and not those in dimension 0, have their results next to
  /// each other.
  bool numbersColumnsFirst() const { return seed % 4 == 3; }
  bool readsWidely = false; ///< inputs come from images, shared memory and halves, too
  std::vector<Variable> variables;
  std::vector<PrivateArray> arrays;
  std::vector<Pointer> pointers;
  std::vector<LocalArray> locals;
  std::vector<Record> records;
  std::vector<int> ownMemory;      ///< locals of which each work-item uses its own element
  std::vector<int> opaqueUniforms; ///< values
  std::vector<int> inputs;
  std::vector<int> arguments; ///< variables set by the host to Variable::initial
  std::vector<Function> functions;
  Function kernel;
  std::vector<int> results; ///< variables of the kernel that make up its output
};

/// All integers nearer to 0 than this are numbers of type half.
inline constexpr int halfLimit = 2048;

/// Sizes in work-items.
struct Shape {
  unsigned dimensions = 1;
  std::array<size_t, 3> global = {1, 1, 1}, local = {1, 1, 1};
  size_t subGroup = 1; ///< work-items of a full sub-group
  size_t groupItems() const { return local[0] * local[1] * local[2]; }
  size_t items() const { return global[0] * global[1] * global[2]; }
};

/// Builds the program of a seed.
Program generate(uint64_t seed);

/// OpenCL C. `maxGroupItems` is the size of local arrays that are variables.
std::string print(const Program& program, size_t maxGroupItems);

/// One result for each work-item, by linear global id. Throws std::logic_error when the program
/// breaks its own rules (a race, a barrier that not all items reach): that is a defect of the
/// generator.
std::vector<uint64_t> interpret(const Program& program, const Shape& shape);

} // namespace quern::tests::random
