#include "devices/cpu/resources.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sched.h>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

#include "base/config.h"

namespace quern::cpu {

namespace {

/// The process's cgroup of one controller: where its files are, and how the hierarchy's files are
/// named.
struct Cgroup {
  std::string mount; ///< e.g. /sys/fs/cgroup/cpu
  std::string path;  ///< below the mount, e.g. /user.slice; may not exist in a container
  bool unified = false;
};

bool listContains(const std::string& list, const std::string& name) {
  std::istringstream stream(list);
  for (std::string item; std::getline(stream, item, ',');)
    if (item == name)
      return true;
  return false;
}

/// The mount point of the cgroup hierarchy of `controller`; of the unified one where `controller`
/// is empty.
std::string findMount(const std::string& root, const std::string& controller) {
  std::ifstream mounts(root + "/proc/self/mounts");
  std::string device, folder, type, options, rest;
  while (mounts >> device >> folder >> type >> options && std::getline(mounts, rest)) {
    if (controller.empty() ? type == "cgroup2"
                           : type == "cgroup" && listContains(options, controller))
      return folder;
  }
  return {};
}

/// The hierarchies that may limit `controller`: its own of version 1, and the unified one.
std::vector<Cgroup> findCgroups(const std::string& root, const std::string& controller) {
  std::vector<Cgroup> found;
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos)
      continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool unified = controllers.empty();
    if (!unified && !listContains(controllers, controller))
      continue;
    const std::string mount = findMount(root, unified ? "" : controller);
    if (!mount.empty())
      found.push_back({root + mount, line.substr(second + 1), unified});
  }
  return found;
}

/// Calls `read` with the group's folder and with each of its ancestors' up to the mount: a limit
/// may stand in any of them, and in a container the path may name folders that only the host sees.
template <typename Read> void forEachLevel(const Cgroup& cgroup, Read read) {
  std::string path = cgroup.path;
  while (true) {
    read(cgroup.mount + (path == "/" ? "" : path));
    if (path.empty() || path == "/")
      return;
    path.erase(path.rfind('/'));
  }
}

template <typename T> std::optional<T> readNumber(const std::string& path) {
  std::ifstream file(path);
  T number{};
  if (file >> number)
    return number;
  return std::nullopt; // also for the word "max"
}

void keepSmaller(uint64_t& limit, uint64_t candidate) {
  if (candidate > 0 && (limit == 0 || candidate < limit))
    limit = candidate;
}

uint64_t quotaOf(const Cgroup& cgroup, const std::string& folder) {
  double quota = 0, period = 0;
  if (cgroup.unified) {
    std::ifstream file(folder + "/cpu.max");
    if (!(file >> quota >> period))
      return 0;
  } else {
    quota = readNumber<double>(folder + "/cpu.cfs_quota_us").value_or(0);
    period = readNumber<double>(folder + "/cpu.cfs_period_us").value_or(0);
  }
  if (quota <= 0 || period <= 0)
    return 0;
  return static_cast<uint64_t>((quota + period - 1) / period);
}

} // namespace

std::vector<uint32_t> affinityCpus() {
  std::vector<uint32_t> cpus;
  // A machine may have more CPUs than cpu_set_t holds: grow until the kernel is content.
  for (uint32_t count = 1024; count <= 1 << 20 && cpus.empty(); count *= 2) {
    cpu_set_t* set = CPU_ALLOC(count);
    const size_t bytes = CPU_ALLOC_SIZE(count);
    if (sched_getaffinity(0, bytes, set) == 0)
      for (uint32_t cpu = 0; cpu < count; ++cpu)
        if (CPU_ISSET_S(cpu, bytes, set))
          cpus.push_back(cpu);
    CPU_FREE(set);
  }
  if (cpus.empty())
    cpus.push_back(0);
  return cpus;
}

uint32_t cgroupCpuQuota(const std::string& root) {
  uint64_t limit = 0;
  for (const Cgroup& cgroup : findCgroups(root, "cpu"))
    forEachLevel(cgroup,
                 [&](const std::string& folder) { keepSmaller(limit, quotaOf(cgroup, folder)); });
  return static_cast<uint32_t>(std::min<uint64_t>(limit, UINT32_MAX));
}

uint64_t cgroupMemoryLimit(const std::string& root) {
  uint64_t limit = 0;
  for (const Cgroup& cgroup : findCgroups(root, "memory"))
    forEachLevel(cgroup, [&](const std::string& folder) {
      const char* name = cgroup.unified ? "/memory.max" : "/memory.limit_in_bytes";
      keepSmaller(limit, readNumber<uint64_t>(folder + name).value_or(0));
    });
  return limit;
}

uint32_t computeUnits() {
  constexpr uint64_t maxUnits = 4096;
  if (const uint64_t wanted = config().number(Option::Threads); wanted > 0)
    return static_cast<uint32_t>(std::min(wanted, maxUnits));
  uint32_t units = static_cast<uint32_t>(affinityCpus().size());
  if (const uint32_t quota = cgroupCpuQuota(""); quota > 0)
    units = std::min(units, quota);
  return units;
}

uint64_t memoryBytes() {
  uint64_t bytes =
      static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  if (const uint64_t limit = cgroupMemoryLimit(""); limit > 0)
    bytes = std::min(bytes, limit);
  rlimit addressSpace = {};
  if (getrlimit(RLIMIT_AS, &addressSpace) == 0 && addressSpace.rlim_cur != RLIM_INFINITY)
    bytes = std::min<uint64_t>(bytes, addressSpace.rlim_cur);
  return bytes;
}

} // namespace quern::cpu
