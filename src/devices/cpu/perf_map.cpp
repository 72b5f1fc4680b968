#include "devices/cpu/perf_map.h"

#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

#include "base/config.h"
#include "base/file_descriptor.h"
#include "base/sentence.h"

namespace quern::cpu {

bool namesFunctions() {
  static const bool isOn = config().isOn(Option::Perf);
  return isOn;
}

void nameForPerf(uint64_t address, uint64_t bytes, std::string_view name) {
  if (!namesFunctions())
    return;
  // Opened each time: the child of a fork has a file of its own. Others than the user's own file
  // are none of ours, in a folder that is everybody's.
  const FileDescriptor file(open(sentence("/tmp/perf-", getpid(), ".map").c_str(),
                                 O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
  char numbers[48];
  std::snprintf(numbers, sizeof(numbers), "%llx %llx ", static_cast<unsigned long long>(address),
                static_cast<unsigned long long>(bytes));
  const std::string line = sentence(numbers, name, "\n");
  if (file) [[maybe_unused]]
    const ssize_t written = write(file.get(), line.data(), line.size());
}

} // namespace quern::cpu
