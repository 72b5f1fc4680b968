#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "driver.h"

namespace quern::tool {

namespace {

namespace fs = std::filesystem;

/// Puts `folder` before the folders that the variable `name` lists.
void prepend(const char* name, const std::string& folder) {
  const char* others = std::getenv(name);
  setenv(name, (others && *others ? folder + ":" + others : folder).c_str(), 1);
}

/// How many nodes run beside the program, and where.
struct Nodes {
  size_t count = 0;
  std::string hosts;
};

} // namespace

/// An ICD file of a folder that may be moved names the driver without a path, so the dynamic loader
/// is told where it is.
void useOnlyQuern() {
  setenv("OCL_ICD_VENDORS", fs::path(libraryFile("quern.icd")).parent_path().c_str(), 1);
  prepend("LD_LIBRARY_PATH", fs::path(libraryFile("libquern.so")).parent_path());
  // Loaders of the Khronos Group add the files that this names.
  unsetenv("OCL_ICD_FILENAMES");
}

void addRun(CLI::App& app) {
  CLI::App* run =
      app.add_subcommand("run", "Run a program with Quern as its only OpenCL platform.");
  run->footer("The program and its arguments follow: quern run clinfo -l");
  // Ends the tool's own arguments at the program, whose options are not the tool's.
  run->prefix_command();
  auto nodes = std::make_shared<Nodes>();
  run->add_option(
         "-n,--nodes", nodes->count,
         "Run it with the devices of so many nodes, by MPI's launcher; without --hosts all "
         "on this machine, which they share")
      ->check(CLI::Range(1, 1024));
  run->add_option(
         "--hosts", nodes->hosts,
         "A file with the names of the nodes' machines, one in each line; the program runs "
         "on the first")
      ->check(CLI::ExistingFile);
  run->callback([run, nodes] {
    const std::vector<std::string> command = run->remaining();
    if (command.empty())
      throw Failure("no program to run is named; try quern run --help", 2);
    useOnlyQuern();
    become(nodes->count == 0 && nodes->hosts.empty()
               ? command
               : withNodes(command, nodes->count, nodes->hosts));
  });
}

void addIcd(CLI::App& app) {
  app.add_subcommand("icd", "Print an ICD file, the line that names this driver to OpenCL loaders.")
      ->callback([] { std::printf("%s\n", libraryFile("libquern.so").c_str()); });
}

} // namespace quern::tool
