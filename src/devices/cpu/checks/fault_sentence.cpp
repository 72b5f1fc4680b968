#include "devices/cpu/checks/fault_sentence.h"

#include <bit>
#include <cstdio>

#include "base/sentence.h"
#include "devices/cpu/checks/check_functions.h"
#include "devices/cpu/known_memory.h"

namespace quern::cpu {

namespace {

using abi::Fault;
using abi::ObjectKind;

constexpr std::string_view faultNames[] = {"out-of-bounds-read",
                                           "out-of-bounds-write",
                                           "out-of-bounds-read",
                                           "out-of-bounds-write",
                                           "misaligned-read",
                                           "misaligned-write",
                                           "division-by-zero",
                                           "division-overflow",
                                           "shift-beyond-width",
                                           "conversion-out-of-range",
                                           "uninitialised-branch",
                                           "uninitialised-address",
                                           "uninitialised-store",
                                           "divergent-barrier",
                                           "unknown-event",
                                           "unawaited-copy",
                                           "race-read",
                                           "race-write",
                                           "read-of-write-only",
                                           "write-to-read-only",
                                           "aliasing"};

std::string triple(const std::array<uint64_t, 3>& id) {
  return sentence("(", id[0], ", ", id[1], ", ", id[2], ")");
}

std::string placeOf(const abi::CheckSite& site) {
  if (site.line == 0)
    return {};
  return sentence(" at ", site.file, ":", site.line, ":", site.column);
}

/// "the buffer of argument 'out'".
std::string objectOf(const abi::CheckSite& site) {
  const std::string name = site.name.empty() ? "" : " '" + site.name + "'";
  switch (site.object) {
  case ObjectKind::Argument:
    return sentence("the buffer of argument ", site.argument, name);
  case ObjectKind::LocalArgument:
    return sentence("the local memory of argument ", site.argument, name);
  case ObjectKind::Local:
    return "the local variable" + name;
  case ObjectKind::Private:
    return "the private variable" + name;
  case ObjectKind::Constant:
    return "the constant" + name;
  case ObjectKind::Variable:
    return "the variable" + name;
  case ObjectKind::Memory:
  case ObjectKind::None:
    break;
  }
  return "the memory that the pointer points into";
}

/// Where an access begins, from the first byte of its object on.
std::string whereOf(const abi::CheckSite& site, const FoundFault& fault) {
  const auto offset = static_cast<int64_t>(fault.values[0]);
  const uint64_t bytes = fault.values[1];
  if (site.object == ObjectKind::Memory && bytes == 0) {
    char address[32];
    std::snprintf(address, sizeof(address), "0x%llx", static_cast<unsigned long long>(offset));
    if (offset == 0)
      return "through a null pointer";
    const auto released = KnownMemory::get().findReleased(fault.values[0]);
    return sentence("at the address ", address,
                    released ? ", in memory that has been released"
                             : ", which is in no memory of the device");
  }
  return sentence("at byte ", offset, " of ", objectOf(site), ", which has ", bytes, " bytes");
}

std::string access(const char* verb, const abi::CheckSite& site, const FoundFault& fault) {
  if (site.object == ObjectKind::None)
    return sentence(verb, " outside of an ", site.name, ", at coordinate ",
                    static_cast<int64_t>(fault.values[0]), " of a dimension that has ",
                    fault.values[1], " elements");
  if (site.bytes == 0)
    return sentence(verb, " of a range ", whereOf(site, fault));
  return sentence(verb, " of ", site.bytes, site.bytes == 1 ? " byte " : " bytes ",
                  whereOf(site, fault));
}

/// Within an object, but not in the array that its element is taken from.
std::string elementAccess(const char* verb, const abi::CheckSite& site, const FoundFault& fault) {
  return sentence(verb, " of ", site.bytes, site.bytes == 1 ? " byte" : " bytes", " at element ",
                  static_cast<int64_t>(fault.values[0]), " of an array that has ", fault.values[1],
                  ", in ", objectOf(site));
}

std::string race(const char* verb, const abi::CheckSite& site, const FoundFault& fault) {
  const bool isGlobal = site.object == ObjectKind::Argument || site.object == ObjectKind::Memory;
  const std::string range =
      site.bytes == 0 ? "a range" : sentence(site.bytes, site.bytes == 1 ? " byte" : " bytes");
  return sentence("race: ", verb, " of ", range, " of ", objectOf(site),
                  isGlobal ? sentence(" at byte ", fault.values[0]) : std::string(), fault.other);
}

std::string divergence(const abi::CheckSite& site, const FoundFault& fault) {
  const std::string what = site.name.empty() ? "barrier" : site.name;
  if (!fault.other.empty())
    return sentence(what, " that work-items of the work-group reach in different ways",
                    fault.other);
  return sentence(what, " that only ", fault.values[0], " of ", fault.values[1],
                  " work-items of the work-group reach");
}

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.9g", value);
  return text;
}

std::string whatOf(const abi::CheckSite& site, const FoundFault& fault) {
  const auto [first, second] = fault.values;
  const auto a = static_cast<int64_t>(first), b = static_cast<int64_t>(second);
  switch (site.fault) {
  case Fault::Read:
    return access("read", site, fault);
  case Fault::Write:
    return access("write", site, fault);
  case Fault::ElementRead:
    return elementAccess("read", site, fault);
  case Fault::ElementWrite:
    return elementAccess("write", site, fault);
  case Fault::MisalignedRead:
    return access("misaligned read", site, fault);
  case Fault::MisalignedWrite:
    return access("misaligned write", site, fault);
  case Fault::DivisionByZero:
    return sentence("division of ", a, " by zero");
  case Fault::DivisionOverflow:
    return sentence("division of ", a, " by ", b, ", whose result is too large for its type");
  case Fault::Shift:
    return sentence("shift by ", a, " of a number of ", b, " bits");
  case Fault::Conversion:
    return sentence("conversion of ", number(std::bit_cast<double>(first)), " to an integer of ", b,
                    " bits, which cannot hold it");
  case Fault::UninitialisedBranch:
    return "branch that depends on a value that was never written";
  case Fault::UninitialisedAddress:
    return "address that depends on a value that was never written";
  case Fault::UninitialisedStore:
    return "store of a value that was never written to memory that the host can read";
  case Fault::DivergentBarrier:
    return divergence(site, fault);
  case Fault::UnknownEvent:
    return "wait for an event that no copy has given to the work-item";
  case Fault::UnawaitedCopy:
    return "copy of the work-group for whose event a work-item never waits";
  case Fault::RaceRead:
    return race("read", site, fault);
  case Fault::RaceWrite:
    return race("write", site, fault);
  case Fault::ForbiddenRead:
    return sentence("read of ", objectOf(site), ", which is CL_MEM_WRITE_ONLY");
  case Fault::ForbiddenWrite:
    return sentence("write to ", objectOf(site), ", which is CL_MEM_READ_ONLY");
  case Fault::Aliasing:
    return sentence("argument ", first, " '", fault.other, "' overlaps the buffer of argument ",
                    site.argument, " '", site.name, "', which is restrict");
  }
  return "fault";
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    if (static_cast<unsigned char>(c) >= 0x20)
      result += c;
  }
  return result + '"';
}

std::string list(const std::array<uint64_t, 3>& id) {
  return sentence("[", id[0], ",", id[1], ",", id[2], "]");
}

std::string kernelOf(const CheckedLaunch* launch) {
  return launch ? launch->description.name : std::string();
}

} // namespace

std::string sentenceOf(const abi::CheckSite& site, const FoundFault& fault,
                       const CheckedLaunch* launch) {
  const std::string what = whatOf(site, fault);
  if (!launch && site.fault != Fault::Aliasing)
    return sentence(what, ", in a function", placeOf(site));
  std::string where = sentence(what, ", in the kernel '", kernelOf(launch), "'");
  if (site.fault == Fault::Aliasing)
    return where;
  return sentence(where, placeOf(site), " by the work-item with global id ", triple(fault.global),
                  " and local id ", triple(fault.local));
}

std::string jsonOf(const abi::CheckSite& site, const FoundFault& fault, const CheckedLaunch* launch,
                   const std::string& text) {
  const auto kind = static_cast<size_t>(site.fault);
  return sentence("\"fault\":", quoted(kind < std::size(faultNames) ? faultNames[kind] : "fault"),
                  ",\"kernel\":", quoted(kernelOf(launch)), ",\"file\":", quoted(site.file),
                  ",\"line\":", site.line, ",\"column\":", site.column,
                  ",\"object\":", quoted(site.name), ",\"bytes\":", site.bytes,
                  ",\"offset\":", static_cast<int64_t>(fault.values[0]),
                  ",\"size\":", fault.values[1], ",\"global_id\":", list(fault.global),
                  ",\"local_id\":", list(fault.local), ",\"sentence\":", quoted(text));
}

} // namespace quern::cpu
