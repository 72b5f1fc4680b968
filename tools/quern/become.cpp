#include <cerrno>
#include <cstring>

#include <unistd.h>

#include "commands.h"

namespace quern::tool {

void become(std::vector<std::string> command) {
  std::vector<char*> pointers;
  for (std::string& word : command)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execvp(pointers.front(), pointers.data());
  // As shells do: 127 where there is no such program, 126 where it cannot be run.
  throw Failure(command.front() + " cannot be run: " + std::strerror(errno),
                errno == ENOENT ? 127 : 126);
}

} // namespace quern::tool
