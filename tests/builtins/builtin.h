// The built-in library as seen from C++: a table of every function, callable through wrappers that
// take addresses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace quern::builtins {

enum class Base {
  Void,
  Bool,
  Char,
  UChar,
  Short,
  UShort,
  Int,
  UInt,
  Long,
  ULong,
  Half,
  Float,
  Double
};
enum class Space { None, Private, Global, Constant, Local, Generic };

/// A value, or a pointer into an address space; `width` is the number of elements.
struct Type {
  Base base;
  int width;
  Space space;
};

struct Builtin {
  std::string_view name;
  Type result;
  int parameterCount;
  Type parameters[7];
  /// Takes the address of the result and for each parameter the address of its value, or the
  /// pointer itself. Addresses of vectors are aligned to their size.
  void (*wrapper)(void* result, void* const* arguments);

  /// Calls `wrapper`, and remembers that.
  void call(void* result, void* const* arguments) const;
};

extern const Builtin table[];
extern const std::size_t tableSize;

/// The name, the types of the parameters and of the result as in OpenCL C, for messages.
std::string describe(const Builtin& builtin);

/// Every overload of a name; empty if there is none.
std::vector<const Builtin*> overloads(std::string_view name);

/// What has not been called in this process.
std::vector<const Builtin*> neverCalled();

/// A number of type half, as its bit pattern.
struct Half {
  std::uint16_t bits;
  bool operator==(const Half&) const = default;
};

template <typename T> constexpr Base baseOf() {
  if constexpr (std::is_same_v<T, std::int8_t>)
    return Base::Char;
  else if constexpr (std::is_same_v<T, std::uint8_t>)
    return Base::UChar;
  else if constexpr (std::is_same_v<T, std::int16_t>)
    return Base::Short;
  else if constexpr (std::is_same_v<T, std::uint16_t>)
    return Base::UShort;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return Base::Int;
  else if constexpr (std::is_same_v<T, std::uint32_t>)
    return Base::UInt;
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return Base::Long;
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    return Base::ULong;
  else if constexpr (std::is_same_v<T, float>)
    return Base::Float;
  else if constexpr (std::is_same_v<T, Half>)
    return Base::Half;
  else {
    static_assert(std::is_same_v<T, double>);
    return Base::Double;
  }
}

/// Calls `function` with a value of each C++ type that stands for a scalar type of OpenCL C.
template <typename F> void forEachInteger(F&& function) {
  function(std::int8_t{});
  function(std::uint8_t{});
  function(std::int16_t{});
  function(std::uint16_t{});
  function(std::int32_t{});
  function(std::uint32_t{});
  function(std::int64_t{});
  function(std::uint64_t{});
}
template <typename F> void forEachFloating(F&& function) {
  function(float{});
  function(double{});
}
template <typename F> void forEachType(F&& function) {
  forEachInteger(function);
  forEachFloating(function);
}
template <typename F> void forEachTypeAndHalf(F&& function) {
  forEachType(function);
  function(Half{});
}

/// Storage for any vector, and for pointers' targets; elements lie one after the other.
struct alignas(128) Slot {
  std::byte bytes[128] = {};

  template <typename T> std::span<T> as() {
    return {reinterpret_cast<T*>(bytes), sizeof(Slot) / sizeof(T)};
  }
};

} // namespace quern::builtins
