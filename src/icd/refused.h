#pragma once

#include <tuple>
#include <type_traits>

#include "api/unsupported.h"
#include "icd/entry.h"

/// Entries of the dispatch table for features that no device has, made from one row of
/// functions.def each.
namespace quern::icd {

/// Class of a row whose first argument is not checked.
struct None;

/// A function with the signature `Function` that fails as `Row` says. Row has: Class, name,
/// feature, code.
template <typename Row, typename Function> struct Refused;

template <typename Row, typename Return, typename... Arguments>
struct Refused<Row, Return(CL_API_CALL*)(Arguments...)> {
  static Return CL_API_CALL call(Arguments... arguments) {
    const std::tuple<Arguments...> all(arguments...);
    const auto subject = std::get<0>(all);
    const cl_int code = run({Row::name, subject}, [&]() -> Status {
      if constexpr (std::is_same_v<typename Row::Class, None>)
        return api::refuse(Row::feature, Row::code);
      else
        return api::refuse<typename Row::Class>(subject, Row::feature, Row::code);
    });
    if constexpr (std::is_same_v<Return, cl_int>) {
      return code;
    } else {
      // A function that returns an object or a pointer ends with errcode_ret.
      if (cl_int* errcode = std::get<sizeof...(Arguments) - 1>(all))
        *errcode = code;
      return nullptr;
    }
  }
};

} // namespace quern::icd
