#pragma once

#include <atomic>
#include <cstdint>

#include <CL/cl.h>

#include "base/ref.h"

namespace quern::runtime {

class Context;
class Object;

enum class ObjectKind : uint32_t {
  Deleted = 0,
  Platform = 0x51524e01,
  Device,
  Context,
  CommandQueue,
  DeviceQueue,
  Memory,
  Sampler,
  Program,
  Kernel,
  Event,
  Semaphore,
  CommandBuffer,
  MutableCommand,
};

/// What a `cl_` handle points at. Standard layout: the loader reads `dispatch` and, with
/// cl_khr_icd 2.0, `loaderData`; the others let api/handle.h recognise a handle that is ours and
/// still usable.
struct ObjectHeader {
  const void* dispatch;
  void* loaderData;
  ObjectKind kind;
  /// processGeneration() when the object was made: objects do not survive fork() in the child.
  uint32_t process;
  Object* object;
};

/// The dispatch table that every handle points at; set once by icd/ before the first object is
/// made.
void setDispatchTable(const void* table);
const void* dispatchTable();

/// What a loader of cl_khr_icd 2.0 wants in every object made from now on; null for older loaders.
void setLoaderData(void* data);
void* loaderData();

namespace detail {
extern std::atomic<uint32_t> processGeneration;
}

/// Counts the fork()s between the first process that used the driver and this one
/// (runtime/process.h).
inline uint32_t processGeneration() {
  return detail::processGeneration.load(std::memory_order_relaxed);
}

/// Base of every OpenCL object. Two counts: the program's (clRetain, clRelease) and all references,
/// each of the program's included. The object lives until the second reaches zero, so commands,
/// children and callbacks keep what they use, and a handle that a query returns is valid even when
/// the program gave up its own references.
class Object : public RefCounted {
public:
  ObjectHeader* header() { return &header_; }
  const ObjectHeader* header() const { return &header_; }
  ObjectKind kind() const { return header_.kind; }

  /// What CL_xxx_REFERENCE_COUNT returns.
  cl_uint apiReferences() const { return apiReferences_.load(std::memory_order_relaxed); }

  /// Adds one to the program's references: clRetain, and a handle returned by a clCreate or
  /// clEnqueue function.
  void retainFromApi() {
    addRef();
    apiReferences_.fetch_add(1, std::memory_order_relaxed);
  }
  /// Drops one of the program's references; false, and nothing done, when it has none.
  bool releaseFromApi() {
    cl_uint count = apiReferences_.load(std::memory_order_relaxed);
    do {
      if (count == 0)
        return false;
    } while (!apiReferences_.compare_exchange_weak(count, count - 1, std::memory_order_acq_rel));
    dropRef();
    return true;
  }

  /// The context that hears about failed calls on this object; null for objects of no context.
  virtual const Context* owningContext() const { return nullptr; }

protected:
  explicit Object(ObjectKind kind)
      : header_{dispatchTable(), loaderData(), kind, processGeneration(), this} {}
  ~Object() override { header_.kind = ObjectKind::Deleted; }

private:
  ObjectHeader header_;
  std::atomic<cl_uint> apiReferences_{0};
};

} // namespace quern::runtime
