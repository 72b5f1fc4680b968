// QUERN_TRACE writes a timeline that viewers of the Trace Event Format open, however the process
// ends.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "kernels/child_process.h"
#include "kernels/kernel_fixture.h"
#include "temporary_folder.h"

namespace quern::tests {
namespace {

using Json = nlohmann::json;

constexpr const char* recordedSource = R"(
    kernel void scale(global float* data, float by) { data[get_global_id(0)] *= by; }
    kernel void shift(global float* data, float by) { data[get_global_id(0)] += by; })";

/// Two kernels, one after the other and then at once after both, a write and a read.
void runSomething() {
  Program program = build(recordedSource);
  Buffer<cl_float> data(1 << 16);
  cl_int code = CL_SUCCESS;
  const cl_command_queue_properties outOfOrder[] = {CL_QUEUE_PROPERTIES,
                                                    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_command_queue queue = clCreateCommandQueueWithProperties(Device::get().context,
                                                              Device::get().id, outOfOrder, &code);
  check(code, "clCreateCommandQueueWithProperties");
  const size_t size = 1 << 16, local = 64;
  std::vector<cl_float> host(size, 1);
  cl_event events[4] = {};
  const cl_mem memory = data.handle();
  check(clEnqueueWriteBuffer(queue, memory, CL_FALSE, 0, size * sizeof(cl_float), host.data(), 0,
                             nullptr, &events[0]),
        "clEnqueueWriteBuffer");
  cl_uint number = 1;
  for (const char* name : {"scale", "shift"}) {
    Kernel kernel(program, name);
    kernel.setAll(data, 2.0f);
    check(clEnqueueNDRangeKernel(queue, kernel.handle(), 1, nullptr, &size, &local, 1,
                                 &events[number - 1], &events[number]),
          "clEnqueueNDRangeKernel");
    ++number;
  }
  check(clEnqueueReadBuffer(queue, memory, CL_FALSE, 0, size * sizeof(cl_float), host.data(), 2,
                            &events[1], &events[3]),
        "clEnqueueReadBuffer");
  check(clWaitForEvents(1, &events[3]), "clWaitForEvents");
  for (cl_event event : events)
    clReleaseEvent(event);
  clReleaseCommandQueue(queue);
}

QUERN_CHILD(traceAndReturn) {
  runSomething();
  return 0;
}

QUERN_CHILD(traceAndExit) {
  runSomething();
  std::exit(3);
}

QUERN_CHILD(traceAndFault) {
  runSomething();
  run(build("kernel void fault(global int* p, ulong far) { p[far] = 1; }"), "fault", {{1}},
      Buffer<cl_int>(16), cl_ulong{1} << 40);
  return 0;
}

QUERN_CHILD(traceEventlessLaunches) {
  Program program = build(recordedSource);
  Buffer<cl_float> data(64);
  Kernel kernel(program, "scale");
  kernel.setAll(data, 2.0f);
  cl_int code = CL_SUCCESS;
  cl_command_queue queue =
      clCreateCommandQueueWithProperties(Device::get().context, Device::get().id, nullptr, &code);
  check(code, "clCreateCommandQueueWithProperties");
  const size_t size = 64;
  for (int i = 0; i < 1000; ++i)
    check(clEnqueueNDRangeKernel(queue, kernel.handle(), 1, nullptr, &size, &size, 0, nullptr,
                                 nullptr),
          "clEnqueueNDRangeKernel");
  check(clFinish(queue), "clFinish");
  clReleaseCommandQueue(queue);
  return 0;
}

QUERN_CHILD(traceAndFork) {
  runSomething();
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0)
    _exit(0);
  int status = 0;
  waitpid(child, &status, 0);
  runSomething();
  return WEXITSTATUS(status);
}

/// The events of a timeline, after checks of what a viewer relies on.
class Timeline {
public:
  explicit Timeline(const std::string& path) {
    std::ifstream file(path);
    EXPECT_TRUE(file) << path;
    std::stringstream text;
    text << file.rdbuf();
    events_ = Json::parse(text.str(), nullptr, false);
    EXPECT_TRUE(events_.is_array()) << text.str();
    if (!events_.is_array())
      events_ = Json::array();
    for (const Json& event : events_)
      checkEvent(event);
    checkRows();
    checkArrows();
  }

  std::vector<Json> slices(const std::string& category, const std::string& name = {}) const {
    std::vector<Json> found;
    for (const Json& event : events_)
      if (event["ph"] == "X" && event["cat"] == category && (name.empty() || event["name"] == name))
        found.push_back(event);
    return found;
  }
  size_t arrows() const { return arrows_; }
  std::set<std::string> named(const std::string& what) const {
    std::set<std::string> names;
    for (const Json& event : events_)
      if (event["ph"] == "M" && event["name"] == what)
        names.insert(event["args"]["name"].get<std::string>());
    return names;
  }

private:
  using Row = std::pair<int64_t, int64_t>;
  static Row rowOf(const Json& event) { return {event["pid"], event["tid"]}; }
  static double endOf(const Json& event) {
    return event["ts"].get<double>() + event["dur"].get<double>();
  }

  static void checkEvent(const Json& event) {
    const std::string phase = event.value("ph", "");
    EXPECT_EQ(phase.size(), 1u) << event;
    EXPECT_NE(std::string("XMsfben").find(phase), std::string::npos) << event;
    for (const char* key : {"pid", "tid"})
      EXPECT_TRUE(event.contains(key) && event[key].is_number_integer()) << event;
    EXPECT_TRUE(event.contains("ts") && event["ts"].is_number()) << event;
    EXPECT_TRUE(event.contains("name") && event["name"].is_string()) << event;
    EXPECT_TRUE(phase != "X" || (event.contains("dur") && event["dur"].get<double>() >= 0))
        << event;
  }

  /// Slices of a row lie within each other or apart.
  void checkRows() {
    for (const Json& event : events_)
      if (event["ph"] == "X")
        rows_[rowOf(event)].push_back({event["ts"], endOf(event)});
    for (auto& [row, spans] : rows_) {
      std::ranges::sort(spans, [](const Span& a, const Span& b) {
        return std::pair(a.begin, -a.end) < std::pair(b.begin, -b.end);
      });
      std::vector<double> open;
      for (const Span& span : spans) {
        while (!open.empty() && open.back() <= span.begin + 0.0005)
          open.pop_back();
        EXPECT_TRUE(open.empty() || span.end <= open.back() + 0.0015)
            << row.first << ", " << row.second << " at " << span.begin;
        open.push_back(span.end);
      }
    }
  }

  /// Each arrow begins and ends within a slice.
  void checkArrows() {
    std::map<uint64_t, std::pair<int, int>> ends;
    for (const Json& event : events_) {
      const bool isStart = event["ph"] == "s", isEnd = event["ph"] == "f";
      if (!isStart && !isEnd)
        continue;
      auto& [starts, stops] = ends[event["id"].get<uint64_t>()];
      (isStart ? starts : stops) += 1;
      const double time = event["ts"];
      EXPECT_TRUE(std::ranges::any_of(rows_[rowOf(event)], [&](const Span& span) {
        return span.begin <= time && time <= span.end;
      })) << event;
    }
    for (const auto& [id, count] : ends)
      EXPECT_EQ(count, std::pair(1, 1)) << "arrow " << id;
    arrows_ = ends.size();
  }

  struct Span {
    double begin, end;
  };
  Json events_;
  std::map<Row, std::vector<Span>> rows_;
  size_t arrows_ = 0;
};

class TimelineTest : public ::testing::Test {
protected:
  ChildResult run(const std::string& child, const std::string& cache = "off") {
    auto environment = leavingFaultsToTheProcess();
    environment.emplace_back("QUERN_TRACE", file);
    environment.emplace_back("QUERN_CACHE", cache);
    environment.emplace_back("QUERN_CACHE_DIR", folder / "cache");
    environment.emplace_back("QUERN_FAULTS", "report");
    return runChild({child, {}, environment});
  }

  const quern::test::TemporaryFolder folder;
  const std::string file = folder / "timeline.json";
};

TEST_F(TimelineTest, showsCommandsCompilesAndThreads) {
  EXPECT_EQ(run("traceAndReturn").exitCode, 0);
  const Timeline timeline(file);
  for (const char* kernel : {"scale", "shift"}) {
    const std::vector<Json> slices = timeline.slices("kernel", kernel);
    ASSERT_EQ(slices.size(), 1u) << kernel;
    const Json& arguments = slices[0]["args"];
    EXPECT_EQ(arguments["global_size"], "65536");
    EXPECT_EQ(arguments["local_size"], "64");
    EXPECT_EQ(arguments["bytes"], 65536 * sizeof(cl_float));
    EXPECT_GE(arguments["packet_width"], 1);
    EXPECT_LE(arguments["queued_ns"], arguments["submitted_ns"]);
    EXPECT_LE(arguments["submitted_ns"].get<double>() / 1e3, slices[0]["ts"].get<double>() + 0.001);
  }
  for (const char* transfer : {"write buffer", "read buffer"}) {
    const std::vector<Json> slices = timeline.slices("transfer", transfer);
    ASSERT_GE(slices.size(), 1u) << transfer;
    EXPECT_EQ(slices[0]["args"]["bytes"], 65536 * sizeof(cl_float));
  }
  // The write before the first kernel, that before the second, both before the read.
  EXPECT_EQ(timeline.arrows(), 4u);
  EXPECT_GE(timeline.slices("compile", "compile: front end").size(), 1u);
  EXPECT_GE(timeline.slices("compile", "compile: code").size(), 1u);
  EXPECT_TRUE(timeline.named("process_name").contains(Device::get().text(CL_DEVICE_NAME)));
  EXPECT_TRUE(std::ranges::any_of(timeline.named("thread_name"), [](const std::string& name) {
    return name.starts_with("queue ");
  }));
  if (Device::get().info<cl_device_type>(CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU)
    EXPECT_GE(timeline.slices("work").size(), 2u);
}

TEST_F(TimelineTest, tellsHitsOfTheCacheFromMisses) {
  EXPECT_EQ(run("traceAndReturn", "on").exitCode, 0);
  EXPECT_GE(Timeline(file).slices("cache", "cache: miss").size(), 1u);
  EXPECT_EQ(run("traceAndReturn", "on").exitCode, 0);
  const Timeline second(file);
  EXPECT_GE(second.slices("cache", "cache: hit").size(), 1u);
  EXPECT_EQ(second.slices("compile", "compile: front end").size(), 0u);
}

TEST_F(TimelineTest, isWholeAfterExit) {
  EXPECT_EQ(run("traceAndExit").exitCode, 3);
  EXPECT_EQ(Timeline(file).slices("kernel", "shift").size(), 1u);
}

TEST_F(TimelineTest, isWholeAfterAFault) {
  if (Device::get().info<cl_device_type>(CL_DEVICE_TYPE) != CL_DEVICE_TYPE_CPU)
    GTEST_SKIP() << "faults of GPUs are no signals";
  EXPECT_EQ(run("traceAndFault").signal, SIGSEGV);
  EXPECT_EQ(Timeline(file).slices("kernel", "shift").size(), 1u);
}

TEST_F(TimelineTest, countsLaunchesWithoutEvents) {
  EXPECT_EQ(run("traceEventlessLaunches").exitCode, 0);
  const Timeline timeline(file);
  uint64_t launches = 0;
  for (const Json& slice : timeline.slices("kernel", "scale"))
    launches += !slice["args"].contains("grown");
  for (const Json& slice : timeline.slices("repeated", "scale"))
    launches += slice["args"]["times"].get<uint64_t>();
  EXPECT_EQ(launches, 1000u);
}

TEST_F(TimelineTest, isTheParentsAfterAFork) {
  EXPECT_EQ(run("traceAndFork").exitCode, 0);
  EXPECT_EQ(Timeline(file).slices("kernel", "shift").size(), 2u);
}

QUERN_CHILD(runAndTellTheProcess) {
  runSomething();
  std::printf("%d", getpid());
  return 0;
}

TEST(PerfMap, namesKernels) {
  const ChildResult result = runChild({"runAndTellTheProcess", {}, {{"QUERN_PERF", "on"}}});
  EXPECT_EQ(result.exitCode, 0) << result;
  const std::string path = "/tmp/perf-" + result.output + ".map";
  std::ifstream file(path);
  if (Device::get().info<cl_device_type>(CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) {
    std::map<std::string, uint64_t> sizes;
    uint64_t address = 0, bytes = 0;
    for (std::string name; file >> std::hex >> address >> bytes && std::getline(file, name);)
      sizes[name] += bytes;
    EXPECT_GT(sizes[" quern.kernel.scale"], 0u);
    EXPECT_GT(sizes[" quern.kernel.shift"], 0u);
  }
  unlink(path.c_str());
}

TEST_F(TimelineTest, thatCannotBeWrittenDoesNoHarm) {
  for (const char* path : {"/dev/null/timeline.json", "/dev/full"}) {
    const ChildResult result =
        runChild({"traceAndReturn", {}, {{"QUERN_TRACE", path}, {"QUERN_LOG", "error"}}});
    EXPECT_EQ(result.exitCode, 0) << result;
    EXPECT_NE(result.errors.find("timeline"), std::string::npos) << result;
  }
}

} // namespace
} // namespace quern::tests
