#pragma once

#include <vector>

#include "base/ref.h"
#include "base/result.h"
#include "device/graphics.h"
#include "opengl/object.h"
#include "opengl/share_group.h"

namespace quern::runtime {

class Device;
class MemoryObject;

/// The object of a graphics library that a memory object was made from. The memory object has
/// memory of its own: the contents are copied there when it is acquired and back when it is
/// released, because a graphics library may move the memory of its objects at any time, and kernels
/// that are enqueued already have an address. A GPU that draws the object itself copies within its
/// memory; otherwise the contents go through the host.
class GraphicsObject final : public RefCounted {
public:
  /// Whose functions create, acquire and release it.
  enum class Library : uint8_t { OpenGL, Egl };

  GraphicsObject(Library library, Ref<opengl::ShareGroup> group, Ref<opengl::Object> object)
      : library_(library), group_(std::move(group)), object_(std::move(object)) {}

  Library library() const { return library_; }
  opengl::ShareGroup& group() const { return *group_; }
  const opengl::Object::Name& name() const { return object_->name(); }

  ~GraphicsObject() override;

  /// On the thread of a share group: copies the contents to the memory that `device` uses for
  /// `memory`, or from there.
  Status acquire(const Device& device, MemoryObject& memory) const;
  Status release(const Device& device, MemoryObject& memory) const;

private:
  /// What a device copies the object by without the host.
  struct OnDevice {
    const Device* device;
    Ref<device::GraphicsObject> object; ///< null where it cannot
  };

  /// On the thread of the share group.
  device::GraphicsObject* onDevice(const Device& device, const MemoryObject& memory) const;

  const Library library_;
  const Ref<opengl::ShareGroup> group_;
  const Ref<opengl::Object> object_;
  /// Used on the thread of the share group alone.
  mutable std::vector<OnDevice> onDevices_;
};

} // namespace quern::runtime
