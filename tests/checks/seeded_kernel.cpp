#include "checks/seeded_kernel.h"

#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <type_traits>

#include "kernels/kernel_fixture.h"
#include "temporary_folder.h"

namespace quern::tests {

namespace {

namespace fs = std::filesystem;

std::vector<size_t> readSizes(const std::string& text) {
  std::vector<size_t> sizes;
  std::istringstream in(text);
  for (std::string number; std::getline(in, number, 'x');)
    sizes.push_back(std::stoul(number));
  return sizes;
}

/// The report of this process, which the driver is told of when it is first used, as of the faults
/// that are known.
const fs::path& reportFile() {
  static const TemporaryFolder folder;
  static const fs::path file = [] {
    fs::path name = folder / "report.json";
    std::ofstream(name).close();
    setenv("QUERN_CHECK_REPORT", name.c_str(), 1);
    const fs::path known = folder / "known";
    std::ofstream(known) << "# comments and empty lines are no patterns\n\n" << knownFaults << "\n";
    setenv("QUERN_CHECK_SUPPRESSIONS", known.c_str(), 1);
    return name;
  }();
  return file;
}

/// What follows `"key":` in a line of the report, up to the end of the value.
std::string field(const std::string& line, const std::string& key) {
  const size_t start = line.find("\"" + key + "\":") + key.size() + 3;
  if (line[start] == '"')
    return line.substr(start + 1, line.find('"', start + 1) - start - 1);
  return line.substr(start, line.find_first_of(",}", start) - start);
}

struct MemoryReleaser {
  void operator()(cl_mem memory) const { clReleaseMemObject(memory); }
};
using MemoryOwner = std::unique_ptr<std::remove_pointer_t<cl_mem>, MemoryReleaser>;

/// One run of a kernel, with all that it needs.
class Run {
public:
  explicit Run(const SeededKernel& kernel)
      : kernel_(kernel), program_(build(kernel.source, "-cl-std=CL3.0 -w")),
        handle_(program_, kernel.name.c_str()) {
    for (cl_uint i = 0; i < kernel.arguments.size(); ++i)
      setArgument(i, kernel.arguments[i]);
  }

  void launch() {
    handle_.enqueue({kernel_.global, kernel_.local});
    check(clFinish(Device::get().queue), "clFinish");
  }

private:
  void setArgument(cl_uint index, const std::string& text) {
    const std::string kind = text.substr(0, text.find(':'));
    const std::string value = text.substr(std::min(text.size(), kind.size() + 1));
    if (kind == "buffer")
      setBuffer(index, CL_MEM_READ_WRITE, std::stoul(value));
    else if (kind == "read-only")
      setBuffer(index, CL_MEM_READ_ONLY, std::stoul(value));
    else if (kind == "write-only")
      setBuffer(index, CL_MEM_WRITE_ONLY, std::stoul(value));
    else if (kind == "unwritten")
      setUnwritten(index, std::stoul(value));
    else if (kind == "same")
      handle_.set(index, buffers_[std::stoul(value)].get());
    else if (kind == "part")
      setPart(index, std::stoul(value));
    else if (kind == "image")
      setImage(index, readSizes(value));
    else if (kind == "local")
      handle_.set(index, LocalBytes{std::stoul(value)});
    else if (kind == "int")
      handle_.set(index, static_cast<cl_int>(std::stol(value)));
    else if (kind == "long")
      handle_.set(index, static_cast<cl_long>(std::stoll(value)));
    else if (kind == "float")
      handle_.set(index, std::stof(value));
    else if (kind == "null")
      handle_.set(index, cl_mem{});
    else
      throw std::runtime_error(kernel_.name + ": no argument is of the kind " + kind);
  }

  /// All zeros.
  void setBuffer(cl_uint index, cl_mem_flags flags, size_t bytes) {
    std::vector<unsigned char> zeros(bytes);
    cl_int code = CL_SUCCESS;
    buffers_.emplace_back(clCreateBuffer(Device::get().context, flags | CL_MEM_COPY_HOST_PTR, bytes,
                                         zeros.data(), &code));
    check(code, "clCreateBuffer");
    handle_.set(index, buffers_.back().get());
  }

  void setUnwritten(cl_uint index, size_t bytes) {
    cl_int code = CL_SUCCESS;
    buffers_.emplace_back(
        clCreateBuffer(Device::get().context, CL_MEM_READ_WRITE, bytes, nullptr, &code));
    check(code, "clCreateBuffer");
    handle_.set(index, buffers_.back().get());
  }

  /// The first bytes of a larger buffer.
  void setPart(cl_uint index, size_t bytes) {
    constexpr size_t more = 4096;
    std::vector<unsigned char> zeros(bytes + more);
    cl_int code = CL_SUCCESS;
    const MemoryOwner whole(clCreateBuffer(Device::get().context, CL_MEM_COPY_HOST_PTR,
                                           zeros.size(), zeros.data(), &code));
    check(code, "clCreateBuffer");
    const cl_buffer_region region = {0, bytes};
    buffers_.emplace_back(clCreateSubBuffer(whole.get(), CL_MEM_READ_WRITE,
                                            CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
    check(code, "clCreateSubBuffer");
    handle_.set(index, buffers_.back().get());
  }

  void setImage(cl_uint index, const std::vector<size_t>& size) {
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    cl_image_desc shape = {};
    shape.image_type = CL_MEM_OBJECT_IMAGE2D;
    shape.image_width = size.at(0);
    shape.image_height = size.at(1);
    cl_int code = CL_SUCCESS;
    buffers_.emplace_back(
        clCreateImage(Device::get().context, CL_MEM_READ_WRITE, &format, &shape, nullptr, &code));
    check(code, "clCreateImage");
    handle_.set(index, buffers_.back().get());
  }

  const SeededKernel& kernel_;
  const Program program_;
  Kernel handle_;
  std::vector<MemoryOwner> buffers_;
};

} // namespace

SeededKernel SeededKernel::read(const fs::path& file) {
  SeededKernel kernel = {.name = file.stem()};
  std::ifstream in(file);
  unsigned number = 0;
  static const std::string mark = "// fault: ";
  for (std::string line; std::getline(in, line);) {
    ++number;
    kernel.source += line + "\n";
    if (number == 1) {
      std::istringstream words(line.substr(2));
      bool isArgument = false;
      for (std::string word, value; words >> word;) {
        if (isArgument)
          kernel.arguments.push_back(word);
        else if (word == "args")
          isArgument = true;
        else if (word == "source-only")
          kernel.isSourceOnly = true;
        else if (words >> value)
          (word == "global" ? kernel.global : kernel.local) = readSizes(value);
      }
    }
    for (size_t at = line.find(mark); at != std::string::npos; at = line.find(mark, at + 1)) {
      std::istringstream fault(line.substr(at + mark.size()));
      std::string name, where;
      fault >> name >> where;
      kernel.faults.emplace(where == "nowhere" ? 0 : number, name);
    }
  }
  return kernel;
}

SeededKernel::Faults runChecked(const SeededKernel& kernel) {
  const fs::path& report = reportFile();
  const auto before = fs::file_size(report);
  Run(kernel).launch();
  SeededKernel::Faults faults;
  std::ifstream in(report);
  in.seekg(static_cast<std::streamoff>(before));
  for (std::string line; std::getline(in, line);)
    if (field(line, "event") == "fault" && field(line, "kernel") == kernel.name) {
      const std::string fault = field(line, "fault");
      faults.emplace(std::stoul(field(line, "line")), fault.starts_with("race") ? "race" : fault);
    }
  return faults;
}

} // namespace quern::tests
