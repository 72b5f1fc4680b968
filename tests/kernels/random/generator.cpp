#include <algorithm>

#include "kernels/random/record_generator.h"

namespace quern::tests::random {
namespace {

using Kind = Statement::Kind;

/// What statements may do at a place.
struct Context {
  bool isUniform = true; ///< all items of the group that have not ended are here together
  bool barriers = true;  ///< the function may contain barriers
  bool canBreak = false; ///< out of the nearest loop or switch
  bool canContinue = false;
  bool breakUniform =
      false; ///< the nearest loop or switch holds the group together: only all may break
  bool continueUniform = false; ///< so for the nearest loop
  bool canLeave = true;         ///< finish or return
  unsigned depth = 0;
  unsigned runs = 1; ///< how often the enclosing loops run the place, at most
};

class Generator {
public:
  explicit Generator(uint64_t seed)
      : random_(seed), expressions_(program_, random_), records_(program_, random_, expressions_) {
    program_.seed = seed;
    program_.endsEarly = seed >= 4'000'000 && seed < 5'000'000;
    program_.usesSubGroups = seed % 4 == 2 && !program_.endsEarly;
    program_.usesCollectives = seed % 4 == 0 && !program_.endsEarly;
    program_.usesRecords = seed >= 3'000'000;
    program_.dividesIds = seed >= 1'000'000; // the others stay what they were
    program_.countsWidely = seed >= 2'000'000;
    program_.readsWidely = seed >= 5'000'000;
  }
  Program generate();

private:
  static constexpr unsigned maxRuns = 120, maxDepth = 5, maxStatements = 60, maxBarriers = 14;

  int addVariable(Type type, bool isUniform);
  int addArray(Type element);
  void declare(Block& block, bool uniformVariables);
  void addPointer(Block& block);
  void startFunction();
  void addPlainFunction();
  void addBarrierFunction();
  void finishFunction(Function function, Block body, bool isPlain);
  void fillLocals(Block& body);
  void addKernel();
  void addMemoryResults(Block& body);

  Block block(const Context& context, unsigned statements, bool declares);
  void addStatement(Block& block, const Context& context);
  void addUniformStatement(Block& block, const Context& context);
  void addLeave(Block& block, const Context& context);
  StatementPtr assign(const Context& context);
  StatementPtr setMemory();
  StatementPtr setPointer();
  StatementPtr condition(const Context& context);
  int addCounter(Type type, bool isUniform);
  void countWidely(Statement& loop, unsigned maxRounds);
  StatementPtr loop(const Context& context);
  StatementPtr selection(const Context& context);
  StatementPtr exchange(const Context& context);
  StatementPtr callInto(const Context& context);
  StatementPtr subGroup(const Context& context);
  StatementPtr workGroup();

  int assignable(bool isUniform);
  ExpressionPtr make(Type type, bool uniform) { return expressions_.make(type, scope_, uniform); }
  ExpressionPtr below(unsigned limit, bool uniform);

  Random random_;
  Program program_;
  ExpressionGenerator expressions_;
  RecordGenerator records_;
  Scope scope_;
  std::vector<int> freeLocals_;
  std::vector<size_t> pointerLimit_; ///< arrays made before each pointer: it may point at these
  bool inKernel_ = false;
  unsigned statements_ = 0; ///< of the function so far
  unsigned barriers_ = 0;   ///< so, with those of functions that it calls
  Type returnType_ = intType;
};

StatementPtr statement(Kind kind, int index = 0) {
  auto result = std::make_unique<Statement>();
  result->kind = kind;
  result->index = index;
  return result;
}

template <typename... Operands>
ExpressionPtr expression(Expression::Kind kind, Type type, Operands... operands) {
  auto result = std::make_unique<Expression>();
  result->kind = kind;
  result->type = type;
  (result->operands.push_back(std::move(operands)), ...);
  return result;
}

ExpressionPtr variable(const Program& program, int index) {
  ExpressionPtr result = expression(Expression::Kind::Variable, program.variables[index].type);
  result->index = index;
  return result;
}

ExpressionPtr constant(Type type, uint64_t value) {
  ExpressionPtr result = expression(Expression::Kind::Constant, type);
  result->value = makeValue(type, value);
  return result;
}

int Generator::addVariable(Type type, bool isUniform) {
  int index = int(program_.variables.size());
  program_.variables.push_back({(isUniform ? "u" : "v") + std::to_string(index), type, isUniform,
                                false, random_.next() % 1000});
  return index;
}

int Generator::addArray(Type element) {
  int index = int(program_.arrays.size());
  unsigned count = random_.oneOf<unsigned>({1, 3, 4, 7, 8, 16, 33});
  program_.arrays.push_back({"a" + std::to_string(index), element, count, random_.next() % 100});
  return index;
}

void Generator::addPointer(Block& block) {
  if (scope_.arrays.empty())
    return;
  int array = random_.oneOf(scope_.arrays), index = int(program_.pointers.size());
  const PrivateArray& target = program_.arrays[array];
  program_.pointers.push_back(
      {"p" + std::to_string(index), target.element, 1 + random_.below(target.count), array});
  pointerLimit_.push_back(program_.arrays.size());
  block.pointers.push_back(index);
  scope_.pointers.push_back(index);
}

void Generator::declare(Block& block, bool uniformVariables) {
  for (unsigned i = 1 + random_.below(3); i > 0; --i)
    block.variables.push_back(
        addVariable(expressions_.randomType(), uniformVariables && random_.chance(30)));
  scope_.variables.insert(scope_.variables.end(), block.variables.begin(), block.variables.end());
  if (random_.chance(40)) {
    block.arrays.push_back(addArray(expressions_.randomType()));
    scope_.arrays.push_back(block.arrays.back());
  }
  if (random_.chance(40))
    addPointer(block);
  if (program_.usesRecords && random_.chance(60))
    records_.addRecord(block, scope_);
}

int Generator::assignable(bool isUniform) {
  std::vector<int> candidates;
  for (int index : scope_.variables)
    if (!program_.variables[index].isCounter && (isUniform || !program_.variables[index].isUniform))
      candidates.push_back(index);
  return candidates.empty() ? -1 : random_.oneOf(candidates);
}

ExpressionPtr Generator::below(unsigned limit, bool uniform) {
  ExpressionPtr result = expression(Expression::Kind::Operation, uintType, make(uintType, uniform),
                                    constant(uintType, limit));
  result->op = Operator::Remainder;
  return result;
}

StatementPtr Generator::assign(const Context& context) {
  int index = assignable(context.isUniform);
  if (index < 0)
    return nullptr;
  const Variable& target = program_.variables[index];
  const bool uniform = target.isUniform;
  const bool oneLane = target.type.isVector() && random_.chance(40);
  StatementPtr result = statement(oneLane ? Kind::AssignLane : Kind::Assign, index);
  result->lane = random_.below(target.type.lanes);
  result->expressions.push_back(make(oneLane ? target.type.element() : target.type, uniform));
  return result;
}

StatementPtr Generator::setMemory() {
  const bool throughPointer = !scope_.pointers.empty() && random_.chance(50);
  if (!throughPointer && scope_.arrays.empty())
    return nullptr;
  int index = random_.oneOf(throughPointer ? scope_.pointers : scope_.arrays);
  Type element = throughPointer ? program_.pointers[index].element : program_.arrays[index].element;
  StatementPtr result = statement(throughPointer ? Kind::SetTarget : Kind::SetElement, index);
  result->expressions.push_back(make(uintType, false));
  result->expressions.push_back(make(element, false));
  return result;
}

StatementPtr Generator::setPointer() {
  if (scope_.pointers.empty())
    return nullptr;
  int index = random_.oneOf(scope_.pointers);
  const Pointer& pointer = program_.pointers[index];
  std::vector<int> targets;
  for (int array : scope_.arrays)
    if (size_t(array) < pointerLimit_[index] && program_.arrays[array].element == pointer.element &&
        program_.arrays[array].count >= pointer.reach)
      targets.push_back(array);
  if (targets.empty())
    return nullptr;
  StatementPtr result = statement(Kind::SetPointer, index);
  result->first = random_.oneOf(targets);
  result->second = random_.oneOf(targets);
  result->firstOffset = random_.below(program_.arrays[result->first].count - pointer.reach + 1);
  result->secondOffset = random_.below(program_.arrays[result->second].count - pointer.reach + 1);
  result->expressions.push_back(make(intType, false));
  return result;
}

StatementPtr Generator::condition(const Context& context) {
  Context inner = context;
  inner.isUniform = context.isUniform && random_.chance(60);
  ++inner.depth;
  StatementPtr result = statement(Kind::If);
  result->expressions.push_back(make(intType, inner.isUniform));
  result->blocks.push_back(block(inner, 1 + random_.below(3), random_.chance(20)));
  result->blocks.push_back(block(inner, random_.below(3), false));
  return result;
}

int Generator::addCounter(Type type, bool isUniform) {
  const int counter = addVariable(type, isUniform);
  program_.variables[counter].name[0] = 'i';
  program_.variables[counter].isCounter = true;
  return counter;
}

/// Gives the counter of `loop` another type, step, test and place.
void Generator::countWidely(Statement& loop, unsigned maxRounds) {
  Variable& counter = program_.variables[loop.index];
  counter.type = randomCounterType(random_);
  loop.counting = randomCounting(random_, counter.type, maxRounds);
  counter.name = counterName(counter.name, loop.counting.place);
}

StatementPtr Generator::loop(const Context& context) {
  const unsigned limit = 2 + random_.below(5);
  if (context.runs * limit > maxRuns)
    return nullptr;
  Context inner = context;
  inner.isUniform = context.isUniform && random_.chance(70);
  inner.canBreak = inner.canContinue = true;
  inner.breakUniform = inner.continueUniform = inner.isUniform;
  inner.runs *= limit;
  ++inner.depth;
  StatementPtr result = statement(Kind::Loop, addCounter(uintType, inner.isUniform));
  if (program_.countsWidely && random_.chance(75))
    countWidely(*result, limit);
  const int counter = result->index;
  result->form = random_.oneOf({Statement::LoopForm::For, Statement::LoopForm::For,
                                Statement::LoopForm::While, Statement::LoopForm::DoWhile});
  result->expressions.push_back(below(limit, inner.isUniform));
  scope_.variables.push_back(counter);
  result->blocks.push_back(block(inner, 2 + random_.below(4), random_.chance(40)));
  scope_.variables.erase(std::find(scope_.variables.begin(), scope_.variables.end(), counter));
  return result;
}

StatementPtr Generator::selection(const Context& context) {
  Context inner = context;
  inner.isUniform = context.isUniform && random_.chance(60);
  inner.canBreak = true;
  inner.breakUniform = inner.isUniform;
  ++inner.depth;
  StatementPtr result = statement(Kind::Switch);
  const unsigned cases = 2 + random_.below(4);
  result->expressions.push_back(below(cases, inner.isUniform));
  for (unsigned i = 0; i < cases; ++i) {
    result->blocks.push_back(block(inner, random_.below(3), random_.chance(10)));
    result->fallsThrough.push_back(random_.chance(25));
  }
  return result;
}

StatementPtr Generator::exchange(const Context& context) {
  if (freeLocals_.empty() || barriers_ + 3 > maxBarriers)
    return nullptr;
  barriers_ += 3;
  const size_t position = random_.below(unsigned(freeLocals_.size()));
  const int local = freeLocals_[position];
  freeLocals_.erase(freeLocals_.begin() + long(position));
  const Type element = program_.locals[local].element;

  Context inner = context;
  inner.canBreak = inner.canContinue = false;
  inner.canLeave = inKernel_;
  ++inner.depth;
  StatementPtr result = statement(Kind::Exchange, local);
  if (element.bits == 32 && !element.isVector() && random_.chance(40)) {
    result->kind = Kind::Accumulate;
    result->firstOffset = static_cast<unsigned>(random_.next());
    result->atomic = random_.oneOf({Operator::Add, Operator::Subtract, Operator::And, Operator::Or,
                                    Operator::Xor, Operator::Minimum, Operator::Maximum});
    result->expressions.push_back(make(uintType, false));
    result->expressions.push_back(make(element, false));
    result->blocks.emplace_back();
  } else {
    result->expressions.push_back(make(element, false));
    scope_.ownLocals.push_back(local);
    result->blocks.push_back(block(inner, random_.below(2), false));
    scope_.ownLocals.pop_back();
  }
  scope_.readableLocals.push_back(local);
  result->blocks.push_back(block(inner, 1 + random_.below(3), false));
  scope_.readableLocals.pop_back();
  freeLocals_.push_back(local);
  return result;
}

StatementPtr Generator::subGroup(const Context& context) {
  const int index = assignable(false);
  if (index < 0 || program_.variables[index].isUniform || program_.variables[index].type.isVector())
    return nullptr;
  const Type type = program_.variables[index].type;
  StatementPtr result = statement(Kind::SubGroup, index);
  result->subGroupFunction = static_cast<SubGroupFunction>(
      random_.below(static_cast<unsigned>(context.isUniform ? SubGroupFunction::ClusteredReduce
                                                            : SubGroupFunction::Size) +
                    1));
  result->atomic = random_.oneOf({Operator::Add, Operator::Multiply, Operator::And, Operator::Or,
                                  Operator::Xor, Operator::Minimum, Operator::Maximum});
  result->lane = random_.oneOf({1u, 2u, 4u});
  const bool isVote = result->subGroupFunction == SubGroupFunction::All ||
                      result->subGroupFunction == SubGroupFunction::Any ||
                      result->subGroupFunction == SubGroupFunction::Ballot;
  result->expressions.push_back(make(isVote ? intType : type, false));
  result->expressions.push_back(make(uintType, random_.chance(40)));
  return result;
}

StatementPtr Generator::workGroup() {
  using Function = SubGroupFunction;
  const auto function =
      random_.oneOf({Function::Reduce, Function::ScanInclusive, Function::ScanExclusive,
                     Function::All, Function::Any, Function::Shuffle});
  const bool isVote = function == Function::All || function == Function::Any;
  const bool isScan = function == Function::ScanInclusive || function == Function::ScanExclusive;
  std::vector<int> targets;
  for (int candidate : scope_.variables) {
    const Variable& variable = program_.variables[candidate];
    if (!variable.isCounter && !variable.type.isVector() && variable.type.bits >= 32 &&
        !(isScan && variable.isUniform))
      targets.push_back(candidate);
  }
  if (targets.empty() || barriers_ == maxBarriers)
    return nullptr;
  ++barriers_;
  StatementPtr result = statement(Kind::WorkGroup, random_.oneOf(targets));
  result->subGroupFunction = function;
  result->atomic = random_.oneOf({Operator::Add, Operator::Minimum, Operator::Maximum});
  const Type type = program_.variables[result->index].type;
  result->expressions.push_back(make(isVote ? intType : type, false));
  result->expressions.push_back(make(uintType, true));
  return result;
}

StatementPtr Generator::callInto(const Context& context) {
  if (scope_.callable == 0)
    return nullptr;
  int index = int(random_.below(unsigned(scope_.callable)));
  const Function& function = program_.functions[index];
  std::vector<int> targets;
  for (int candidate : scope_.variables)
    if (!program_.variables[candidate].isUniform && !program_.variables[candidate].isCounter &&
        !program_.variables[candidate].type.isVector())
      targets.push_back(candidate);
  if (targets.empty() || !expressions_.mayCall(function, scope_))
    return nullptr;
  StatementPtr result = statement(Kind::CallInto, random_.oneOf(targets));
  result->first = index;
  if (function.hasBarrier) {
    if (!context.isUniform || !context.barriers || barriers_ + function.barriers > maxBarriers)
      return nullptr;
    for (int local : function.locals)
      if (std::find(freeLocals_.begin(), freeLocals_.end(), local) == freeLocals_.end())
        return nullptr;
  }
  if (function.pointer >= 0) {
    const Pointer& pointer = program_.pointers[function.pointer];
    for (int array : scope_.arrays)
      if (program_.arrays[array].element == pointer.element &&
          program_.arrays[array].count >= pointer.reach)
        result->second = array;
    if (result->second < 0)
      return nullptr;
    result->secondOffset = random_.below(program_.arrays[result->second].count - pointer.reach + 1);
  }
  for (int parameter : function.parameters)
    result->expressions.push_back(
        make(program_.variables[parameter].type, program_.variables[parameter].isUniform));
  expressions_.noteCall(function, scope_);
  barriers_ += function.barriers;
  return result;
}

/// `if (condition) break;` and its relatives.
void Generator::addLeave(Block& block, const Context& context) {
  StatementPtr inner;
  bool uniform = false;
  const bool endsAlone = program_.endsEarly && inKernel_;
  const unsigned what = random_.below(5);
  if (what < 2 && context.canBreak && (!context.breakUniform || context.isUniform)) {
    inner = statement(Kind::Break);
    uniform = context.breakUniform;
  } else if (what < 4 && context.canContinue && (!context.continueUniform || context.isUniform)) {
    inner = statement(Kind::Continue);
    uniform = context.continueUniform;
  } else if (what == 4 && context.canLeave &&
             (!context.barriers || context.isUniform || endsAlone)) {
    uniform = context.barriers && !endsAlone;
    inner = statement(inKernel_ ? Kind::Finish : Kind::Return);
    if (!inKernel_)
      inner->expressions.push_back(make(returnType_, false));
  }
  if (!inner)
    return;
  StatementPtr result = statement(Kind::If);
  result->expressions.push_back(make(intType, uniform));
  result->blocks.resize(2);
  if (random_.chance(30))
    if (StatementPtr before = setMemory())
      result->blocks[0].statements.push_back(std::move(before));
  result->blocks[0].statements.push_back(std::move(inner));
  block.statements.push_back(std::move(result));
}

void Generator::addUniformStatement(Block& block, const Context& context) {
  StatementPtr result;
  const unsigned what = random_.below(10);
  if (what < 6 && context.depth < maxDepth)
    result = exchange(context);
  else if (what < 9)
    result = callInto(context);
  else
    result = statement(Kind::Barrier);
  if (program_.usesCollectives && random_.chance(40))
    if (StatementPtr collective = workGroup())
      block.statements.push_back(std::move(collective));
  if (result)
    block.statements.push_back(std::move(result));
}

void Generator::addStatement(Block& block, const Context& context) {
  if (++statements_ > maxStatements)
    return;
  scope_.runs = context.runs;
  const bool deep = context.depth >= maxDepth;
  const unsigned what = random_.below(100);
  StatementPtr result;
  if (context.isUniform && context.barriers && random_.chance(35))
    return addUniformStatement(block, context);
  if (program_.usesSubGroups && inKernel_ && random_.chance(20))
    result = subGroup(context);
  else if (what < 12)
    return addLeave(block, context);
  else if (what < 24)
    result = program_.usesRecords && random_.chance(60) ? records_.statement(scope_) : setMemory();
  else if (what < 30)
    result = setPointer();
  else if (what < 36)
    result = callInto(context);
  else if (what < 50 && !deep)
    result = condition(context);
  else if (what < 64 && !deep)
    result = loop(context);
  else if (what < 69 && !deep)
    result = selection(context);
  else if (what < 73 && !deep) {
    Context inner = context;
    ++inner.depth;
    result = statement(Kind::Nested);
    result->blocks.push_back(this->block(inner, 1 + random_.below(3), true));
  }
  if (!result) {
    result = assign(context);
  }
  if (result)
    block.statements.push_back(std::move(result));
}

Block Generator::block(const Context& context, unsigned statements, bool declares) {
  Block result;
  const Scope saved = scope_;
  if (declares)
    declare(result, context.barriers && context.isUniform);
  for (unsigned i = 0; i < statements; ++i)
    addStatement(result, context);
  scope_.variables = saved.variables;
  scope_.arrays = saved.arrays;
  scope_.pointers = saved.pointers;
  scope_.records = saved.records;
  return result;
}

void Generator::startFunction() {
  expressions_.takeFacts();
  statements_ = barriers_ = 0;
}

void Generator::finishFunction(Function function, Block body, bool isPlain) {
  // The result is made with the body's declarations in scope: print and run it before they end.
  function.result = make(returnType_, false);
  const ExpressionGenerator::Facts facts = expressions_.takeFacts();
  function.usesIds = facts.usedIds || !isPlain;
  function.cost = facts.cost;
  function.bodies = facts.bodies;
  function.barriers = barriers_;
  function.body = std::move(body);
  program_.functions.push_back(std::move(function));
}

void Generator::addPlainFunction() {
  Function function;
  function.name = "f" + std::to_string(program_.functions.size());
  function.isNoinline = random_.chance(40);
  scope_ = {};
  scope_.inKernelOrBarrierFunction = false;
  scope_.mayUseIds = random_.chance(30);
  scope_.callable = program_.functions.size();
  startFunction();
  for (unsigned i = 1 + random_.below(3); i > 0; --i)
    function.parameters.push_back(addVariable(expressions_.randomType(), false));
  scope_.variables = function.parameters;
  if (random_.chance(40)) {
    int index = int(program_.pointers.size());
    program_.pointers.push_back(
        {"p" + std::to_string(index), expressions_.randomType(), 1 + random_.below(4), -1});
    pointerLimit_.push_back(0);
    function.pointer = index;
    scope_.pointers.push_back(index);
  }
  inKernel_ = false;
  returnType_ = expressions_.randomScalar();
  Context context;
  context.isUniform = context.barriers = false;
  context.runs = 8;
  context.depth = 2;
  Block body;
  declare(body, false);
  for (unsigned i = 2 + random_.below(5); i > 0; --i)
    addStatement(body, context);
  finishFunction(std::move(function), std::move(body), true);
}

void Generator::addBarrierFunction() {
  Function function;
  function.name = "b" + std::to_string(program_.functions.size());
  function.hasBarrier = true;
  function.isNoinline = random_.chance(40);
  scope_ = {};
  startFunction();
  scope_.callable = program_.functions.size();
  function.locals = {int(random_.below(unsigned(program_.locals.size())))};
  // Barrier functions that it calls bring their own.
  for (const Function& callee : program_.functions)
    for (int local : callee.locals)
      if (std::find(function.locals.begin(), function.locals.end(), local) == function.locals.end())
        function.locals.push_back(local);
  freeLocals_ = function.locals;
  for (unsigned i = 1 + random_.below(3); i > 0; --i)
    function.parameters.push_back(addVariable(expressions_.randomType(), random_.chance(40)));
  scope_.variables = function.parameters;
  inKernel_ = false;
  returnType_ = expressions_.randomScalar();
  Context context;
  context.runs = 6;
  context.depth = 2;
  Block body;
  declare(body, true);
  for (unsigned i = 2 + random_.below(4); i > 0; --i)
    addStatement(body, context);
  finishFunction(std::move(function), std::move(body), false);
}

/// Folds the arrays and the records of the kernel into one of its results.
void Generator::addMemoryResults(Block& body) {
  const int sum = addVariable(ulongType, false);
  body.variables.push_back(sum);
  const auto fold = [&](ExpressionPtr element) {
    ExpressionPtr rotated = expression(Expression::Kind::Operation, ulongType,
                                       variable(program_, sum), constant(ulongType, 5));
    rotated->op = Operator::Rotate;
    ExpressionPtr total =
        expression(Expression::Kind::Operation, ulongType, std::move(rotated),
                   expression(Expression::Kind::Convert, ulongType, std::move(element)));
    total->op = Operator::Xor;
    StatementPtr add = statement(Kind::Assign, sum);
    add->expressions.push_back(std::move(total));
    body.statements.push_back(std::move(add));
  };
  for (int index : body.arrays) {
    const PrivateArray& array = program_.arrays[index];
    for (unsigned at = 0; at < array.count; at += 1 + array.count / 8) {
      ExpressionPtr element =
          expression(Expression::Kind::ArrayElement, array.element, constant(uintType, at));
      element->index = index;
      if (array.element.isVector()) {
        element =
            expression(Expression::Kind::Swizzle, array.element.element(), std::move(element));
        element->lanes = {static_cast<uint8_t>(at % array.element.lanes)};
      }
      fold(std::move(element));
    }
  }
  for (ExpressionPtr& value : records_.values(body))
    fold(std::move(value));
}

/// Nobody else would write the elements of those that end early.
void Generator::fillLocals(Block& body) {
  for (const int local : freeLocals_) {
    StatementPtr fill = statement(Kind::Exchange, local);
    fill->expressions.push_back(make(program_.locals[local].element, false));
    fill->blocks.resize(2);
    body.statements.push_back(std::move(fill));
  }
}

void Generator::addKernel() {
  scope_ = {};
  startFunction();
  scope_.callable = program_.functions.size();
  inKernel_ = true;
  freeLocals_.clear();
  for (size_t i = 0; i < program_.locals.size(); ++i)
    freeLocals_.push_back(int(i));
  for (unsigned i = 1 + random_.below(4); i > 0; --i)
    program_.arguments.push_back(addVariable(expressions_.randomType(), true));
  scope_.variables = program_.arguments;
  Block body;
  if (program_.usesRecords)
    records_.addOwnMemory(body, scope_);
  for (int i = 0; i < 3; ++i)
    declare(body, true);
  for (const Function& function : program_.functions)
    if (function.pointer >= 0) {
      int array = addArray(program_.pointers[function.pointer].element);
      program_.arrays[array].count += program_.pointers[function.pointer].reach;
      body.arrays.push_back(array);
      scope_.arrays.push_back(array);
    }
  for (int i = 0; i < 2; ++i)
    addPointer(body);
  Context context;
  if (program_.endsEarly)
    fillLocals(body);
  for (unsigned i = 8 + random_.below(10); i > 0; --i)
    addStatement(body, context);
  addMemoryResults(body);
  program_.results = body.variables;
  program_.kernel.name = "k";
  program_.kernel.hasBarrier = program_.kernel.usesIds = true;
  program_.kernel.body = std::move(body);
}

Program Generator::generate() {
  for (unsigned i = 0; i < Program::inputCount; ++i)
    program_.inputs.push_back(int(random_.next() >> random_.below(32)));
  for (unsigned i = 1 + random_.below(4); i > 0; --i)
    program_.opaqueUniforms.push_back(int(random_.below(10)));
  for (unsigned i = 2 + random_.below(3); i > 0; --i) {
    int index = int(program_.locals.size());
    Type element =
        random_.chance(50) ? (random_.chance(50) ? intType : uintType) : expressions_.randomType();
    program_.locals.push_back(
        {"l" + std::to_string(index), element,
         random_.oneOf({LocalArray::Place::Variable, LocalArray::Place::Argument,
                        LocalArray::Place::Global})});
  }
  for (unsigned i = random_.below(4); i > 0; --i)
    addPlainFunction();
  for (unsigned i = random_.below(3); i > 0; --i)
    addBarrierFunction();
  addKernel();
  return std::move(program_);
}

} // namespace

Program generate(uint64_t seed) {
  return Generator(seed).generate();
}

} // namespace quern::tests::random
