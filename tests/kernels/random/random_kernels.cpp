// Runs random kernels of chosen seeds, each in a process of its own, so that a crash or a hang of
// one does not end the run.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/random/reducer.h"
#include "kernels/random/runner.h"

using namespace quern::tests::random;

namespace {

constexpr const char* help =
    "Usage: random_kernels [--print | --reduce] [--options OPTIONS] FIRST [LAST]\n"
    "Runs the random kernels of the seeds FIRST to LAST on the platform that QUERN_TEST_PLATFORM "
    "names and\n"
    "compares them with an interpreter. Exits 1 when any differs.\n"
    "  --print    print the kernels as OpenCL C instead of running them\n"
    "  --reduce   print the smallest part of each failing kernel that still fails\n"
    "  --options  build options\n";

struct Outcome {
  bool isRight;
  bool isGeneratorDefect;
  bool buildFailed;
};

/// Checks `program` in a child. This process itself never calls OpenCL, so that each child starts
/// afresh.
Outcome check(const Program& program, const std::string& options, bool quiet) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
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
  return {code == 0, code == 3, code == 4};
}

} // namespace

int main(int argc, char** argv) {
  bool printOnly = false, reduceFailures = false;
  std::string options;
  std::vector<uint64_t> seeds;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--print")
      printOnly = true;
    else if (word == "--reduce")
      reduceFailures = true;
    else if (word == "--options" && i + 1 < argc)
      options = argv[++i];
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
