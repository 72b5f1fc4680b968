#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

/// The nodes that an MPI launcher has started beside a test, as processes of this machine.
namespace quern::test {

/// The processes whose parent is `parent`.
inline std::vector<pid_t> childrenOf(pid_t parent) {
  std::vector<pid_t> children;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != name.npos)
      continue;
    std::ifstream status(entry.path() / "status");
    std::string word;
    while (status >> word)
      if (word == "PPid:") {
        pid_t of = 0;
        status >> of;
        if (of == parent)
          children.push_back(std::stoi(name));
        break;
      }
  }
  return children;
}

/// The node of that rank, which the launcher's process keeps (src/node/main.cpp).
inline pid_t nodeProcess(int rank) {
  const std::string wanted = "PMI_RANK=" + std::to_string(rank);
  for (const pid_t keeper : childrenOf(getppid())) {
    std::ifstream environment("/proc/" + std::to_string(keeper) + "/environ");
    std::string variable;
    while (std::getline(environment, variable, '\0'))
      if (variable == wanted)
        for (const pid_t node : childrenOf(keeper))
          return node;
  }
  return 0;
}

} // namespace quern::test
