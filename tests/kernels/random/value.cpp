#include "kernels/random/value.h"

#include <algorithm>
#include <bit>

namespace quern::tests::random {

std::string Type::name() const {
  const char* base = bits == 8 ? "char" : bits == 16 ? "short" : bits == 32 ? "int" : "long";
  return std::string(isSigned ? "" : "u") + base + (lanes > 1 ? std::to_string(lanes) : "");
}

static uint64_t truncated(uint64_t value, unsigned bits) {
  return bits == 64 ? value : value & ((uint64_t{1} << bits) - 1);
}

static int64_t extended(uint64_t value, unsigned bits) {
  return static_cast<int64_t>(value << (64 - bits)) >> (64 - bits);
}

int64_t Value::signedLane(unsigned lane) const {
  return extended(lanes[lane], type.bits);
}

void Value::setLane(unsigned lane, uint64_t value) {
  lanes[lane] = truncated(value, type.bits);
}

Value makeValue(Type type, uint64_t everyLane) {
  Value value{type};
  for (unsigned i = 0; i < type.lanes; ++i)
    value.setLane(i, everyLane);
  return value;
}

Type resultType(Operator op, Type operand) {
  if (isComparison(op))
    return operand.isVector() ? operand.asSigned() : intType;
  if (op == Operator::LogicalAnd || op == Operator::LogicalOr || op == Operator::LogicalNot)
    return intType;
  return operand;
}

/// One lane as the widest signed or unsigned number that holds it, for comparisons and products.
static __int128 number(const Value& value, unsigned lane) {
  return value.type.isSigned ? static_cast<__int128>(value.signedLane(lane))
                             : static_cast<__int128>(value.lanes[lane]);
}

static uint64_t divide(Operator op, __int128 a, __int128 b, bool isSigned) {
  const bool open = b == 0 || (isSigned && b == -1);
  if (op == Operator::Divide)
    return static_cast<uint64_t>(open ? a : a / b);
  return static_cast<uint64_t>(open ? b : a % b);
}

static uint64_t shift(Operator op, Type type, __int128 a, uint64_t amount) {
  // A scalar is promoted to int before it is shifted; an element of a vector is not.
  const unsigned width = type.isVector() ? type.bits : std::max<unsigned>(type.bits, 32);
  amount &= width - 1;
  return static_cast<uint64_t>(op == Operator::ShiftLeft ? a << amount : a >> amount);
}

static uint64_t saturated(Type type, __int128 value) {
  const __int128 one = 1;
  const __int128 low = type.isSigned ? -(one << (type.bits - 1)) : 0;
  const __int128 high = (one << (type.bits - (type.isSigned ? 1 : 0))) - 1;
  return static_cast<uint64_t>(std::clamp(value, low, high));
}

static uint64_t rotated(uint64_t value, uint64_t amount, unsigned bits) {
  amount %= bits;
  return amount == 0 ? value : value << amount | value >> (bits - amount);
}

static uint64_t applyLane(Operator op, Type type, const Value& left, const Value& right,
                          unsigned lane) {
  const __int128 a = number(left, lane), b = number(right, lane);
  const uint64_t x = left.lanes[lane], y = right.lanes[lane];
  switch (op) {
  case Operator::Add:
    return x + y;
  case Operator::Subtract:
    return x - y;
  case Operator::Multiply:
    return x * y;
  case Operator::Divide:
  case Operator::Remainder:
    return divide(op, a, b, type.isSigned);
  case Operator::And:
    return x & y;
  case Operator::Or:
    return x | y;
  case Operator::Xor:
    return x ^ y;
  case Operator::ShiftLeft:
  case Operator::ShiftRight:
    return shift(op, type, a, y);
  case Operator::Minimum:
    return static_cast<uint64_t>(std::min(a, b));
  case Operator::Maximum:
    return static_cast<uint64_t>(std::max(a, b));
  case Operator::Rotate:
    return rotated(x, y, type.bits);
  case Operator::AddSaturated:
    return saturated(type, a + b);
  case Operator::SubtractSaturated:
    return saturated(type, a - b);
  case Operator::MultiplyHigh:
    if (type.bits == 64 && !type.isSigned)
      return static_cast<uint64_t>(static_cast<unsigned __int128>(x) * y >> 64);
    return static_cast<uint64_t>(a * b >> type.bits);
  case Operator::Less:
    return a < b;
  case Operator::LessOrEqual:
    return a <= b;
  case Operator::Equal:
    return a == b;
  case Operator::NotEqual:
    return a != b;
  case Operator::LogicalAnd:
    return x && y;
  case Operator::LogicalOr:
    return x || y;
  case Operator::Negate:
    return 0 - x;
  case Operator::Complement:
    return ~x;
  case Operator::LogicalNot:
    return !x;
  case Operator::LeadingZeros:
    return static_cast<uint64_t>(std::countl_zero(x)) - (64 - type.bits);
  case Operator::CountOnes:
    return static_cast<uint64_t>(std::popcount(x));
  }
  return 0;
}

Value apply(Operator op, const Value& a, const Value& b) {
  Value result{resultType(op, a.type)};
  for (unsigned i = 0; i < a.type.lanes; ++i) {
    uint64_t lane = applyLane(op, a.type, a, b, i);
    if (isComparison(op) && a.type.isVector())
      lane = 0 - lane;
    result.setLane(i, lane);
  }
  return result;
}

Value convert(const Value& value, Type to) {
  Value result{to};
  for (unsigned i = 0; i < value.type.lanes; ++i)
    result.setLane(i, static_cast<uint64_t>(number(value, i)));
  return result;
}

} // namespace quern::tests::random
