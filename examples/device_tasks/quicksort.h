// A quicksort whose parts the host enqueues, or the kernel itself.
#pragma once

#include "gallery.h"

#include <utility>

class Quicksort {
public:
  Quicksort(const cl::Context& context, const cl::Device& device, std::vector<cl_int>& numbers)
      : queue_(context, device),
        program_(gallery::buildProgram(context, device, "quicksort.cl", "-cl-std=CL3.0")),
        numbers_(numbers), from_(context, CL_MEM_READ_WRITE, bytes()),
        to_(context, CL_MEM_READ_WRITE, bytes()), sorted_(context, CL_MEM_READ_WRITE, bytes()),
        sides_(context, CL_MEM_READ_WRITE, numbers.size() * sizeof(Sides)) {}

  /// Level by level: the sides of all parts of one are the parts of the next.
  void byTheHost() {
    write();
    cl::Kernel kernel(program_, "sort_part");
    kernel.setArg(2, sorted_);
    kernel.setArg(3, sides_);
    kernel.setArg(4, cl::Local(smallBytes));
    std::vector<Part> parts = {{0, static_cast<cl_uint>(numbers_.size())}};
    std::vector<Sides> sides;
    while (!parts.empty()) {
      kernel.setArg(0, from_);
      kernel.setArg(1, to_);
      for (size_t i = 0; i < parts.size(); ++i) {
        kernel.setArg(5, static_cast<cl_uint>(i));
        kernel.setArg(6, parts[i].begin);
        kernel.setArg(7, parts[i].end);
        queue_.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(items), cl::NDRange(items));
      }
      sides.resize(parts.size());
      queue_.enqueueReadBuffer(sides_, CL_TRUE, 0, sides.size() * sizeof(Sides), sides.data());
      parts = partsOfNextLevel(parts, sides);
      std::swap(from_, to_);
    }
  }

  /// Everything after the first part is enqueued by the kernel itself.
  void byTheDevice() {
    write();
    cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer, cl_uint, cl::LocalSpaceArg> sort(program_,
                                                                                           "sort");
    sort(cl::EnqueueArgs(queue_, cl::NDRange(items), cl::NDRange(items)), from_, to_, sorted_,
         static_cast<cl_uint>(numbers_.size()), cl::Local(smallBytes));
  }

  std::vector<cl_int> read() {
    std::vector<cl_int> sorted(numbers_.size());
    queue_.enqueueReadBuffer(sorted_, CL_TRUE, 0, bytes(), sorted.data());
    return sorted;
  }

private:
  struct Part {
    cl_uint begin, end;
  };
  /// As the kernel writes them.
  struct Sides {
    cl_uint lowerEnd, upperBegin;
  };
  static constexpr size_t items = 64;
  static constexpr cl_uint small = 1024; ///< as in quicksort.cl
  static constexpr size_t smallBytes = small * sizeof(cl_int);

  static std::vector<Part> partsOfNextLevel(const std::vector<Part>& parts,
                                            const std::vector<Sides>& sides) {
    std::vector<Part> next;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].end - parts[i].begin <= small)
        continue;
      if (parts[i].begin < sides[i].lowerEnd)
        next.push_back({parts[i].begin, sides[i].lowerEnd});
      if (sides[i].upperBegin < parts[i].end)
        next.push_back({sides[i].upperBegin, parts[i].end});
    }
    return next;
  }

  size_t bytes() const { return numbers_.size() * sizeof(cl_int); }
  void write() { queue_.enqueueWriteBuffer(from_, CL_FALSE, 0, bytes(), numbers_.data()); }

  cl::CommandQueue queue_;
  cl::Program program_;
  std::vector<cl_int>& numbers_;
  cl::Buffer from_, to_, sorted_, sides_;
};
