// Runs random kernels of chosen seeds, each in a process of its own, so that a crash or a hang of
// one does not end the run.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/random/reducer.h"
#include "kernels/random/runner.h"

using namespace quern::tests::random;

namespace {

constexpr const char* help =
    "Usage: random_kernels [--print | --reduce | --compile COMMAND] [--options OPTIONS] FIRST "
    "[LAST]\n"
    "Runs the random kernels of the seeds FIRST to LAST on the platform that QUERN_TEST_PLATFORM "
    "names and\n"
    "compares them with an interpreter. Exits 1 when any differs, or when the driver warns.\n"
    "  --print    print the kernels as OpenCL C instead of running them\n"
    "  --reduce   print the smallest part of each failing kernel that still fails\n"
    "  --compile  give the kernels to the standard input of COMMAND instead, which must end with "
    "0\n"
    "  --options  build options\n";

struct Outcome {
  bool isRight;
  bool isGeneratorDefect;
  bool buildFailed;
};

/// What a child writes to standard error, where the driver logs.
class ErrorFile {
public:
  ErrorFile() : file_(std::tmpfile()) {
    if (!file_)
      throw std::runtime_error("there is no room for a temporary file");
  }
  ErrorFile(const ErrorFile&) = delete;
  ErrorFile& operator=(const ErrorFile&) = delete;
  ~ErrorFile() { std::fclose(file_); }

  void takeStandardError() const { dup2(fileno(file_), STDERR_FILENO); }

  std::string read() const {
    std::string text;
    std::rewind(file_);
    for (int c = std::fgetc(file_); c != EOF; c = std::fgetc(file_))
      text.push_back(static_cast<char>(c));
    return text;
  }

private:
  std::FILE* file_;
};

/// The first line that `text` has from Quern's log. A kernel whose variant cannot be made or is
/// thrown away still gives the right results: only there can it be seen.
std::string firstWarning(const std::string& text) {
  for (const char* level : {"quern: warning: ", "quern: error: "})
    if (const size_t start = text.find(level); start != text.npos)
      return text.substr(start, text.find('\n', start) - start);
  return {};
}

/// Checks `program` in a child. This process itself never calls OpenCL, so that each child starts
/// afresh.
Outcome check(const Program& program, const std::string& options, bool quiet) {
  std::fflush(nullptr);
  const ErrorFile errors;
  const pid_t child = fork();
  if (child == 0) {
    errors.takeStandardError();
    setenv("QUERN_LOG", "warning", /*overwrite=*/1);
    alarm(300);
    int code = 0;
    try {
      std::string difference = compareWithDevice(program, options);
      if (!difference.empty()) {
        code = 1;
        if (!quiet)
          std::printf("%s\n", difference.c_str());
      }
    } catch (const std::logic_error& error) {
      code = 3;
      if (!quiet)
        std::printf("seed %llu: the generator broke its rules: %s\n",
                    static_cast<unsigned long long>(program.seed), error.what());
    } catch (const std::exception& error) {
      code = std::strstr(error.what(), "clBuildProgram") ? 4 : 2;
      if (!quiet)
        std::printf("seed %llu: %s\n", static_cast<unsigned long long>(program.seed), error.what());
    }
    std::fflush(nullptr);
    _exit(code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status) && !quiet)
    std::printf("seed %llu: ended by signal %d\n", static_cast<unsigned long long>(program.seed),
                WTERMSIG(status));
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  const std::string warning = firstWarning(errors.read());
  if (!warning.empty() && !quiet)
    std::printf("seed %llu: %s\n", static_cast<unsigned long long>(program.seed), warning.c_str());
  return {code == 0 && warning.empty(), code == 3, code == 4};
}

/// Whether `command` ends well with `program` as its input.
bool compiles(const Program& program, const std::string& command) {
  std::FILE* input = popen(command.c_str(), "w");
  if (!input)
    return false;
  const std::string source = print(program, maxGroupItems);
  const bool isWritten = std::fwrite(source.data(), 1, source.size(), input) == source.size();
  if (pclose(input) == 0 && isWritten)
    return true;
  std::printf("seed %llu: %s failed\n", static_cast<unsigned long long>(program.seed),
              command.c_str());
  return false;
}

} // namespace

int main(int argc, char** argv) {
  bool printOnly = false, reduceFailures = false;
  std::string options, command;
  std::vector<uint64_t> seeds;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--print")
      printOnly = true;
    else if (word == "--reduce")
      reduceFailures = true;
    else if (word == "--options" && i + 1 < argc)
      options = argv[++i];
    else if (word == "--compile" && i + 1 < argc)
      command = argv[++i];
    else if (char* end = nullptr; uint64_t seed = std::strtoull(argv[i], &end, 10)) {
      seeds.push_back(seed);
    } else if (word == "0") {
      seeds.push_back(0);
    } else {
      std::fputs(help, word == "--help" ? stdout : stderr);
      return word == "--help" ? 0 : 2;
    }
  }
  if (seeds.empty() || seeds.size() > 2 || seeds.front() > seeds.back()) {
    std::fputs(help, stderr);
    return 2;
  }
  unsigned failures = 0;
  for (uint64_t seed = seeds.front(); seed <= seeds.back(); ++seed) {
    Program program = generate(seed);
    if (printOnly) {
      std::printf("%s\n", print(program, maxGroupItems).c_str());
      continue;
    }
    if (!command.empty()) {
      failures += !compiles(program, command);
      continue;
    }
    const Outcome first = check(program, options, false);
    if (first.isRight)
      continue;
    ++failures;
    if (!reduceFailures || first.isGeneratorDefect)
      continue;
    reduce(program, [&](const Program& smaller) {
      const Outcome outcome = check(smaller, options, true);
      return !outcome.isRight && !outcome.isGeneratorDefect &&
             outcome.buildFailed == first.buildFailed;
    });
    check(program, options, false);
    std::printf("%s\n", print(program, maxGroupItems).c_str());
  }
  if (!printOnly)
    std::printf("%llu kernels, %u failures\n",
                static_cast<unsigned long long>(seeds.back() - seeds.front() + 1), failures);
  return failures ? 1 : 0;
}
