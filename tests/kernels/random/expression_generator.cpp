#include "kernels/random/expression_generator.h"

#include <algorithm>

namespace quern::tests::random {

using Kind = Expression::Kind;

static constexpr unsigned maxDepth = 4;

static ExpressionPtr node(Kind kind, Type type, int index = 0) {
  auto expression = std::make_unique<Expression>();
  expression->kind = kind;
  expression->type = type;
  expression->index = index;
  return expression;
}

Type ExpressionGenerator::randomScalar() {
  return {random_.oneOf<uint8_t>({8, 16, 32, 32, 32, 64, 64}), random_.chance(50), 1};
}

Type ExpressionGenerator::randomType() {
  Type type = randomScalar();
  if (random_.chance(25))
    type.lanes = random_.oneOf<uint8_t>({2, 3, 4, 4, 8, 16});
  return type;
}

ExpressionPtr ExpressionGenerator::constant(Type type) {
  ExpressionPtr expression = node(Kind::Constant, type);
  expression->value = makeValue(type, 0);
  for (unsigned i = 0; i < type.lanes; ++i) {
    uint64_t value = random_.next();
    switch (random_.below(6)) {
    case 0:
      value = random_.oneOf<uint64_t>({0, 1, ~uint64_t{0}, 2, 7});
      break;
    case 1: // near a border of the type
      value = (uint64_t{1} << (type.bits - 1)) - random_.below(3) + 1;
      break;
    case 2:
    case 3:
      value %= 100;
      break;
    case 4:
      value &= 0xffff;
      break;
    }
    expression->value.setLane(i, value);
  }
  return expression;
}

ExpressionPtr ExpressionGenerator::converted(ExpressionPtr expression, Type type) {
  if (expression->type == type)
    return expression;
  if (expression->type.lanes != type.lanes) {
    // Only from a scalar: into every lane.
    ExpressionPtr splat = node(Kind::Splat, type);
    splat->operands.push_back(converted(std::move(expression), type.element()));
    return splat;
  }
  ExpressionPtr result = node(Kind::Convert, type);
  result->operands.push_back(std::move(expression));
  return result;
}

/// Any lane of a vector; a scalar as it is.
ExpressionPtr ExpressionGenerator::oneLane(ExpressionPtr expression) {
  if (!expression->type.isVector())
    return expression;
  ExpressionPtr lane = node(Kind::Swizzle, expression->type.element());
  lane->lanes = {static_cast<uint8_t>(random_.below(expression->type.lanes))};
  lane->operands.push_back(std::move(expression));
  return lane;
}

ExpressionPtr ExpressionGenerator::id() {
  facts_.usedIds = true;
  switch (random_.below(5)) {
  case 0:
    return node(Kind::LocalId, uintType, int(random_.below(3)));
  case 1:
    return node(Kind::GlobalId, uintType, int(random_.below(3)));
  default:
    return node(Kind::LinearLocalId, uintType);
  }
}

ExpressionPtr ExpressionGenerator::scalarLeaf(const Scope& scope, bool uniform) {
  switch (random_.below(uniform ? 4 : 8)) {
  case 0:
    if (scope.inKernelOrBarrierFunction && !program_.opaqueUniforms.empty())
      return node(Kind::OpaqueUniform, intType, int(random_.below(program_.opaqueUniforms.size())));
    break;
  case 1:
    if (scope.mayUseIds) {
      facts_.usedIds = true;
      return random_.chance(50) ? node(Kind::GroupId, uintType, int(random_.below(3)))
                                : node(Kind::GroupItems, uintType);
    }
    break;
  case 2:
    if (!scope.ownLocals.empty() && !uniform) {
      int local = random_.oneOf(scope.ownLocals);
      return oneLane(node(Kind::LocalOwn, program_.locals[local].element, local));
    }
    break;
  case 3:
    break;
  default:
    if (scope.mayUseIds)
      return id();
  }
  return constant(randomScalar());
}

ExpressionPtr ExpressionGenerator::leaf(Type type, const Scope& scope, bool uniform) {
  if (!scope.variables.empty() && random_.chance(70))
    for (int attempt = 0; attempt < 8; ++attempt) {
      int index = random_.oneOf(scope.variables);
      const Variable& variable = program_.variables[index];
      if ((uniform && !variable.isUniform) ||
          (variable.type.lanes != type.lanes && variable.type.isVector()))
        continue;
      return converted(node(Kind::Variable, variable.type, index), type);
    }
  if (random_.chance(40))
    return constant(type);
  return converted(scalarLeaf(scope, uniform), type);
}

ExpressionPtr ExpressionGenerator::operation(Type type, const Scope& scope, bool uniform,
                                             unsigned depth) {
  static constexpr Operator operators[] = {
      Operator::Add,       Operator::Add,          Operator::Subtract,
      Operator::Multiply,  Operator::Divide,       Operator::Remainder,
      Operator::And,       Operator::Or,           Operator::Xor,
      Operator::ShiftLeft, Operator::ShiftRight,   Operator::Minimum,
      Operator::Maximum,   Operator::Rotate,       Operator::AddSaturated,
      Operator::Negate,    Operator::Complement,   Operator::SubtractSaturated,
      Operator::CountOnes, Operator::LeadingZeros, Operator::MultiplyHigh};
  ExpressionPtr result = node(Kind::Operation, type);
  result->op = operators[random_.below(std::size(operators))];
  result->operands.push_back(make(type, scope, uniform, depth + 1));
  if (!isUnary(result->op))
    result->operands.push_back(make(type, scope, uniform, depth + 1));
  return result;
}

ExpressionPtr ExpressionGenerator::comparison(Type type, const Scope& scope, bool uniform,
                                              unsigned depth) {
  Type operand = type.isVector() ? Type{type.bits, random_.chance(50), type.lanes} : randomScalar();
  ExpressionPtr result = node(Kind::Operation, type);
  if (!type.isVector() && random_.chance(30)) {
    result->op = random_.oneOf({Operator::LogicalAnd, Operator::LogicalOr, Operator::LogicalNot});
    operand = intType;
  } else {
    result->op =
        random_.oneOf({Operator::Less, Operator::LessOrEqual, Operator::Equal, Operator::NotEqual});
  }
  result->operands.push_back(make(operand, scope, uniform, depth + 1));
  if (!isUnary(result->op))
    result->operands.push_back(make(operand, scope, uniform, depth + 1));
  return result;
}

ExpressionPtr ExpressionGenerator::choice(Type type, const Scope& scope, bool uniform,
                                          unsigned depth) {
  ExpressionPtr result = node(Kind::Choice, type);
  Type condition = type.isVector() ? type.asSigned() : intType;
  result->operands.push_back(comparison(condition, scope, uniform, depth + 1));
  result->operands.push_back(make(type, scope, uniform, depth + 1));
  result->operands.push_back(make(type, scope, uniform, depth + 1));
  return result;
}

/// A row, a column, or what else is made of an id, perhaps a few on.
ExpressionPtr ExpressionGenerator::partOfId(const Scope& scope) {
  const auto operation = [](Operator op, ExpressionPtr left, ExpressionPtr right) {
    ExpressionPtr result = node(Kind::Operation, uintType);
    result->op = op;
    result->operands.push_back(std::move(left));
    result->operands.push_back(std::move(right));
    return result;
  };
  const auto few = [&](unsigned limit) {
    ExpressionPtr number = node(Kind::Constant, uintType);
    number->value = makeValue(uintType, random_.below(limit));
    return number;
  };
  ExpressionPtr result = id();
  if (random_.chance(30)) {
    const Operator op = random_.oneOf({Operator::Add, Operator::Subtract, Operator::Multiply});
    result = operation(op, std::move(result), few(40));
  }
  for (unsigned i = 1 + random_.below(2); i > 0; --i) {
    const Operator op =
        random_.oneOf({Operator::Divide, Operator::Remainder, Operator::Divide, Operator::Remainder,
                       Operator::And, Operator::Xor, Operator::ShiftRight});
    ExpressionPtr by = random_.chance(30) ? make(uintType, scope, true, 3) : few(70);
    result = operation(op, std::move(result), std::move(by));
  }
  return random_.chance(30) ? operation(Operator::Add, std::move(result), few(20))
                            : std::move(result);
}

ExpressionPtr ExpressionGenerator::element(Type type, const Scope& scope, bool uniform,
                                           unsigned depth) {
  ExpressionPtr place = program_.dividesIds && scope.mayUseIds && !uniform && random_.chance(40)
                            ? partOfId(scope)
                            : make(uintType, scope, uniform, depth + 1);
  ExpressionPtr result;
  const unsigned from = random_.below(4);
  if (from == 0 && !scope.readableLocals.empty()) {
    int local = random_.oneOf(scope.readableLocals);
    result = node(Kind::LocalElement, program_.locals[local].element, local);
  } else if (from == 1 && !scope.arrays.empty() && !uniform) {
    int array = random_.oneOf(scope.arrays);
    result = node(Kind::ArrayElement, program_.arrays[array].element, array);
  } else if (from == 2 && !scope.pointers.empty() && !uniform) {
    int pointer = random_.oneOf(scope.pointers);
    result = node(Kind::PointerTarget, program_.pointers[pointer].element, pointer);
  } else {
    result = node(Kind::Input, intType);
    if (program_.readsWidely)
      result->inputFrom = static_cast<Expression::InputFrom>(random_.below(5));
  }
  result->operands.push_back(std::move(place));
  if (result->type.lanes != type.lanes)
    result = oneLane(std::move(result));
  return converted(std::move(result), type);
}

/// Lanes of a vector: one for a scalar, several for a vector.
ExpressionPtr ExpressionGenerator::ofVector(Type type, const Scope& scope, bool uniform,
                                            unsigned depth) {
  ExpressionPtr result = node(Kind::Swizzle, type);
  Type source = type.withLanes(random_.oneOf<unsigned>({2, 3, 4, 8, 16}));
  for (unsigned i = 0; i < type.lanes; ++i)
    result->lanes.push_back(static_cast<uint8_t>(random_.below(source.lanes)));
  result->operands.push_back(make(source, scope, uniform, depth + 1));
  return result;
}

ExpressionPtr ExpressionGenerator::vectorOf(Type type, const Scope& scope, bool uniform,
                                            unsigned depth) {
  ExpressionPtr result = node(Kind::Build, type);
  // Wide vectors of whole expressions would be most of the program.
  const unsigned inner = type.lanes <= 4 ? depth + 1 : maxDepth;
  for (unsigned i = 0; i < type.lanes; ++i)
    result->operands.push_back(make(type.element(), scope, uniform, inner));
  return result;
}

ExpressionPtr ExpressionGenerator::call(Type type, const Scope& scope, bool uniform,
                                        unsigned depth) {
  for (int attempt = 0; attempt < 4 && scope.callable > 0; ++attempt) {
    int index = int(random_.below(unsigned(scope.callable)));
    const Function& function = program_.functions[index];
    if (function.hasBarrier || function.pointer >= 0 || function.result->type.lanes != type.lanes ||
        (function.usesIds && uniform) || !mayCall(function, scope))
      continue;
    noteCall(function, scope);
    ExpressionPtr result = node(Kind::Call, function.result->type, index);
    for (int parameter : function.parameters)
      result->operands.push_back(make(program_.variables[parameter].type, scope, uniform,
                                      std::max(depth + 1, maxDepth - 1)));
    return converted(std::move(result), type);
  }
  return leaf(type, scope, uniform);
}

ExpressionPtr ExpressionGenerator::halves(Type type, const Scope& scope, bool uniform,
                                          unsigned depth) {
  ExpressionPtr result = node(Kind::Halves, intType);
  for (int i = 0; i < 3; ++i)
    result->operands.push_back(make(intType, scope, uniform, depth + 1));
  return converted(std::move(result), type);
}

ExpressionPtr ExpressionGenerator::make(Type type, const Scope& scope, bool uniform,
                                        unsigned depth) {
  if (depth >= maxDepth || random_.chance(12 + 10 * depth))
    return leaf(type, scope, uniform);
  if (!uniform && !scope.records.empty() && random_.chance(15))
    return ofRecord(type, scope, depth);
  if (program_.readsWidely && random_.chance(10))
    return halves(type, scope, uniform, depth);
  switch (random_.below(12)) {
  case 0:
    if (type == intType || (type.isVector() && type.isSigned))
      return comparison(type, scope, uniform, depth);
    break;
  case 1:
    return choice(type, scope, uniform, depth);
  case 2: {
    ExpressionPtr inner =
        make(Type{randomScalar()}.withLanes(type.lanes), scope, uniform, depth + 1);
    return converted(std::move(inner), type);
  }
  case 3:
  case 4:
    return element(type, scope, uniform, depth);
  case 5:
    if (type.isVector() || random_.chance(50))
      return ofVector(type, scope, uniform, depth);
    break;
  case 6:
    if (type.isVector())
      return vectorOf(type, scope, uniform, depth);
    return call(type, scope, uniform, depth);
  }
  return operation(type, scope, uniform, depth);
}

} // namespace quern::tests::random
