#pragma once

#include "kernels/random/expression_generator.h"

namespace quern::tests::random {

/// Adds records to a program: structures with pointers to the generic address space, which may be
/// null, and the memory of each address space that these point at.
class RecordGenerator {
public:
  RecordGenerator(Program& program, Random& random, ExpressionGenerator& expressions)
      : program_(program), random_(random), expressions_(expressions) {}

  /// Memory of the group of which each work-item uses its own element, set at the start of `body`.
  void addOwnMemory(Block& body, Scope& scope);
  void addRecord(Block& block, Scope& scope);
  /// Something that changes a record of the scope, or null.
  StatementPtr statement(const Scope& scope);
  /// What the records of a block, and the group's memory, hold: scalars.
  std::vector<ExpressionPtr> values(const Block& block) const;

private:
  LinkTarget target(int record, const Scope& scope);
  StatementPtr link(int record, const Scope& scope);
  StatementPtr copy(int record, const Scope& scope);

  Program& program_;
  Random& random_;
  ExpressionGenerator& expressions_;
};

} // namespace quern::tests::random
