#include "compile.h"

#include "base/sentence.h"

#include <CL/cl.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <unistd.h>

namespace quern::bench::cuda {
namespace {

namespace fs = std::filesystem;

Status failure(std::string text) {
  return Status::error(CL_BUILD_PROGRAM_FAILURE, std::move(text));
}

/// The folder `cuda` beside that of this library.
fs::path kernelFolder() {
  Dl_info info = {};
  dladdr(reinterpret_cast<const void*>(&machineCode), &info);
  return fs::path(info.dli_fname).parent_path().parent_path() / "cuda";
}

fs::path cacheFolder() {
  const char* folder = std::getenv("QUERN_BENCH_CUDA_CACHE");
  return folder ? fs::path(folder) : fs::temp_directory_path();
}

std::string definitionsOf(const std::string& options) {
  static const std::regex definition("-D *([A-Za-z_][A-Za-z0-9_]*(=[A-Za-z0-9_]+)?)");
  std::string text;
  for (std::sregex_iterator match(options.begin(), options.end(), definition), end; match != end;
       ++match)
    text += " -D" + (*match)[1].str();
  return text;
}

std::string contentsOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Runs a command and gives what it wrote, or an error with that.
Status run(const std::string& command) {
  std::FILE* output = popen((command + " 2>&1").c_str(), "r");
  if (!output)
    return failure("no program can be started");
  std::string text;
  std::array<char, 4096> piece;
  while (const size_t bytes = std::fread(piece.data(), 1, piece.size(), output))
    text.append(piece.data(), bytes);
  return pclose(output) == 0 ? Status() : failure(text);
}

} // namespace

Result<std::string> machineCode(const std::string& source, const std::string& options,
                                int architecture, bool isFast) {
  static const std::regex directive("^#line 1 \"([a-z_]+)\\.cl\"");
  std::smatch name;
  if (!std::regex_search(source, name, directive))
    return failure("the source has no name, so no kernels in CUDA C++ stand for it");
  const fs::path file = kernelFolder() / (name[1].str() + ".cu");
  if (!fs::exists(file))
    return failure(sentence("there is no file '", file.string(), "'"));
  const std::string definitions = definitionsOf(options);
  // As precise as OpenCL C asks for, and no more.
  const char* precision = isFast ? "-use_fast_math" : "-prec-div=false -prec-sqrt=false";
  const std::string arguments =
      sentence(" -std=c++17 -O3 ", precision, " -arch=sm_", architecture, definitions, " -cubin ");
  const size_t key = std::hash<std::string>()(
      contentsOf(file) + contentsOf(kernelFolder() / "common.cuh") + arguments);
  const fs::path code = cacheFolder() / sentence(name[1].str(), "-", key, ".cubin");
  if (!fs::exists(code)) {
    const fs::path fresh = code.string() + "." + std::to_string(getpid());
    QUERN_TRY(run("nvcc" + arguments + "-o '" + fresh.string() + "' '" + file.string() + "'"));
    fs::rename(fresh, code);
  }
  return contentsOf(code);
}

} // namespace quern::bench::cuda
