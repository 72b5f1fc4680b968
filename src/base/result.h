#pragma once

#include <cassert>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include <CL/cl.h>

namespace quern {

/// Outcome of a fallible operation: an OpenCL error code and, for failures, a full sentence that
/// names the object, the value and the limit. Success carries nothing and costs nothing. Move-only;
/// not thread-safe.
class [[nodiscard]] Status {
public:
  Status() = default;

  /// `code` must be a negative OpenCL error code. `nativeCode` is what a lower layer reported
  /// (errno, CUresult), or 0.
  static Status error(cl_int code, std::string sentence, int nativeCode = 0,
                      std::source_location place = std::source_location::current()) {
    assert(code < 0 && "an error needs a negative code");
    Status status;
    status.detail_ = std::make_unique<Detail>(Detail{code, nativeCode, std::move(sentence), place});
    return status;
  }

  bool ok() const { return !detail_; }
  cl_int code() const { return detail_ ? detail_->code : CL_SUCCESS; }
  int nativeCode() const { return detail_ ? detail_->nativeCode : 0; }
  const std::string& sentence() const {
    static const std::string none;
    return detail_ ? detail_->sentence : none;
  }
  /// Where the error was made. Only valid when !ok().
  const std::source_location& place() const { return detail_->place; }

private:
  struct Detail {
    cl_int code;
    int nativeCode;
    std::string sentence;
    std::source_location place;
  };
  std::unique_ptr<Detail> detail_;
};

/// A value or the Status that says why there is none.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Status status) : state_(std::in_place_index<1>, std::move(status)) {
    assert(!std::get<1>(state_).ok() && "a Result without a value needs an error");
  }
  template <typename U>
    requires(std::is_convertible_v<U &&, T> && !std::is_same_v<std::remove_cvref_t<U>, Result> &&
             !std::is_same_v<std::remove_cvref_t<U>, T> &&
             !std::is_same_v<std::remove_cvref_t<U>, Status>)
  Result(U&& value) : state_(std::in_place_index<0>, std::forward<U>(value)) {}

  bool ok() const { return state_.index() == 0; }
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  /// The error. Only valid when !ok().
  const Status& status() const { return std::get<1>(state_); }
  Status takeStatus() { return ok() ? Status() : std::move(std::get<1>(state_)); }

private:
  std::variant<T, Status> state_;
};

} // namespace quern

#define QUERN_CONCAT_(a, b) a##b
#define QUERN_CONCAT(a, b) QUERN_CONCAT_(a, b)

/// Returns from the enclosing function when `expression` (a Status) failed.
#define QUERN_TRY(expression)                                                                      \
  do {                                                                                             \
    if (::quern::Status status_ = (expression); !status_.ok())                                     \
      return status_;                                                                              \
  } while (false)

/// Declares `declaration` from the value of `expression` (a Result), or returns its error from the
/// enclosing function.
#define QUERN_ASSIGN(declaration, expression)                                                      \
  auto QUERN_CONCAT(result_, __LINE__) = (expression);                                             \
  if (!QUERN_CONCAT(result_, __LINE__).ok())                                                       \
    return QUERN_CONCAT(result_, __LINE__).takeStatus();                                           \
  declaration = std::move(QUERN_CONCAT(result_, __LINE__)).value()
