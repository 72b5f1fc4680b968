// shared_tree: a pointer-based search tree that host and device share as it is.
//
// Shows: shared virtual memory in its forms. Coarse-grain buffers belong to the host while they are
// mapped; fine-grain buffers need no map; with fine-grain system memory the device follows pointers
// into anything that the program allocated; with atomics host and device count in the same
// counters at the same time (OpenCL 2.0 and later, each form optional in 3.0).
#include "gallery.h"

#include <algorithm>
#include <atomic>
#include <memory>

namespace {

/// The same layout as in shared_tree.cl.
struct Node {
  Node* smaller;
  Node* larger;
  cl_int key;
  cl_int value;
};

/// Memory for `count` values of T that the device can use too: an SVM buffer, or, without flags to
/// allocate one, the program's own.
template <typename T> class Shared {
public:
  Shared(const cl::Context& context, size_t count, const cl_svm_mem_flags* flags)
      : context_(context), count_(count) {
    if (flags)
      svm_ = clSVMAlloc(context(), *flags, count * sizeof(T), 0);
    else
      own_ = std::make_unique<T[]>(count);
    if (!svm_ && !own_)
      throw std::runtime_error("clSVMAlloc: no memory");
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared() { clSVMFree(context_(), svm_); }

  T* data() const { return svm_ ? static_cast<T*>(svm_) : own_.get(); }
  size_t bytes() const { return count_ * sizeof(T); }

private:
  cl::Context context_;
  size_t count_;
  void* svm_ = nullptr;
  std::unique_ptr<T[]> own_;
};

/// Links the nodes of `keys`, which are sorted, into a balanced tree and returns its root.
Node* link(Node* nodes, const std::vector<cl_int>& keys, size_t begin, size_t end) {
  if (begin == end)
    return nullptr;
  const size_t middle = (begin + end) / 2;
  nodes[middle] = {link(nodes, keys, begin, middle), link(nodes, keys, middle + 1, end),
                   keys[middle], static_cast<cl_int>(middle)};
  return &nodes[middle];
}

/// The tree's keys, the keys to look up, and where each of these is.
struct Problem {
  std::vector<cl_int> treeKeys, wanted, expected;
};

Problem makeProblem(size_t nodes, size_t lookUps) {
  Problem problem;
  problem.treeKeys.resize(nodes);
  for (size_t i = 0; i < nodes; ++i)
    problem.treeKeys[i] = static_cast<cl_int>(3 * i);
  problem.wanted = gallery::randomInts(lookUps, static_cast<cl_int>(3 * nodes), 1);
  for (const cl_int key : problem.wanted)
    problem.expected.push_back(key % 3 == 0 ? key / 3 : -1);
  return problem;
}

/// One form of shared virtual memory.
struct Form {
  const char* name;
  cl_device_svm_capabilities capability;
  const cl_svm_mem_flags* flags; ///< null: the program's own memory
  bool mapped;                   ///< the host must map it
};

class Search {
public:
  Search(const cl::Context& context, const cl::Device& device, const cl::Program& program,
         const Form& form, const Problem& problem)
      : form_(form), queue_(context, device), program_(program), problem_(problem),
        nodes_(context, problem.treeKeys.size(), form.flags),
        keys_(context, problem.wanted.size(), form.flags),
        values_(context, problem.wanted.size(), form.flags) {
    map(nodes_, CL_MAP_WRITE);
    map(keys_, CL_MAP_WRITE);
    root_ = link(nodes_.data(), problem.treeKeys, 0, problem.treeKeys.size());
    std::copy(problem.wanted.begin(), problem.wanted.end(), keys_.data());
    unmap(nodes_);
    unmap(keys_);
  }

  void lookUp() {
    cl::Kernel kernel(program_, "look_up");
    set(kernel, 0, root_);
    set(kernel, 1, keys_.data());
    set(kernel, 2, values_.data());
    // The nodes behind the root are reached through pointers: say which memory they are in.
    if (form_.flags)
      kernel.setSVMPointers(std::vector<void*>{nodes_.data()});
    queue_.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(problem_.wanted.size()));
    queue_.finish();
  }

  gallery::Check check() {
    map(values_, CL_MAP_READ);
    const std::vector<cl_int> found(values_.data(), values_.data() + problem_.wanted.size());
    unmap(values_);
    return gallery::equal(found, problem_.expected);
  }

  /// Host and device look up the same keys at the same time; each key is then counted twice.
  gallery::Check countTogether(const cl::Context& context, const cl_svm_mem_flags* flags) {
    const size_t count = problem_.treeKeys.size();
    const Shared<std::atomic<cl_int>> visits(context, count, flags);
    for (size_t i = 0; i < count; ++i)
      visits.data()[i].store(0);
    cl::Kernel kernel(program_, "count_visits");
    set(kernel, 0, root_);
    set(kernel, 1, keys_.data());
    set(kernel, 2, visits.data());
    kernel.setSVMPointers(std::vector<void*>{nodes_.data()});
    queue_.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(problem_.wanted.size()));
    queue_.flush();
    std::vector<cl_int> expected(count);
    for (const cl_int place : problem_.expected) {
      if (place < 0)
        continue;
      visits.data()[place].fetch_add(1, std::memory_order_relaxed);
      expected[place] += 2;
    }
    queue_.finish();
    return gallery::equal(std::vector<cl_int>(visits.data(), visits.data() + count), expected);
  }

private:
  static void set(const cl::Kernel& kernel, cl_uint index, const void* pointer) {
    if (const cl_int code = clSetKernelArgSVMPointer(kernel(), index, pointer); code != CL_SUCCESS)
      throw cl::Error(code, "clSetKernelArgSVMPointer");
  }
  template <typename T> void map(const Shared<T>& shared, cl_map_flags flags) {
    if (form_.mapped)
      queue_.enqueueMapSVM(shared.data(), CL_TRUE, flags, shared.bytes());
  }
  template <typename T> void unmap(const Shared<T>& shared) {
    if (form_.mapped)
      queue_.enqueueUnmapSVM(shared.data());
  }

  Form form_;
  cl::CommandQueue queue_;
  cl::Program program_;
  const Problem& problem_;
  Shared<Node> nodes_;
  Shared<cl_int> keys_, values_;
  Node* root_ = nullptr;
};

} // namespace

int main(int argc, char** argv) try {
  const gallery::CommandLine line(
      argc, argv, "A search tree with pointers, shared by host and device.",
      {{"size", "1Mi", "keys to look up", "64Ki"}, {"nodes", "64Ki", "nodes of the tree", "4Ki"}});
  const cl::Device device = gallery::chooseDevice(line);
  gallery::Report report(line, "shared_tree", device.getInfo<CL_DEVICE_NAME>());
  const bool version3 = device.getInfo<CL_DEVICE_VERSION>().rfind("OpenCL 3.", 0) == 0;
  const auto capabilities =
      version3 ? device.getInfo<CL_DEVICE_SVM_CAPABILITIES>() : cl_device_svm_capabilities{0};
  const cl::Context context(device);
  const cl::Program program =
      gallery::buildProgram(context, device, "shared_tree.cl", version3 ? "-cl-std=CL3.0" : "");
  const size_t lookUps = line.number("size");
  const Problem problem = makeProblem(line.number("nodes"), lookUps);

  constexpr cl_svm_mem_flags coarse = CL_MEM_READ_WRITE;
  constexpr cl_svm_mem_flags fine = CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER;
  constexpr cl_svm_mem_flags atomic = fine | CL_MEM_SVM_ATOMICS;
  for (const Form& form : {
           Form{"coarse-grain buffer", CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, &coarse, true},
           Form{"fine-grain buffer", CL_DEVICE_SVM_FINE_GRAIN_BUFFER, &fine, false},
           Form{"program's memory", CL_DEVICE_SVM_FINE_GRAIN_SYSTEM, nullptr, false},
           Form{"shared atomics", CL_DEVICE_SVM_ATOMICS, &atomic, false},
       }) {
    if ((capabilities & form.capability) == 0) {
      report.skip(form.name, "the device does not have it");
      continue;
    }
    Search search(context, device, program, form, problem);
    if (form.flags == &atomic) {
      report.add(form.name, std::to_string(lookUps), 0, "", search.countTogether(context, &atomic));
      continue;
    }
    const double seconds = gallery::medianSeconds(line.number("repeat"), [&] { search.lookUp(); });
    report.add(form.name, std::to_string(lookUps), seconds,
               gallery::rate(lookUps / seconds, "key/s"), search.check());
  }
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
