#include "base/weak_anchor.h"

#include <thread>

#include <gtest/gtest.h>

namespace quern {
namespace {

class Anchored final : public RefCounted {
public:
  ~Anchored() override { anchor->detach(); }
  const Ref<WeakAnchor<Anchored>> anchor = makeRef<WeakAnchor<Anchored>>(*this);
};

TEST(WeakAnchor, FindsALivingObjectAndNotADeadOne) {
  auto object = makeRef<Anchored>();
  const auto anchor = object->anchor;
  EXPECT_EQ(anchor->lock().get(), object.get());
  object.reset();
  EXPECT_FALSE(anchor->lock());
}

TEST(WeakAnchor, FoundObjectStaysAlive) {
  auto object = makeRef<Anchored>();
  const auto anchor = object->anchor;
  auto found = anchor->lock();
  object.reset();
  EXPECT_TRUE(anchor->lock());
  found.reset();
  EXPECT_FALSE(anchor->lock());
}

TEST(WeakAnchor, LockingWhileAnotherThreadDrops) {
  for (int round = 0; round < 100; ++round) {
    auto object = makeRef<Anchored>();
    const auto anchor = object->anchor;
    std::thread dropper([object = std::move(object)]() mutable { object.reset(); });
    while (anchor->lock())
      std::this_thread::yield();
    dropper.join();
  }
}

} // namespace
} // namespace quern
