#pragma once

#include <cstdint>
#include <string>

#include "kernels/random/random.h"
#include "kernels/random/value.h"

/// How the counter of a loop goes from its start to its end.
namespace quern::tests::random {

struct Counting {
  /// UpTo: from 0 in steps of 1 below a limit that is evaluated before each round. The others count
  /// rounds that are known before the loop.
  enum class Test : uint8_t { UpTo, Less, Greater, NotEqual };
  /// Element: of a private array, at an index that no compiler knows. Member: of a struct.
  enum class Place : uint8_t { Variable, Element, Member };

  Test test = Test::UpTo;
  Place place = Place::Variable;
  uint64_t start = 0, step = 1; ///< of the counter's type, as bits

  /// Whether the counter has come to `end`.
  bool hasEnded(const Value& counter, const Value& end) const;
  /// What the counter is after `rounds`.
  Value end(Type type, uint64_t rounds) const;
};

/// Of a counter of `type` that counts up to `maxRounds` rounds. Only unsigned numbers, and those
/// that are narrower than int, wrap.
Counting randomCounting(Random& random, Type type, unsigned maxRounds);

/// A type that loops count in.
Type randomCounterType(Random& random);

/// What the counter `name` is called where it is used, and how it is declared.
std::string counterName(const std::string& name, Counting::Place place);
std::string counterDeclaration(const std::string& usedName, Type type, Counting::Place place);

} // namespace quern::tests::random
