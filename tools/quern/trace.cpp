#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "commands.h"

namespace quern::tool {

namespace {

using Json = nlohmann::json;

/// What a timeline says of one kernel, or of one kind of transfer or compile.
struct Row {
  uint64_t count = 0;
  double total = 0; ///< microseconds
  double bytes = 0;
  std::vector<double> times; ///< microseconds, of one each
  uint64_t packetWidth = 0;
};

class Summary {
public:
  /// `line` is one event of a file that Quern has written, or what stands around them.
  void add(std::string line) {
    while (!line.empty() && (line.back() == ',' || line.back() == '\r'))
      line.pop_back();
    if (line.empty() || line == "[" || line == "]")
      return;
    const Json event = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!event.is_object())
      throw Failure("this is not a timeline that Quern has written: a line is no event");
    if (event.value("ph", "") == "X")
      addSlice(event);
  }

  void print() const {
    printRows("kernel", "launches", kernels_);
    printRows("transfer", "count", transfers_);
    printRows("compile", "count", compiles_);
    if (kernels_.empty() && transfers_.empty() && compiles_.empty())
      std::printf("The timeline has no commands.\n");
  }

private:
  using Rows = std::map<std::string, Row>;

  void addSlice(const Json& event) {
    const std::string category = event.value("cat", "");
    const Json arguments = event.value("args", Json::object());
    const std::string name = event.value("name", "");
    if (category == "kernel")
      noteKernel(kernels_[name], event, arguments);
    else if (category == "repeated")
      addTimes(kernels_[name], event, arguments, arguments.value("times", uint64_t{1}));
    else if (category == "transfer")
      addTimes(transfers_[name], event, arguments, 1);
    else if (category == "compile" || category == "cache" || category == "variant")
      addTimes(compiles_[name], event, arguments, 1);
  }

  /// A command that others became part of has the times of each elsewhere.
  static void noteKernel(Row& row, const Json& event, const Json& arguments) {
    row.packetWidth = arguments.value("packet_width", row.packetWidth);
    if (!arguments.contains("grown"))
      addTimes(row, event, arguments, 1);
  }

  static void addTimes(Row& row, const Json& event, const Json& arguments, uint64_t times) {
    const double duration = event.value("dur", 0.0);
    row.count += times;
    row.total += duration;
    row.bytes += arguments.value("bytes", 0.0);
    row.times.push_back(duration / static_cast<double>(std::max<uint64_t>(times, 1)));
  }

  static double medianOf(std::vector<double> times) {
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
  }

  static std::string bandwidthOf(const Row& row) {
    if (row.bytes == 0 || row.total == 0)
      return "-";
    char text[32];
    std::snprintf(text, sizeof(text), "%.2f", row.bytes / row.total / 1e3);
    return text;
  }

  static void printRows(const char* what, const char* countName, const Rows& rows) {
    std::vector<const Rows::value_type*> sorted;
    double total = 0;
    for (const auto& row : rows)
      if (row.second.count > 0) {
        sorted.push_back(&row);
        total += row.second.total;
      }
    if (sorted.empty())
      return;
    std::ranges::sort(
        sorted, [](const auto* a, const auto* b) { return a->second.total > b->second.total; });
    std::printf("%-32s %9s %11s %7s %11s %9s %7s\n", what, countName, "total ms", "share",
                "median us", "GB/s", "packet");
    for (const auto* entry : sorted) {
      const Row& row = entry->second;
      std::printf("%-32s %9llu %11.3f %6.1f%% %11.2f %9s %7s\n", entry->first.c_str(),
                  static_cast<unsigned long long>(row.count), row.total / 1e3,
                  total > 0 ? row.total / total * 100 : 0, medianOf(row.times),
                  bandwidthOf(row).c_str(),
                  row.packetWidth > 0 ? std::to_string(row.packetWidth).c_str() : "-");
    }
    std::printf("\n");
  }

  Rows kernels_, transfers_, compiles_;
};

void summarise(const std::string& path) {
  std::ifstream file(path);
  if (!file)
    throw Failure(path + " cannot be read");
  Summary summary;
  for (std::string line; std::getline(file, line);)
    summary.add(std::move(line));
  summary.print();
}

} // namespace

void addTrace(CLI::App& app) {
  CLI::App* trace =
      app.add_subcommand("trace", "Tell what a timeline says, which QUERN_TRACE has written.");
  trace->require_subcommand(1);
  CLI::App* summary = trace->add_subcommand(
      "summary", "Print for each kernel, transfer and step of a compile how often it ran and how "
                 "long that took.");
  auto path = std::make_shared<std::string>();
  summary->add_option("file", *path, "The timeline.")->required();
  summary->callback([path] { summarise(*path); });
}

} // namespace quern::tool
