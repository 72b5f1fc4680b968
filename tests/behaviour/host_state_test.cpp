// The driver fits itself to its surroundings and leaves the host's state as it was: threads,
// affinity, signals, floating point, locale.
#include <cfenv>
#include <chrono>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <link.h>
#include <sched.h>
#include <sstream>
#include <sys/stat.h>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <vector>
#include <xmmintrin.h>

#include "kernels/child_process.h"
#include "kernels/kernel_fixture.h"
#include "temporary_folder.h"

namespace quern::tests {
namespace {

size_t threadCount() {
  size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/task"))
    ++count;
  return count;
}

QUERN_CHILD(findTheDevice) {
  const size_t before = threadCount();
  cl_platform_id platform = findPlatform(testPlatformName());
  cl_device_id device = nullptr;
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  if (threadCount() != before)
    return 1;
  return compilerIsLoaded() ? 2 : 0;
}

TEST(HostState, findingDevicesStartsNoThreadAndLoadsNoCompiler) {
  ChildResult result = runChild({"findTheDevice"});
  EXPECT_EQ(result.exitCode, 0) << result;
}

/// Programs load drivers, and what these load, late. For the variables of threads in all libraries
/// loaded so, the C library has some 1,600 bytes; Mesa, or a second driver, is not loaded where
/// they are used up.
TEST(HostState, threadsHaveFewVariablesOfTheDriver) {
  findPlatform(testPlatformName());
  size_t bytes = 0;
  const int found = dl_iterate_phdr(
      [](dl_phdr_info* library, size_t, void* sum) {
        if (!std::strstr(library->dlpi_name, "libquern.so"))
          return 0;
        for (int i = 0; i < library->dlpi_phnum; ++i)
          if (library->dlpi_phdr[i].p_type == PT_TLS)
            *static_cast<size_t*>(sum) += library->dlpi_phdr[i].p_memsz;
        return 1;
      },
      &bytes);
  EXPECT_EQ(found, 1);
  EXPECT_GT(bytes, 0u);
  EXPECT_LE(bytes, 512u);
}

/// Where an ELF file has other libraries be searched for, beside where the system does: folders,
/// with a colon between them.
std::string searchPathOf(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string image(file_size(file), '\0');
  stream.read(image.data(), static_cast<std::streamsize>(image.size()));
  const auto at = [&]<typename T>(uint64_t offset, T) {
    T value = {};
    if (offset + sizeof(T) <= image.size())
      std::memcpy(&value, image.data() + offset, sizeof(T));
    return value;
  };
  const auto header = at(0, ElfW(Ehdr)());
  std::vector<ElfW(Phdr)> segments;
  for (size_t i = 0; i < header.e_phnum; ++i)
    segments.push_back(at(header.e_phoff + i * header.e_phentsize, ElfW(Phdr)()));
  const auto offsetOf = [&](uint64_t address) {
    for (const ElfW(Phdr) & segment : segments)
      if (segment.p_type == PT_LOAD && address - segment.p_vaddr < segment.p_filesz)
        return address - segment.p_vaddr + segment.p_offset;
    return uint64_t{0};
  };
  std::string path;
  for (const ElfW(Phdr) & segment : segments) {
    if (segment.p_type != PT_DYNAMIC)
      continue;
    std::vector<uint64_t> texts;
    uint64_t strings = 0;
    for (uint64_t offset = 0; offset < segment.p_filesz; offset += sizeof(ElfW(Dyn))) {
      const auto entry = at(segment.p_offset + offset, ElfW(Dyn)());
      if (entry.d_tag == DT_STRTAB)
        strings = offsetOf(entry.d_un.d_ptr);
      else if (entry.d_tag == DT_RPATH || entry.d_tag == DT_RUNPATH)
        texts.push_back(entry.d_un.d_val);
    }
    for (const uint64_t text : texts)
      path += (path.empty() ? "" : ":") + std::string(image.c_str() + strings + text);
  }
  return path;
}

/// A folder without a name is the one that the program runs in, where anybody may put a library.
TEST(HostState, librariesAreNotLookedForWhereTheProgramRuns) {
  findPlatform(testPlatformName());
  std::filesystem::path driver;
  dl_iterate_phdr(
      [](dl_phdr_info* library, size_t, void* found) {
        if (std::strstr(library->dlpi_name, "libquern.so"))
          *static_cast<std::filesystem::path*>(found) = library->dlpi_name;
        return 0;
      },
      &driver);
  for (const char* name : {"libquern.so", "libquern-compiler.so", "quern-compiler-process"}) {
    const std::filesystem::path file = driver.parent_path() / name;
    ASSERT_TRUE(exists(file)) << file;
    const std::string path = searchPathOf(file);
    std::istringstream folders(path + (path.empty() ? "" : ":"));
    for (std::string folder; std::getline(folders, folder, ':');)
      EXPECT_EQ(folder.substr(0, 1), "/") << name << " has the path '" << path << "'";
  }
}

/// Leaves the process the first `wanted` of the CPUs that it may run on; which these are, or none
/// where the system refuses.
std::optional<cpu_set_t> restrictToCpus(int wanted) {
  cpu_set_t allowed;
  sched_getaffinity(0, sizeof(allowed), &allowed);
  cpu_set_t chosen;
  CPU_ZERO(&chosen);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&chosen) < wanted; ++cpu)
    if (CPU_ISSET(cpu, &allowed))
      CPU_SET(cpu, &chosen);
  if (sched_setaffinity(0, sizeof(chosen), &chosen) != 0)
    return std::nullopt;
  return chosen;
}

QUERN_CHILD(countComputeUnits) {
  const std::optional<cpu_set_t> chosen = restrictToCpus(std::stoi(arguments[0]));
  if (!chosen)
    return 1;
  const auto units = Device::get().info<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS);
  Buffer<cl_int> out(4096);
  run(build("kernel void k(global int* out) { out[get_global_id(0)] = 1; }"), "k", {{4096}, {8}},
      out);
  if (out.read() != std::vector<cl_int>(4096, 1))
    return 2;
  cpu_set_t after;
  sched_getaffinity(0, sizeof(after), &after);
  if (!CPU_EQUAL(&after, &*chosen))
    return 3;
  std::printf("%u", units);
  return 0;
}

/// Prints how often the status was asked for in all until each of 20 launches, of a millisecond or
/// more, had ended.
QUERN_CHILD(pollOnOneCpu) {
  if (!restrictToCpus(1))
    return 1;
  Program program = build(R"(
    kernel void k(global uint* out, uint count) {
      uint x = get_global_id(0);
      for (uint i = 0; i < count; ++i)
        x = x * x + (x >> 7) + i;
      out[get_global_id(0)] = x;
    })");
  Buffer<cl_uint> out(64);
  Kernel kernel(program, "k");
  kernel.setAll(out, cl_uint{1'000'000});
  const size_t global = 64;
  unsigned long polls = 0;
  for (int launch = 0; launch < 20; ++launch) {
    cl_event event = nullptr;
    check(clEnqueueNDRangeKernel(Device::get().queue, kernel.handle(), 1, nullptr, &global, nullptr,
                                 0, nullptr, &event),
          "clEnqueueNDRangeKernel");
    cl_int status = CL_QUEUED;
    for (; status > CL_COMPLETE; ++polls)
      check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
                           nullptr),
            "clGetEventInfo");
    clReleaseEvent(event);
    if (status != CL_COMPLETE)
      return 2;
  }
  std::printf("%lu", polls);
  return 0;
}

// A program that asks again and again would else use up its share of the only CPU before the kernel
// goes on: tens of thousands of questions for each launch.
TEST(HostState, pollingLeavesTheOnlyCpuToTheKernel) {
  const ChildResult result = runChild({"pollOnOneCpu"});
  ASSERT_EQ(result.exitCode, 0) << result;
  EXPECT_LT(std::stoul(result.output), 20'000u) << result;
}

/// The arguments are the type that the CPU device shall have, and one that it shall not have.
QUERN_CHILD(findTheCpuByType) {
  cl_platform_id platform = findPlatform(testPlatformName());
  const cl_device_type type = std::stoull(arguments[0]), other = std::stoull(arguments[1]);
  cl_device_id device = nullptr;
  check(clGetDeviceIDs(platform, type, 1, &device, nullptr), "clGetDeviceIDs");
  if (clGetDeviceIDs(platform, other, 1, &device, nullptr) != CL_DEVICE_NOT_FOUND)
    return 1;
  if (Device::get().info<cl_device_type>(CL_DEVICE_TYPE) != type)
    return 2;
  Buffer<cl_int> out(4096);
  run(build("kernel void k(global int* out) { out[get_global_id(0)] = 1; }"), "k", {{4096}, {8}},
      out);
  return out.read() == std::vector<cl_int>(4096, 1) ? 0 : 3;
}

/// Some programs look for GPUs only.
TEST(HostState, theTypeOfTheCpuDeviceCanBeChosen) {
  const auto find = [](const char* option, cl_device_type type, cl_device_type other) {
    return runChild(
        {"findTheCpuByType",
         {std::to_string(type), std::to_string(other)},
         {{"QUERN_CPU_TYPE", option}, {"QUERN_DEVICES", "cpu"}, {"QUERN_LOG", "error"}}});
  };
  for (const auto& [option, type, other] :
       {std::tuple("cpu", CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU),
        std::tuple("gpu", CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_CPU),
        std::tuple("accelerator", CL_DEVICE_TYPE_ACCELERATOR, CL_DEVICE_TYPE_GPU)}) {
    const ChildResult result = find(option, type, other);
    EXPECT_EQ(result.exitCode, 0) << option << result;
  }
  const ChildResult unknown = find("GPU", CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU);
  EXPECT_EQ(unknown.exitCode, 0) << unknown;
  EXPECT_NE(unknown.errors.find("QUERN_CPU_TYPE is 'GPU'"), std::string::npos) << unknown;
}

TEST(HostState, computeUnitsFollowTheAffinityMask) {
  cpu_set_t allowed;
  sched_getaffinity(0, sizeof(allowed), &allowed);
  for (int wanted : {1, 2}) {
    if (CPU_COUNT(&allowed) < wanted)
      continue;
    ChildResult result = runChild({"countComputeUnits", {std::to_string(wanted)}});
    EXPECT_EQ(result.exitCode, 0) << result;
    // A cgroup quota may allow less than the mask, never more.
    EXPECT_GE(std::atoi(result.output.c_str()), 1) << result;
    EXPECT_LE(std::atoi(result.output.c_str()), wanted) << result;
  }
}

/// A cgroup below the one of this process with a quota of one CPU; removed at the end.
class QuotaGroup {
public:
  QuotaGroup() {
    const std::string name = "/quern-test-" + std::to_string(getpid());
    for (const char* root : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/cpu",
                             "/sys/fs/cgroup/cpu,cpuacct"}) {
      path_ = root + name;
      std::error_code error;
      if (!std::filesystem::exists(std::string(root) + "/cgroup.procs") ||
          !std::filesystem::create_directory(path_, error))
        continue;
      if (put("cpu.max", "100000 100000") ||
          (put("cpu.cfs_period_us", "100000") && put("cpu.cfs_quota_us", "100000")))
        return;
      std::filesystem::remove(path_, error);
    }
    path_.clear();
  }
  ~QuotaGroup() {
    if (!path_.empty())
      rmdir(path_.c_str());
  }
  const std::string& path() const { return path_; }

private:
  bool put(const std::string& file, const std::string& value) const {
    const std::string name = path_ + "/" + file;
    if (!std::filesystem::exists(name))
      return false;
    std::ofstream stream(name);
    return static_cast<bool>(stream << value << std::flush);
  }
  std::string path_;
};

QUERN_CHILD(countComputeUnitsInACgroup) {
  if (!(std::ofstream(arguments[0] + "/cgroup.procs") << getpid() << std::flush))
    return 77;
  std::printf("%u", Device::get().info<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS));
  return 0;
}

TEST(HostState, computeUnitsFollowTheCgroupsQuota) {
  const QuotaGroup group;
  if (group.path().empty())
    GTEST_SKIP() << "the system lets nobody make a cgroup with a quota here";
  const ChildResult result = runChild({"countComputeUnitsInACgroup", {group.path()}});
  if (result.exitCode == 77)
    GTEST_SKIP() << "the system lets nobody join a cgroup here";
  EXPECT_EQ(result.exitCode, 0) << result;
  EXPECT_EQ(result.output, "1") << result;
}

/// Everything that a driver might be tempted to change.
struct ProcessState {
  struct sigaction actions[65] = {};
  sigset_t mask;
  unsigned mxcsr;
  int rounding, exceptions;
  std::string locale, folder, environment;
  mode_t umaskValue;

  ProcessState() : mxcsr(_mm_getcsr() & ~0x3fu), rounding(fegetround()), exceptions(fegetexcept()) {
    for (int signal = 1; signal < 65; ++signal)
      sigaction(signal, nullptr, &actions[signal]);
    sigprocmask(SIG_BLOCK, nullptr, &mask);
    locale = std::setlocale(LC_ALL, nullptr);
    folder = std::filesystem::current_path();
    for (char** variable = environ; *variable; ++variable)
      environment += std::string(*variable) + "\n";
    umaskValue = umask(0);
    umask(umaskValue);
  }

  /// Names what differs from `before`.
  std::string differences(const ProcessState& before) const {
    std::string text;
    for (int signal = 1; signal < 65; ++signal)
      if (actions[signal].sa_handler != before.actions[signal].sa_handler)
        text += "handler of signal " + std::to_string(signal) + "; ";
    for (int signal = 1; signal < 65; ++signal)
      if (sigismember(&mask, signal) != sigismember(&before.mask, signal))
        text += "mask of signal " + std::to_string(signal) + "; ";
    if (mxcsr != before.mxcsr)
      text += "MXCSR; ";
    if (rounding != before.rounding)
      text += "rounding mode; ";
    if (exceptions != before.exceptions)
      text += "floating-point traps; ";
    if (locale != before.locale)
      text += "locale; ";
    if (folder != before.folder)
      text += "current folder; ";
    if (environment != before.environment)
      text += "environment; ";
    if (umaskValue != before.umaskValue)
      text += "umask; ";
    return text;
  }
};

constexpr const char* roundingSource = R"(
  kernel void k(global float* out, float one, float three, float small) {
    float third = one / three;
    local float l[8];
    l[get_local_id(0)] = third;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[3 * get_global_id(0)] = l[7 - get_local_id(0)];
    out[3 * get_global_id(0) + 1] = small * 0.5f;
    out[3 * get_global_id(0) + 2] = convert_float(16777217 + (int)get_local_id(0) * 0) + sin(one) * 0;
    if (get_global_id(0) == 0)
      printf("%.1f %d\n", 1.5f, 7);
  })";

QUERN_CHILD(compareState) {
  // A host that is as unusual as it can be.
  std::signal(SIGUSR1, SIG_IGN);
  std::signal(SIGFPE, [](int) {});
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR2);
  sigprocmask(SIG_BLOCK, &blocked, nullptr);
  std::setlocale(LC_ALL, "");
  fesetround(FE_UPWARD);
  _mm_setcsr(_mm_getcsr() | 0x8040); // flush to zero, denormals are zero
  feenableexcept(FE_DIVBYZERO);
  const ProcessState before;
  std::string wrong;
  {
    Program program = build(roundingSource);
    wrong += ProcessState().differences(before);
    Buffer<cl_float> out(3 * 4096);
    Kernel kernel(program, "k");
    kernel.setAll(out, 1.f, 3.f, 0x1p-126f);
    kernel.enqueue({{4096}, {8}});
    std::vector<cl_float> result = out.read();
    wrong += ProcessState().differences(before);
    // Kernels compute as OpenCL says, whatever the host's thread had set when it helped.
    for (size_t i = 0; i < result.size(); i += 3) {
      cl_uint bits[3];
      std::memcpy(bits, &result[i], sizeof(bits));
      if (bits[0] != 0x3eaaaaab)
        wrong += "division in a kernel; ";
      if (bits[1] != 0x00400000)
        wrong += "subnormals in a kernel; ";
      if (bits[2] != 0x4b800000)
        wrong += "conversion in a kernel; ";
      if (!wrong.empty())
        break;
    }
  }
  wrong += ProcessState().differences(before);
  std::fputs(wrong.c_str(), stderr);
  return wrong.empty() ? 0 : 1;
}

TEST(HostState, isUnchangedByBuildsAndLaunches) {
  for (const char* cache : {"off", "on"}) {
    TemporaryFolder folder;
    ChildResult result = runChild(
        {"compareState", {}, {{"QUERN_CACHE", cache}, {"QUERN_CACHE_DIR", folder.path()}}});
    EXPECT_EQ(result.exitCode, 0) << result;
    EXPECT_EQ(result.output, "1.5 7\n");
  }
}

void CL_CALLBACK roundDown(void*) {
  fesetround(FE_DOWNWARD);
}

/// Threads run many commands in a row, and set the modes of kernels once for all of them.
QUERN_CHILD(roundDownBetweenKernels) {
  const Program program = build("kernel void k(global float* out, float a, float b) {"
                                "  out[get_global_id(0)] = a / b; }");
  Buffer<cl_float> out(64);
  for (int i = 0; i < 50; ++i) {
    check(clEnqueueNativeKernel(Device::get().queue, roundDown, nullptr, 0, 0, nullptr, nullptr, 0,
                                nullptr, nullptr),
          "clEnqueueNativeKernel");
    run(program, "k", {{64}, {8}}, out, 1.f, 3.f);
    if (out.read() != std::vector<cl_float>(64, 0x1.555556p-2f))
      return 1;
  }
  return fegetround() == FE_TONEAREST ? 0 : 2;
}

TEST(HostState, modesThatANativeKernelSetsDoNotReachKernels) {
  const ChildResult result = runChild({"roundDownBetweenKernels"});
  EXPECT_EQ(result.exitCode, 0) << result;
}

QUERN_CHILD(printWithDecimalComma) {
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8"})
    if (std::setlocale(LC_ALL, name)) {
      Program program = build(
          "kernel void k(float x) { printf(\"%.2f|%.1v2hlf\\n\", x + 0.25f, (float2)(0.5f)); }");
      run(program, "k", {{1}}, 1.5f);
      return 0;
    }
  return 77;
}

TEST(HostState, localeDoesNotReachKernels) {
  ChildResult result = runChild({"printWithDecimalComma"});
  if (result.exitCode == 77)
    GTEST_SKIP() << "no locale with a decimal comma is installed";
  EXPECT_EQ(result.exitCode, 0) << result;
  EXPECT_EQ(result.output, "1.75|0.5,0.5\n");
}

QUERN_CHILD(countOpenFiles) {
  // The library talks with each process that compiles over a socket.
  struct Open {
    size_t files = 0, sockets = 0;
  };
  const auto open = [] {
    Open count;
    std::error_code gone; // that of the folder itself, for one
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
      ++(std::filesystem::is_socket(entry.path(), gone) ? count.sockets : count.files);
    return count;
  };
  Buffer<cl_float> out(48);
  run(build(roundingSource), "k", {{16}, {8}}, out, 1.f, 3.f, 1.f);
  const Open before = open();
  for (int i = 0; i < 5; ++i)
    run(build(roundingSource, "-DROUND=" + std::to_string(i)), "k", {{16}, {8}}, out, 1.f, 3.f,
        1.f);
  // Better code that is made meanwhile goes to the cache, too: its file is open for a moment,
  // perhaps that of the count before. One more process may have been started for it.
  const auto isAsBefore = [&] {
    const Open now = open();
    return now.files <= before.files && now.sockets <= before.sockets + 1;
  };
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!isAsBefore() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return isAsBefore() ? 0 : 1;
}

TEST(HostState, noFileStaysOpen) {
  TemporaryFolder folder;
  ChildResult result =
      runChild({"countOpenFiles", {}, {{"QUERN_CACHE", "on"}, {"QUERN_CACHE_DIR", folder.path()}}});
  EXPECT_EQ(result.exitCode, 0) << result;
}

} // namespace
} // namespace quern::tests
