#include "runtime/batch.h"

#include <algorithm>

#include "runtime/callback_thread.h"
#include "runtime/command_queue.h"

namespace quern::runtime {

Batch::Batch(Ref<CommandQueue> queue) : queue_(std::move(queue)) {}

Batch::~Batch() = default;

Batch::Use* Batch::find(const void* key) {
  const auto end = uses_.begin() + static_cast<std::ptrdiff_t>(used_);
  const auto use = std::find_if(uses_.begin(), end, [key](const Use& u) { return u.key == key; });
  return use == end ? nullptr : &*use;
}

MemoryObject* Batch::keep(WeakAnchor<MemoryObject>& anchor) {
  if (Use* known = find(&anchor))
    return static_cast<MemoryObject*>(known->object.get());
  if (used_ == uses_.size())
    return nullptr;
  Ref<MemoryObject> object = anchor.lock();
  if (!object || !object->storage()->isInOnePlace())
    return nullptr;
  MemoryObject* kept = object.get();
  uses_[used_++] = {&anchor, std::move(object)};
  return kept;
}

void Batch::keep(RefCounted& object) {
  if (!find(&object))
    uses_[used_++] = {&object, Ref<RefCounted>(&object)};
}

void Batch::finished(cl_int, uint64_t) {
  const CallbackThread::DeferringScope scope;
  queue_->batchEnded(*this);
  for (Use& use : uses_)
    use.object.reset();
  // The reference that CommandQueue::begin took.
  dropRef();
}

} // namespace quern::runtime
