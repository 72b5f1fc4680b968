#pragma once

#include <chrono>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

/// Runs parts of a test in a process of its own: for what ends a process, needs a fresh one, or
/// must be captured. The child is the same program started anew (fork and exec), so nothing of the
/// parent's OpenCL state is in it.
namespace quern::tests {

/// The body of a child; its result is the exit status of the process.
using ChildMain = int (*)(const std::vector<std::string>& arguments);

struct ChildRequest {
  std::string name; ///< as given to QUERN_CHILD
  std::vector<std::string> arguments = {};
  /// Variables set in the child, beside the environment of the parent. An empty name unsets
  /// nothing; a value of "-" unsets.
  std::vector<std::pair<std::string, std::string>> environment = {};
  std::chrono::seconds limit{60};
  /// For children that leave objects behind on purpose, run a driver that does, or end where a leak
  /// cannot be told from memory in use: after a fork, say.
  bool mayLeak = false;
};

struct ChildResult {
  int exitCode = -1; ///< -1 when the child did not exit by itself
  int signal = 0;    ///< the signal that ended it, or 0
  bool timedOut = false;
  std::string output; ///< its standard output
  std::string errors; ///< its standard error
};

/// Shown by GoogleTest when an expectation about a child fails.
std::ostream& operator<<(std::ostream& stream, const ChildResult& result);

class Child {
public:
  explicit Child(const ChildRequest& request);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  /// Kills the child when it still runs.
  ~Child();

  pid_t pid() const { return pid_; }
  /// Waits until the child has written `text` to standard output. False when it ended or the limit
  /// passed first.
  bool waitForOutput(const std::string& text);
  /// Waits for the end; kills the child when the limit passes.
  ChildResult wait();

private:
  bool pump();
  pid_t pid_ = -1;
  int pidFd_ = -1;
  int outputFd_ = -1;
  int errorFd_ = -1;
  std::chrono::steady_clock::time_point deadline_;
  ChildResult result_;
};

inline ChildResult runChild(const ChildRequest& request) {
  return Child(request).wait();
}

/// For the environment of a child in which sanitizers leave faults of the processor to the process.
std::vector<std::pair<std::string, std::string>> leavingFaultsToTheProcess();

/// The process that compiles for a child (or for its own child with its environment), or 0.
pid_t compilerOf(pid_t child);

/// Whether this process, a child, has or had a compiler: in a process of its own, or the library in
/// this one.
bool compilerIsLoaded();

/// Enters a child body in the table that the test program's main looks into. Used by QUERN_CHILD.
struct ChildRegistration {
  ChildRegistration(const char* name, ChildMain body);
};

/// The registered body, or null.
ChildMain findChild(const std::string& name);

} // namespace quern::tests

/// Defines the body of a child process: QUERN_CHILD(name) { ... return 0; } with the strings
/// `arguments` in scope.
#define QUERN_CHILD(name)                                                                          \
  static int name##Child(const std::vector<std::string>& arguments);                               \
  static const ::quern::tests::ChildRegistration name##Registration(#name, &name##Child);          \
  static int name##Child([[maybe_unused]] const std::vector<std::string>& arguments)
