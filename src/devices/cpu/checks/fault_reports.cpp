#include "devices/cpu/checks/fault_reports.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fnmatch.h>
#include <fstream>
#include <unistd.h>

#include "base/config.h"
#include "base/file_descriptor.h"
#include "base/log.h"
#include "base/sentence.h"
#include "devices/cpu/checks/check_functions.h"
#include "devices/cpu/checks/fault_sentence.h"

namespace quern::cpu {

namespace {

std::vector<std::string> readPatterns(const std::string& path) {
  std::vector<std::string> patterns;
  if (path.empty())
    return patterns;
  std::ifstream file(path);
  if (!file)
    log::error(sentence("QUERN_CHECK_SUPPRESSIONS names ", path, ", which cannot be read"));
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line.front() != '#')
      patterns.push_back("*" + line + "*");
  return patterns;
}

/// Accesses are checked for both faults at once: one that is inside of its object is misaligned.
abi::CheckSite preciseSite(abi::CheckSite site, const FoundFault& fault) {
  const auto [offset, bytes] = fault.values;
  const bool isInside = site.bytes != 0 && site.bytes <= bytes && offset <= bytes - site.bytes;
  if (isInside && site.fault == abi::Fault::Read)
    site.fault = abi::Fault::MisalignedRead;
  if (isInside && site.fault == abi::Fault::Write)
    site.fault = abi::Fault::MisalignedWrite;
  return site;
}

void writeAll(int descriptor, const std::string& line) {
  [[maybe_unused]] const ssize_t written = ::write(descriptor, line.data(), line.size());
}

} // namespace

FaultReports& FaultReports::get() {
  // Never destroyed: kernels may run while static destructors do.
  static FaultReports* const reports = new FaultReports;
  return *reports;
}

FaultReports::FaultReports()
    : suppressions_(readPatterns(config().get(Option::CheckSuppressions))) {
  std::atexit([] { get().summarise(); });
}

bool FaultReports::isSuppressed(const std::string& sentence) const {
  return std::ranges::any_of(suppressions_, [&](const std::string& pattern) {
    return fnmatch(pattern.c_str(), sentence.c_str(), 0) == 0;
  });
}

void FaultReports::add(const char* site, const FoundFault& fault, const CheckedLaunch* launch) {
  std::string text, json;
  {
    auto state = state_.lock();
    const Key key(launch ? launch->description.name : std::string(), site);
    Place& place = state->places[key];
    if (++place.count > 1)
      return;
    const std::optional<abi::CheckSite> decoded = abi::decodeCheckSite(site);
    if (!decoded)
      return;
    const abi::CheckSite precise = preciseSite(*decoded, fault);
    text = sentenceOf(precise, fault, launch);
    place.isSuppressed = isSuppressed(text);
    if (place.isSuppressed)
      return;
    json = place.json = jsonOf(precise, fault, launch, text);
    state->order.push_back(&place);
  }
  tell(text, json, launch);
}

void FaultReports::tell(const std::string& sentence, const std::string& json,
                        const CheckedLaunch* launch) {
  writeAll(STDERR_FILENO, "quern check: " + sentence + "\n");
  writeToFile("{\"event\":\"fault\"," + json + "}\n");
  if (launch)
    launch->report(sentence);
}

void FaultReports::writeToFile(const std::string& line) const {
  const std::string& path = config().get(Option::CheckReport);
  if (path.empty())
    return;
  // One write at the end of the file: other processes may report there, too.
  const FileDescriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (file.get() >= 0)
    writeAll(file.get(), line);
}

void FaultReports::summarise() {
  auto state = state_.lock();
  uint64_t count = 0;
  for (const Place* place : state->order) {
    count += place->count;
    writeToFile(sentence("{\"event\":\"count\",\"count\":", place->count, ",", place->json, "}\n"));
  }
  if (count != 0)
    writeAll(STDERR_FILENO, sentence("quern check: ", count, " faults at ", state->order.size(),
                                     state->order.size() == 1 ? " place\n" : " places\n"));
}

} // namespace quern::cpu
