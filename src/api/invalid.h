#pragma once

#include <string>
#include <utility>

#include <CL/cl.h>

#include "base/result.h"

namespace quern::api {

/// The errors of what many calls are given.
inline Status invalidValue(std::string text) {
  return Status::error(CL_INVALID_VALUE, std::move(text));
}
inline Status invalidProperty(std::string text) {
  return Status::error(CL_INVALID_PROPERTY, std::move(text));
}

} // namespace quern::api
