#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/mutex_protected.h"

namespace quern::united {

/// Says what was done with each kernel: whenever that is something else than the time before, a
/// line in the file that the option QUERN_UNITE_REPORT names and, as information, in the log.
/// Thread-safe.
class Report {
public:
  /// Whether anybody reads it.
  bool isOn() const;
  void add(std::string_view kernel, const std::string& what);

private:
  MutexProtected<std::map<std::string, std::string, std::less<>>> last_;
};

} // namespace quern::united
