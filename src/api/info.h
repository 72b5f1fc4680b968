#pragma once

#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <CL/cl.h>

#include "base/bytes.h"
#include "base/result.h"

/// clGetXxxInfo functions as tables: one row for each param_name.
namespace quern::api {

/// The value of one query, appended piece by piece.
class InfoValue {
public:
  template <typename T>
    requires std::is_trivially_copyable_v<T>
  void put(const T& value) {
    putBytes(std::as_bytes(std::span(&value, 1)));
  }
  /// All elements of an array, without a count.
  template <typename T> void putArray(const std::vector<T>& values) {
    putBytes(std::as_bytes(std::span(values)));
  }
  void putBytes(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  /// The characters and the terminating zero.
  void putString(std::string_view text) {
    putBytes(std::as_bytes(std::span(text.data(), text.size())));
    bytes_.push_back(std::byte{0});
  }
  /// A string of all of them, with semicolons in between.
  void putNames(std::span<const std::string> names);
  std::span<const std::byte> bytes() const { return bytes_; }

private:
  Bytes bytes_;
};

/// The three arguments that end every clGetXxxInfo function.
struct InfoRequest {
  size_t valueSize = 0; ///< in bytes
  void* value = nullptr;
  size_t* valueSizeRet = nullptr;
};

/// Copies `value` out. CL_INVALID_VALUE when the program's memory is too small for it.
Status answer(const InfoValue& value, const InfoRequest& request);

/// The error for a param_name that has no row.
Status unknownQuery(std::string_view subject, cl_uint name);

/// One row: a param_name of queries on `T`, and the function that appends its value. The function
/// is a lambda without captures, (const T&, InfoValue&), that returns nothing or, where the query
/// can fail, a Status.
template <typename T> struct InfoRow {
  template <typename Function>
  constexpr InfoRow(cl_uint name, Function)
      : name(name), append([](const T& subject, InfoValue& value) -> Status {
          if constexpr (std::is_void_v<std::invoke_result_t<Function, const T&, InfoValue&>>) {
            Function{}(subject, value);
            return {};
          } else {
            return Function{}(subject, value);
          }
        }) {}

  cl_uint name;
  Status (*append)(const T&, InfoValue&);
};

/// Answers the query `name` on `subject` from `rows`. `subjectName` is used in the error.
template <typename T>
Status query(std::span<const InfoRow<T>> rows, std::string_view subjectName, const T& subject,
             cl_uint name, const InfoRequest& request) {
  for (const InfoRow<T>& row : rows) {
    if (row.name != name)
      continue;
    InfoValue value;
    QUERN_TRY(row.append(subject, value));
    return answer(value, request);
  }
  return unknownQuery(subjectName, name);
}

} // namespace quern::api
