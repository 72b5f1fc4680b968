#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "abi/checks.h"
#include "base/mutex_protected.h"

namespace quern::cpu {

struct CheckedLaunch;

/// What a kernel says of a fault that it has found, beside the place.
struct FoundFault {
  std::array<uint64_t, 2> values; ///< as abi::Fault says
  std::array<uint64_t, 3> global; ///< ids of the work-item
  std::array<uint64_t, 3> local;
  std::string other; ///< of a race, the other access, as part of a sentence
};

/// Tells of the faults that checks find: the first one at each place of a kernel by a sentence on
/// standard error, to the context's notify function and, as JSON, to the file of
/// QUERN_CHECK_REPORT; how many there were at each place when the process ends. Thread-safe.
class FaultReports {
public:
  static FaultReports& get();

  /// `site` is the text of an abi::CheckSite. `launch` may be null.
  void add(const char* site, const FoundFault& fault, const CheckedLaunch* launch);

private:
  struct Place {
    uint64_t count = 0;
    bool isSuppressed = false;
    std::string json; ///< without the count
  };
  using Key = std::pair<std::string, std::string>; ///< kernel and site
  struct State {
    std::map<Key, Place> places;
    std::vector<const Place*> order; ///< as they were found
  };

  FaultReports();
  bool isSuppressed(const std::string& sentence) const;
  void tell(const std::string& sentence, const std::string& json, const CheckedLaunch* launch);
  void writeToFile(const std::string& line) const;
  void summarise();

  std::vector<std::string> suppressions_; ///< patterns
  MutexProtected<State> state_;
};

} // namespace quern::cpu
