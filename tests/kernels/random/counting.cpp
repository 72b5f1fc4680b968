#include "kernels/random/counting.h"

namespace quern::tests::random {
namespace {

uint64_t mask(Type type) {
  return type.bits == 64 ? ~uint64_t{0} : (uint64_t{1} << type.bits) - 1;
}

/// Where counting cannot come to the end of the type: all types have the numbers from 0 to 127, and
/// what is counted is less than 60.
uint64_t startWithin(Random& random, Type type, bool isDescending) {
  uint64_t start = random.below(60) + (isDescending ? 60 : 0);
  if (type.bits == 64 && random.chance(50))
    start += random.oneOf({uint64_t{1} << 31, uint64_t{1} << 32, uint64_t{1} << 40}) - 80;
  if (type.isSigned && !isDescending && random.chance(30))
    start -= 50;
  return start;
}

} // namespace

bool Counting::hasEnded(const Value& counter, const Value& end) const {
  const Value& less = test == Test::Greater ? end : counter;
  const Value& more = test == Test::Greater ? counter : end;
  const Operator op = test == Test::NotEqual ? Operator::NotEqual : Operator::Less;
  return apply(op, less, more).lanes[0] == 0;
}

Value Counting::end(Type type, uint64_t rounds) const {
  return makeValue(type, start + step * rounds);
}

Counting randomCounting(Random& random, Type type, unsigned maxRounds) {
  Counting counting;
  counting.test =
      random.oneOf({Counting::Test::Less, Counting::Test::Greater, Counting::Test::NotEqual});
  counting.place = random.oneOf({Counting::Place::Variable, Counting::Place::Variable,
                                 Counting::Place::Element, Counting::Place::Member});
  const uint64_t most = 59 / (maxRounds + 1);
  const uint64_t step = 1 + random.below(static_cast<unsigned>(most < 7 ? most : 7));
  const bool isDescending = counting.test == Counting::Test::Greater ||
                            (counting.test == Counting::Test::NotEqual && random.chance(50));
  counting.start = startWithin(random, type, isDescending);
  // Across the end of the type.
  if (counting.test == Counting::Test::NotEqual && (!type.isSigned || type.bits < 32) &&
      random.chance(60))
    counting.start = (type.isSigned ? mask(type) >> 1 : mask(type)) +
                     (isDescending ? random.below(20) : 0 - uint64_t{random.below(20)});
  counting.start &= mask(type);
  counting.step = (isDescending ? 0 - step : step) & mask(type);
  return counting;
}

Type randomCounterType(Random& random) {
  return {random.oneOf<uint8_t>({8, 16, 32, 32, 64, 64}), random.chance(50), 1};
}

std::string counterName(const std::string& name, Counting::Place place) {
  switch (place) {
  case Counting::Place::Variable:
    return name;
  case Counting::Place::Element:
    return name + "[in[0] & 1]";
  case Counting::Place::Member:
    return name + ".n";
  }
  return name;
}

std::string counterDeclaration(const std::string& usedName, Type type, Counting::Place place) {
  const std::string name = usedName.substr(0, usedName.find_first_of("[."));
  switch (place) {
  case Counting::Place::Variable:
    return type.name() + " " + name + ";";
  case Counting::Place::Element:
    return type.name() + " " + name + "[2];";
  case Counting::Place::Member:
    return "struct { char before; " + type.name() + " n; ulong behind; } " + name + ";";
  }
  return {};
}

} // namespace quern::tests::random
