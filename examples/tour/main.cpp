// quern-tour: runs every program of the gallery on one device and prints a table of what was
// computed, how fast, and whether the results held. Ends with 0 only if all did.
//
// A program that crashes or hangs must not end the tour, so each runs as a process of its own and
// prints its results as rows (see Report in common/gallery.h).
#include "process.h"
#include "table.h"

#include "gallery.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <unistd.h>

namespace {

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin < list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    parts.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// The folder that holds the programs' folders: CMake says where it lies as seen from this program.
std::filesystem::path galleryFolder() {
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const std::string& folder : split(GALLERY_FOLDERS))
    if (std::filesystem::is_directory(here / folder))
      return here / folder;
  throw std::runtime_error("the gallery's programs are not installed beside the tour");
}

void listDevices() {
  std::vector<cl::Platform> platforms;
  cl::Platform::get(&platforms);
  for (size_t p = 0; p < platforms.size(); ++p) {
    std::printf("platform %zu: %s, %s\n", p, platforms[p].getInfo<CL_PLATFORM_NAME>().c_str(),
                platforms[p].getInfo<CL_PLATFORM_VERSION>().c_str());
    std::vector<cl::Device> devices;
    platforms[p].getDevices(CL_DEVICE_TYPE_ALL, &devices);
    for (size_t d = 0; d < devices.size(); ++d)
      std::printf("  device %zu: %s, %u compute units, %s\n", d,
                  devices[d].getInfo<CL_DEVICE_NAME>().c_str(),
                  devices[d].getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>(),
                  devices[d].getInfo<CL_DEVICE_VERSION>().c_str());
  }
}

void progress(size_t number, size_t count, const std::string& program) {
  if (isatty(STDERR_FILENO))
    std::fprintf(stderr, "\r\033[K[%zu/%zu] %s", number, count, program.c_str());
  else
    std::fprintf(stderr, "[%zu/%zu] %s\n", number, count, program.c_str());
}

} // namespace

int main(int argc, char** argv) try {
  const gallery::CommandLine line(
      argc, argv, "Runs every program of the gallery on one device and prints a table.",
      {{"only", "", "run only programs with this in their name"},
       {"limit", "300", "seconds after which a program counts as hanging"}});
  listDevices();
  const cl::Device device = gallery::chooseDevice(line);
  const cl::Platform platform(device.getInfo<CL_DEVICE_PLATFORM>());
  std::printf("The tour runs on %s of the platform %s.\n\n",
              device.getInfo<CL_DEVICE_NAME>().c_str(),
              platform.getInfo<CL_PLATFORM_NAME>().c_str());
  std::fflush(stdout);

  std::vector<std::string> options = {"--tour"};
  for (const char* name : {"platform", "device"})
    if (!line.text(name).empty())
      options.insert(options.end(), {std::string("--") + name, line.text(name)});

  tour::Table table;
  const std::filesystem::path folder = galleryFolder();
  const std::vector<std::string> programs = split(GALLERY_PROGRAMS);
  for (size_t i = 0; i < programs.size(); ++i) {
    const std::string& program = programs[i];
    if (program.find(line.text("only")) == std::string::npos)
      continue;
    progress(i + 1, programs.size(), program);
    std::vector<std::string> command = {(folder / program / program).string()};
    command.insert(command.end(), options.begin(), options.end());
    const tour::Outcome outcome =
        tour::runProcess(command, static_cast<double>(line.number("limit")));
    table.addProgram(program, device.getInfo<CL_DEVICE_NAME>(), outcome);
  }
  progress(programs.size(), programs.size(), "done\n");

  table.print();
  return table.allHeld() ? 0 : 1;
} catch (const std::exception& error) {
  return gallery::failure(error);
}
