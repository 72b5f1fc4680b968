#include "devices/cpu/topology.h"

#include <algorithm>
#include <charconv>
#include <dirent.h>
#include <fstream>
#include <map>
#include <memory>
#include <unistd.h>
#include <utility>

#include "devices/cpu/resources.h"

namespace quern::cpu {

namespace {

/// The CPUs of one level that belong together, in ascending order; empty where there is no such
/// level.
using CpuSet = std::vector<uint32_t>;

std::string readWord(const std::string& path) {
  std::ifstream file(path);
  std::string word;
  file >> word;
  return word;
}

/// The number that `text` begins with, and what follows it.
std::pair<uint64_t, std::string_view> leadingNumber(std::string_view text) {
  uint64_t number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number).ptr;
  return {number, text.substr(static_cast<size_t>(end - text.data()))};
}

/// A list as the kernel writes it: "0-3,8".
CpuSet readCpus(const std::string& path) {
  CpuSet cpus;
  const std::string text = readWord(path);
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto [first, afterFirst] = leadingNumber(rest);
    auto [last, after] = afterFirst.starts_with('-') ? leadingNumber(afterFirst.substr(1))
                                                     : std::pair(first, afterFirst);
    for (uint64_t cpu = first; cpu <= last; ++cpu)
      cpus.push_back(static_cast<uint32_t>(cpu));
    rest = after.starts_with(',') ? after.substr(1) : std::string_view();
  }
  return cpus;
}

/// "32K" and the like.
uint64_t readBytes(const std::string& path) {
  const std::string text = readWord(path);
  const auto [number, unit] = leadingNumber(text);
  return number << (unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : 0);
}

std::string levelOf(Domain domain) {
  switch (domain) {
  case Domain::L4:
    return "4";
  case Domain::L3:
    return "3";
  case Domain::L2:
    return "2";
  case Domain::L1:
    return "1";
  case Domain::Numa:
    break;
  }
  return {};
}

/// What the kernel says about one logical CPU.
class Cpu {
public:
  Cpu(std::string root, uint32_t number)
      : root_(std::move(root)), number_(number),
        folder_(root_ + "/sys/devices/system/cpu/cpu" + std::to_string(number)) {}

  uint32_t number() const { return number_; }
  CpuSet package() const { return readCpus(folder_ + "/topology/core_siblings_list"); }
  CpuSet core() const { return readCpus(folder_ + "/topology/thread_siblings_list"); }
  CpuSet sharing(Domain domain) const {
    return readCpus(domain == Domain::Numa ? nodeFolder() + "/cpulist"
                                           : cacheFolder(domain) + "/shared_cpu_list");
  }

  /// The folder of its cache for data of that level, or an empty one.
  std::string cacheFolder(Domain domain) const {
    for (int index = 0;; ++index) {
      std::string cache = folder_ + "/cache/index" + std::to_string(index);
      const std::string level = readWord(cache + "/level");
      if (level.empty())
        return {};
      if (level == levelOf(domain) && readWord(cache + "/type") != "Instruction")
        return cache;
    }
  }

private:
  struct Close {
    void operator()(DIR* folder) const { closedir(folder); }
  };

  std::string nodeFolder() const {
    // The standard library's iterators end the process where there is no memory for a name.
    const std::unique_ptr<DIR, Close> folder(opendir(folder_.c_str()));
    while (const dirent* const entry = folder ? readdir(folder.get()) : nullptr)
      if (std::string_view(entry->d_name).starts_with("node"))
        return root_ + "/sys/devices/system/node/" + entry->d_name;
    return {};
  }

  std::string root_;
  uint32_t number_;
  std::string folder_;
};

/// One of several sets has the number of its first CPU.
int32_t numberOf(const CpuSet& cpus) {
  return cpus.empty() ? -1 : static_cast<int32_t>(cpus.front());
}

/// A CPU's place in the machine's tree, from the package down: neighbours compare as neighbours.
std::vector<int32_t> placeOf(const Cpu& cpu, const Unit& unit) {
  std::vector<int32_t> place = {numberOf(cpu.package())};
  place.insert(place.end(), unit.group.begin(), unit.group.end());
  place.push_back(numberOf(cpu.core()));
  place.push_back(static_cast<int32_t>(cpu.number()));
  return place;
}

/// The CPUs as units, in the order of the machine's tree.
std::vector<Unit> inTreeOrder(const std::vector<Cpu>& cpus) {
  std::map<std::vector<int32_t>, Unit> sorted;
  for (const Cpu& cpu : cpus) {
    Unit unit = {.cpu = cpu.number()};
    for (Domain domain : allDomains)
      unit.group[static_cast<size_t>(domain)] = numberOf(cpu.sharing(domain));
    sorted.emplace(placeOf(cpu, unit), unit);
  }
  std::vector<Unit> units;
  for (const auto& [place, unit] : sorted)
    units.push_back(unit);
  return units;
}

/// Sums the caches of the last level that there is. Where /sys has none, as in some containers, the
/// C library asks the processor.
void readCaches(const std::vector<Cpu>& cpus, Topology& result) {
  for (Domain domain : {Domain::L4, Domain::L3, Domain::L2, Domain::L1}) {
    std::map<int32_t, std::string> caches;
    for (const Cpu& cpu : cpus)
      if (const int32_t number = numberOf(cpu.sharing(domain)); number >= 0)
        caches.emplace(number, cpu.cacheFolder(domain));
    for (const auto& [number, folder] : caches) {
      result.lastLevelCacheBytes += readBytes(folder + "/size");
      if (const uint64_t line = readBytes(folder + "/coherency_line_size"); line > 0)
        result.cacheLineBytes = static_cast<uint32_t>(line);
    }
    if (result.lastLevelCacheBytes > 0)
      return;
  }
  for (int name : {_SC_LEVEL4_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE})
    if (const long bytes = sysconf(name); bytes > 0) {
      result.lastLevelCacheBytes = static_cast<uint64_t>(bytes);
      return;
    }
}

} // namespace

Topology readTopology(uint32_t unitCount, const std::vector<uint32_t>& cpuNumbers,
                      const std::string& root) {
  std::vector<Cpu> cpus;
  for (uint32_t number : cpuNumbers)
    cpus.emplace_back(root, number);
  Topology result;
  readCaches(cpus, result);
  const std::vector<Unit> units = inTreeOrder(cpus);
  for (uint64_t i = 0; i < unitCount; ++i)
    result.units.push_back(units[i * units.size() / unitCount]);
  return result;
}

std::vector<uint32_t> cpusOfGroup(const Unit& unit, Domain domain) {
  const std::vector<uint32_t> usable = affinityCpus();
  std::vector<uint32_t> cpus;
  std::ranges::set_intersection(Cpu("", unit.cpu).sharing(domain), usable,
                                std::back_inserter(cpus));
  return cpus;
}

} // namespace quern::cpu
