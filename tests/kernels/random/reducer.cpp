#include "kernels/random/reducer.h"

#include <algorithm>

namespace quern::tests::random {
namespace {

using Fails = std::function<bool(const Program&)>;

void collect(Block& block, std::vector<Statement*>& statements) {
  for (StatementPtr& s : block.statements) {
    // Without SetOwn the kernel would read what nobody has set.
    if (s->removed || s->kind == Statement::Kind::SetOwn)
      continue;
    statements.push_back(s.get());
    for (Block& inner : s->blocks)
      collect(inner, statements);
  }
}

std::vector<Statement*> allStatements(Program& program) {
  std::vector<Statement*> statements;
  collect(program.kernel.body, statements);
  for (Function& function : program.functions)
    collect(function.body, statements);
  return statements;
}

/// Removes runs of statements, long ones first. True when any could go.
bool removeStatements(Program& program, const Fails& fails) {
  bool progress = false;
  for (size_t length = allStatements(program).size() / 2 + 1; length > 0; length /= 2)
    for (size_t start = 0; start < allStatements(program).size();) {
      std::vector<Statement*> all = allStatements(program);
      const size_t end = std::min(all.size(), start + length);
      for (size_t i = start; i < end; ++i)
        all[i]->removed = true;
      if (fails(program)) {
        progress = true;
        continue;
      }
      for (size_t i = start; i < end; ++i)
        all[i]->removed = false;
      start += length;
    }
  return progress;
}

/// Replaces `expression` by a constant or by one of its operands, or else simplifies its operands.
bool simplify(ExpressionPtr& expression, Program& program, const Fails& fails) {
  if (expression->kind == Expression::Kind::Constant)
    return false;
  auto constant = std::make_unique<Expression>();
  constant->type = expression->type;
  constant->value = makeValue(expression->type, 1);
  std::swap(expression, constant);
  if (fails(program))
    return true;
  std::swap(expression, constant);
  for (ExpressionPtr& operand : expression->operands)
    if (operand->type == expression->type) {
      ExpressionPtr whole = std::move(expression);
      ExpressionPtr& part = *std::find_if(whole->operands.begin(), whole->operands.end(),
                                          [&](ExpressionPtr& e) { return &e == &operand; });
      expression = std::move(part);
      if (fails(program))
        return true;
      part = std::move(expression);
      expression = std::move(whole);
    }
  bool progress = false;
  for (ExpressionPtr& operand : expression->operands)
    progress |= simplify(operand, program, fails);
  return progress;
}

} // namespace

void reduce(Program& program, const Fails& fails) {
  for (bool progress = true; progress;) {
    progress = removeStatements(program, fails);
    for (Statement* s : allStatements(program))
      for (ExpressionPtr& expression : s->expressions)
        progress |= simplify(expression, program, fails);
    for (Function& function : program.functions)
      progress |= simplify(function.result, program, fails);
    for (size_t i = 0; i < program.results.size();) {
      const int removed = program.results[i];
      program.results.erase(program.results.begin() + long(i));
      if (fails(program)) {
        progress = true;
        continue;
      }
      program.results.insert(program.results.begin() + long(i++), removed);
    }
  }
}

} // namespace quern::tests::random
