#pragma once

#include <atomic>
#include <cstdint>

#include <CL/cl.h>

#include "base/ref.h"
#include "base/result.h"

namespace quern::runtime {

class Object;

enum class ObjectKind : uint32_t {
  Platform = 0x51524e01,
  Device,
  Context,
  CommandQueue,
  Memory,
  Sampler,
  Program,
  Kernel,
  Event,
};

/// What a `cl_` handle points at. Standard layout: the loader reads `dispatch` and, with cl_khr_icd 2.0, writes
/// `loaderData`; the other two let api/handle.h recognise a handle that is ours.
struct ObjectHeader {
  const void* dispatch;
  void* loaderData = nullptr;
  ObjectKind kind;
  Object* object;
};

/// The dispatch table that every handle points at; set once by icd/ before the first object is made.
void setDispatchTable(const void* table);
const void* dispatchTable();

/// Base of every OpenCL object. Two counts: the program's (clRetain, clRelease) and all references, the program's included as
/// one. The object lives until the second reaches zero, so commands, children and callbacks keep what they use.
class Object : public RefCounted {
public:
  ObjectHeader* header() { return &header_; }
  ObjectKind kind() const { return header_.kind; }

  cl_uint apiReferences() const { return apiReferences_.load(std::memory_order_relaxed); }

  /// Gives the program its first reference: called once, when a handle is returned to it.
  void exposeToApi() {
    addRef();
    apiReferences_.store(1, std::memory_order_relaxed);
  }
  void retainFromApi() { apiReferences_.fetch_add(1, std::memory_order_relaxed); }
  /// Drops one of the program's references; after the last one the handle is no longer valid.
  void releaseFromApi() {
    if (apiReferences_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      onHandleDeleted();
      dropRef();
    }
  }

protected:
  explicit Object(ObjectKind kind) : header_{dispatchTable(), nullptr, kind, this} {}
  ~Object() override { header_.kind = static_cast<ObjectKind>(0); }

  /// The program gave up its last reference; others may remain.
  virtual void onHandleDeleted() {}

private:
  ObjectHeader header_;
  std::atomic<cl_uint> apiReferences_{0};
};

} // namespace quern::runtime
