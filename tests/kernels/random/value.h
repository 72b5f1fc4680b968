#pragma once

#include <array>
#include <cstdint>
#include <string>

/// Integer types and values of OpenCL C and the arithmetic on them, written anew for the
/// interpreter of random kernels so that it shares no code with the compiler under test.
namespace quern::tests::random {

/// A scalar or vector of integers.
struct Type {
  uint8_t bits = 32; ///< of one element: 8, 16, 32 or 64
  bool isSigned = true;
  uint8_t lanes = 1; ///< 1, 2, 3, 4, 8 or 16

  bool operator==(const Type&) const = default;
  bool isVector() const { return lanes > 1; }
  Type element() const { return {bits, isSigned, 1}; }
  Type withLanes(unsigned count) const { return {bits, isSigned, static_cast<uint8_t>(count)}; }
  Type asSigned() const { return {bits, true, lanes}; }
  Type asUnsigned() const { return {bits, false, lanes}; }
  /// As OpenCL C spells it.
  std::string name() const;
};

inline constexpr Type intType{32, true, 1};
inline constexpr Type uintType{32, false, 1};
inline constexpr Type ulongType{64, false, 1};

/// Lanes are kept zero-extended from `type.bits` to 64.
struct Value {
  Type type;
  std::array<uint64_t, 16> lanes = {};

  int64_t signedLane(unsigned lane) const;
  void setLane(unsigned lane, uint64_t value);
};

Value makeValue(Type type, uint64_t everyLane);

enum class Operator : uint8_t {
  // Both operands and the result have one type.
  Add,
  Subtract,
  Multiply,
  Divide,    ///< a where b is 0 or (signed) -1
  Remainder, ///< b where b is 0 or (signed) -1
  And,
  Or,
  Xor,
  ShiftLeft,
  ShiftRight,
  Minimum,
  Maximum,
  Rotate,
  AddSaturated,
  SubtractSaturated,
  MultiplyHigh,
  // The result is int (1 or 0) for scalars and a signed vector (-1 or 0) for vectors.
  Less,
  LessOrEqual,
  Equal,
  NotEqual,
  // Scalars only; the result is int.
  LogicalAnd,
  LogicalOr,
  // One operand.
  Negate,
  Complement,
  LogicalNot, ///< scalars only
  LeadingZeros,
  CountOnes,
};

inline bool isComparison(Operator op) {
  return op >= Operator::Less && op <= Operator::NotEqual;
}
inline bool isUnary(Operator op) {
  return op >= Operator::Negate;
}

Type resultType(Operator op, Type operand);
/// `b` is ignored by operators of one operand.
Value apply(Operator op, const Value& a, const Value& b);
/// Lane by lane to an element type; no saturation.
Value convert(const Value& value, Type to);

} // namespace quern::tests::random
