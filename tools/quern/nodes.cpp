#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sys/random.h>
#include <thread>

#include "commands.h"
#include "driver.h"

namespace quern::tool {

namespace {

size_t linesOf(const std::string& path) {
  std::ifstream file(path);
  size_t count = 0;
  for (std::string line; std::getline(file, line);)
    count += !line.empty() && line.front() != '#';
  return count;
}

/// Not to be guessed, and in no argument, which other users of the machine could read.
void makeSecret() {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
    throw Failure("the system has no random numbers for the secret of the nodes");
  std::string secret;
  for (const unsigned char byte : bytes)
    for (const int digit : {byte >> 4, byte & 15})
      secret += "0123456789abcdef"[digit];
  setenv("QUERN_NODE_SECRET", secret.c_str(), 1);
}

void append(std::vector<std::string>& command, const std::vector<std::string>& words) {
  command.insert(command.end(), words.begin(), words.end());
}

} // namespace

std::vector<std::string> withNodes(const std::vector<std::string>& command, size_t count,
                                   const std::string& hosts) {
  if (std::ranges::count(command, ":") != 0)
    throw Failure(
        "an argument ':' cannot be given to a program with nodes: MPI's launcher takes it "
        "for the end of a command",
        2);
  if (count == 0)
    count = linesOf(hosts);
  if (count == 0)
    throw Failure(hosts + " names no host", 2);
  makeSecret();
  const std::string node = libraryFile("quern-node");
  std::vector<std::string> whole = {"mpiexec.hydra"};
  if (!hosts.empty())
    append(whole, {"-f", hosts, "-ppn", "1"});
  append(whole, {"-n", "1", "-env", "QUERN_DEVICES", "remote", node, "--program"});
  append(whole, command);
  append(whole, {":", "-n", std::to_string(count)});
  // Nodes of one machine share its processors.
  if (hosts.empty() && !std::getenv("QUERN_THREADS")) {
    const size_t threads = std::max<size_t>(std::thread::hardware_concurrency() / count, 1);
    append(whole, {"-env", "QUERN_THREADS", std::to_string(threads)});
  }
  append(whole, {node});
  return whole;
}

} // namespace quern::tool
