#include "devices/cpu/host_symbols.h"

#include <cmath>
#include <cstring>

#include "devices/cpu/checks/check_functions.h"

// Helpers of the compiler's run-time library. They are only named here, never called, so their
// signatures do not matter.
extern "C" {
void __truncsfhf2();
void __truncdfhf2();
void __extendhfsf2();
void __divti3();
void __modti3();
void __udivti3();
void __umodti3();
void __multi3();
}

namespace quern::cpu {

namespace {

struct HostSymbol {
  std::string_view name;
  uint64_t address;
};

template <typename Function> HostSymbol entry(std::string_view name, Function* function) {
  return {name, reinterpret_cast<uint64_t>(function)};
}

} // namespace

uint64_t hostSymbol(std::string_view name) {
  using Unary = double(double);
  using UnaryFloat = float(float);
  using Binary = double(double, double);
  using BinaryFloat = float(float, float);
  static const HostSymbol symbols[] = {
      entry<void*(void*, const void*, size_t)>("memcpy", std::memcpy),
      entry<void*(void*, const void*, size_t)>("memmove", std::memmove),
      entry<void*(void*, int, size_t)>("memset", std::memset),
      entry<int(const void*, const void*, size_t)>("memcmp", std::memcmp),
      entry<int(const void*, const void*, size_t)>("bcmp", std::memcmp),
      entry<double(double, double, double)>("fma", ::fma),
      entry<float(float, float, float)>("fmaf", ::fmaf),
      entry<Binary>("fmod", ::fmod),
      entry<BinaryFloat>("fmodf", ::fmodf),
      // Roundings, for machines without SSE 4.1 and for modes that no instruction has.
      entry<Unary>("floor", ::floor),
      entry<UnaryFloat>("floorf", ::floorf),
      entry<Unary>("ceil", ::ceil),
      entry<UnaryFloat>("ceilf", ::ceilf),
      entry<Unary>("trunc", ::trunc),
      entry<UnaryFloat>("truncf", ::truncf),
      entry<Unary>("rint", ::rint),
      entry<UnaryFloat>("rintf", ::rintf),
      entry<Unary>("nearbyint", ::nearbyint),
      entry<UnaryFloat>("nearbyintf", ::nearbyintf),
      entry<Unary>("round", ::round),
      entry<UnaryFloat>("roundf", ::roundf),
      entry<double(double, int)>("ldexp", ::ldexp),
      entry<float(float, int)>("ldexpf", ::ldexpf),
      entry<void()>("__truncsfhf2", __truncsfhf2),
      entry<void()>("__truncdfhf2", __truncdfhf2),
      entry<void()>("__extendhfsf2", __extendhfsf2),
      entry<void()>("__divti3", __divti3),
      entry<void()>("__modti3", __modti3),
      entry<void()>("__udivti3", __udivti3),
      entry<void()>("__umodti3", __umodti3),
      entry<void()>("__multi3", __multi3),
  };
  for (const HostSymbol& symbol : symbols)
    if (symbol.name == name)
      return symbol.address;
  return checkFunction(name);
}

} // namespace quern::cpu
