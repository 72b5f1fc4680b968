#include "kernels/random/record_generator.h"

namespace quern::tests::random {

using Kind = Statement::Kind;

namespace {

ExpressionPtr node(Expression::Kind kind, Type type, int index) {
  auto expression = std::make_unique<Expression>();
  expression->kind = kind;
  expression->type = type;
  expression->index = index;
  return expression;
}

StatementPtr statementOf(Kind kind, int index) {
  auto result = std::make_unique<Statement>();
  result->kind = kind;
  result->index = index;
  return result;
}

} // namespace

void RecordGenerator::addOwnMemory(Block& body, Scope& scope) {
  using Place = LocalArray::Place;
  for (const Place place : {Place::Variable, Place::Argument, Place::Global}) {
    const int local = int(program_.locals.size());
    program_.locals.push_back({"own" + std::to_string(local), expressions_.randomScalar(), place});
    scope.ownLocals.push_back(local);
    program_.ownMemory.push_back(local);
    StatementPtr set = statementOf(Kind::SetOwn, local);
    set->expressions.push_back(expressions_.make(program_.locals[local].element, Scope(), true, 4));
    body.statements.push_back(std::move(set));
  }
}

void RecordGenerator::addRecord(Block& block, Scope& scope) {
  const int index = int(program_.records.size());
  Record record{"r" + std::to_string(index), {}, random_.next() % 100, program_.arrays.size()};
  record.fields.push_back(!program_.ownMemory.empty() && random_.chance(70)
                              ? program_.locals[random_.oneOf(program_.ownMemory)].element
                              : expressions_.randomScalar());
  for (unsigned i = random_.below(3); i > 0; --i)
    record.fields.push_back(expressions_.randomType());
  program_.records.push_back(std::move(record));
  block.records.push_back(index);
  scope.records.push_back(index);
}

/// Memory that lives at least as long as `record`.
LinkTarget RecordGenerator::target(int record, const Scope& scope) {
  const Type linked = program_.records[record].linked();
  std::vector<LinkTarget> targets(1); // null
  for (int other : scope.records)
    if (other <= record && program_.records[other].linked() == linked)
      targets.push_back({LinkTarget::Kind::Field, other, 0});
  for (int array : scope.arrays)
    if (size_t(array) < program_.records[record].arraysBefore &&
        program_.arrays[array].element == linked)
      targets.push_back(
          {LinkTarget::Kind::Element, array, random_.below(program_.arrays[array].count)});
  for (int local : program_.ownMemory)
    if (program_.locals[local].element == linked)
      targets.push_back({LinkTarget::Kind::Own, local, 0});
  return random_.oneOf(targets);
}

StatementPtr RecordGenerator::link(int record, const Scope& scope) {
  StatementPtr result = statementOf(Kind::SetLink, record);
  result->lane = random_.below(Record::links);
  result->expressions.push_back(expressions_.make(intType, scope, false));
  result->targets = {target(record, scope), target(record, scope)};
  return result;
}

/// What links of records before `record` lead to lives long enough.
StatementPtr RecordGenerator::copy(int record, const Scope& scope) {
  std::vector<int> sources;
  for (int other : scope.records)
    if (other <= record && program_.records[other].linked() == program_.records[record].linked())
      sources.push_back(other);
  StatementPtr result = statementOf(Kind::CopyLink, record);
  result->lane = random_.below(Record::links);
  result->first = random_.oneOf(sources);
  result->second = int(random_.below(Record::links));
  return result;
}

StatementPtr RecordGenerator::statement(const Scope& scope) {
  if (scope.records.empty())
    return nullptr;
  const int index = random_.oneOf(scope.records);
  const Record& record = program_.records[index];
  switch (random_.below(8)) {
  case 0: {
    StatementPtr result = statementOf(Kind::SetField, index);
    result->lane = random_.below(unsigned(record.fields.size()));
    result->expressions.push_back(expressions_.make(record.fields[result->lane], scope, false));
    return result;
  }
  case 1:
    return copy(index, scope);
  case 2:
  case 3:
  case 4:
    return link(index, scope);
  default: {
    StatementPtr result = statementOf(Kind::SetLinked, index);
    result->lane = random_.below(Record::links);
    result->expressions.push_back(expressions_.make(record.linked(), scope, false));
    return result;
  }
  }
}

std::vector<ExpressionPtr> RecordGenerator::values(const Block& block) const {
  std::vector<ExpressionPtr> result;
  for (int index : block.records)
    for (unsigned i = 0; i < program_.records[index].fields.size(); ++i) {
      ExpressionPtr field = node(Expression::Kind::Field, program_.records[index].fields[i], index);
      field->lanes = {static_cast<uint8_t>(i)};
      if (field->type.isVector()) {
        ExpressionPtr lane = node(Expression::Kind::Swizzle, field->type.element(), 0);
        lane->lanes = {static_cast<uint8_t>(index % field->type.lanes)};
        lane->operands.push_back(std::move(field));
        field = std::move(lane);
      }
      result.push_back(std::move(field));
    }
  for (int local : program_.ownMemory)
    result.push_back(node(Expression::Kind::LocalOwn, program_.locals[local].element, local));
  return result;
}

/// A field, what a link leads to or whether it is null; never a vector of another width than
/// `type`.
ExpressionPtr ExpressionGenerator::ofRecord(Type type, const Scope& scope, unsigned depth) {
  const int index = random_.oneOf(scope.records);
  const Record& record = program_.records[index];
  ExpressionPtr result;
  switch (random_.below(4)) {
  case 0: {
    const unsigned field = random_.below(unsigned(record.fields.size()));
    result = node(Expression::Kind::Field, record.fields[field], index);
    result->lanes = {static_cast<uint8_t>(field)};
    break;
  }
  case 1:
    result = node(Expression::Kind::LinkIsNull, intType, index);
    result->lanes = {static_cast<uint8_t>(random_.below(Record::links))};
    break;
  default:
    result = node(Expression::Kind::Linked, record.linked(), index);
    result->lanes = {static_cast<uint8_t>(random_.below(Record::links))};
    result->operands.push_back(make(record.linked(), scope, false, depth + 1));
  }
  if (result->type.lanes != type.lanes)
    result = oneLane(std::move(result));
  return converted(std::move(result), type);
}

} // namespace quern::tests::random
