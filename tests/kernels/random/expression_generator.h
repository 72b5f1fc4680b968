#pragma once

#include <utility>

#include "kernels/random/program.h"
#include "kernels/random/random.h"

namespace quern::tests::random {

/// What may be named at a place of the program.
struct Scope {
  std::vector<int> variables, arrays, pointers, records;
  std::vector<int>
      readableLocals; ///< any place of which may be read: between two barriers of an exchange
  std::vector<int> ownLocals;            ///< whose own place may be read
  bool inKernelOrBarrierFunction = true; ///< opaque uniforms exist
  bool mayUseIds = true;
  size_t callable = 0; ///< functions [0, callable) exist already
  unsigned runs = 1;   ///< how often the enclosing loops of the function run the place, at most
};

/// Makes expressions of a wanted type from what a scope offers.
class ExpressionGenerator {
public:
  ExpressionGenerator(Program& program, Random& random) : program_(program), random_(random) {}

  /// With `uniform`, all items of a group compute the same value.
  ExpressionPtr make(Type type, const Scope& scope, bool uniform, unsigned depth = 0);
  /// Any type, scalars more often than vectors.
  Type randomType();
  Type randomScalar();
  /// About what was made since the last call.
  struct Facts {
    bool usedIds = false; ///< work-item functions
    unsigned cost = 1;    ///< statements run, as an order of magnitude
    unsigned bodies = 1;  ///< function bodies after inlining every call
  };
  Facts takeFacts() { return std::exchange(facts_, {}); }
  bool mayCall(const Function& function, const Scope& scope) const {
    return scope.runs * function.cost <= maxCost && facts_.bodies + function.bodies <= maxBodies &&
           (scope.mayUseIds || !function.usesIds);
  }
  void noteCall(const Function& function, const Scope& scope) {
    facts_.usedIds |= function.usesIds;
    facts_.cost += scope.runs * function.cost;
    facts_.bodies += function.bodies;
  }

private:
  static constexpr unsigned maxCost = 300, maxBodies = 25;

  ExpressionPtr constant(Type type);
  ExpressionPtr leaf(Type type, const Scope& scope, bool uniform);
  ExpressionPtr scalarLeaf(const Scope& scope, bool uniform);
  ExpressionPtr oneLane(ExpressionPtr expression);
  ExpressionPtr id();
  ExpressionPtr operation(Type type, const Scope& scope, bool uniform, unsigned depth);
  ExpressionPtr comparison(Type type, const Scope& scope, bool uniform, unsigned depth);
  ExpressionPtr choice(Type type, const Scope& scope, bool uniform, unsigned depth);
  ExpressionPtr partOfId(const Scope& scope);
  ExpressionPtr element(Type type, const Scope& scope, bool uniform, unsigned depth);
  ExpressionPtr halves(Type type, const Scope& scope, bool uniform, unsigned depth);
  ExpressionPtr ofRecord(Type type, const Scope& scope, unsigned depth); // record_generator.cpp
  ExpressionPtr ofVector(Type type, const Scope& scope, bool uniform, unsigned depth);
  ExpressionPtr vectorOf(Type type, const Scope& scope, bool uniform, unsigned depth);
  ExpressionPtr call(Type type, const Scope& scope, bool uniform, unsigned depth);
  ExpressionPtr converted(ExpressionPtr expression, Type type);

  Program& program_;
  Random& random_;
  Facts facts_;
};

} // namespace quern::tests::random
