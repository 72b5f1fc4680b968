#include "device/staged_copy.h"

#include <algorithm>
#include <memory>
#include <new>

#include "base/mutex_protected.h"

namespace quern::device {

namespace {

/// What is on the host at a time of each of the two parts that are under way.
constexpr uint64_t partBytes = 8 << 20;

/// One part is read while another is written.
constexpr uint64_t partsUnderWay = 2;

class StagedCopy final : public RefCounted {
public:
  StagedCopy(const Copy& copy, Ref<Queue> reading, Ref<Queue> writing,
             std::function<void(cl_int)> done)
      : copy_(copy), reading_(std::move(reading)), writing_(std::move(writing)),
        done_(std::move(done)) {}

  void start() {
    const uint64_t parts = (copy_.bytes + partBytes - 1) / partBytes;
    const uint64_t count = std::clamp<uint64_t>(parts, 1, partsUnderWay);
    state_.lock()->running = count;
    for (uint64_t i = 0; i < count; ++i) {
      Buffer buffer(new (std::nothrow) std::byte[std::min(copy_.bytes, partBytes)]);
      if (buffer)
        readNext(std::move(buffer));
      else
        end(CL_OUT_OF_HOST_MEMORY);
    }
  }

private:
  using Buffer = std::unique_ptr<std::byte[]>;

  /// One half of the way of a part, which deletes itself at its end.
  class Step final : public Command {
  public:
    enum class Direction : bool { ToHost, FromHost };
    Step(Ref<StagedCopy> whole, Direction direction, Buffer buffer, uint64_t offset, uint64_t bytes)
        : whole_(std::move(whole)), direction_(direction), buffer_(std::move(buffer)),
          offset_(offset) {
      Copy copy = whole_->copy_;
      copy.bytes = bytes;
      Place& onHost = direction == Direction::ToHost ? copy.destination : copy.source;
      Place& onDevice = direction == Direction::ToHost ? copy.source : copy.destination;
      onHost = {.host = buffer_.get()};
      onDevice.offset += offset;
      work_ = copy;
      work = &work_;
    }
    void started(uint64_t) override {}
    void finished(cl_int status, uint64_t) override {
      const std::unique_ptr<Step> self(this);
      if (status != CL_COMPLETE)
        return whole_->end(status);
      if (direction_ == Direction::FromHost)
        return whole_->readNext(std::move(buffer_));
      const uint64_t bytes = std::get<Copy>(work_).bytes;
      whole_->submit(*whole_->writing_,
                     new Step(whole_, Direction::FromHost, std::move(buffer_), offset_, bytes));
    }

  private:
    const Ref<StagedCopy> whole_;
    const Direction direction_;
    Buffer buffer_;
    const uint64_t offset_;
    Work work_;
  };

  struct State {
    uint64_t taken = 0; ///< bytes that are copied or under way
    uint64_t running = 0;
    cl_int status = CL_COMPLETE;
  };

  static void submit(Queue& queue, Step* step) {
    queue.submit(*step);
    queue.flush(); // The other device does not know that this one has something to do.
  }

  void readNext(Buffer buffer) {
    uint64_t offset = 0, bytes = 0;
    {
      auto state = state_.lock();
      if (state->status == CL_COMPLETE) {
        offset = state->taken;
        bytes = std::min(partBytes, copy_.bytes - offset);
        state->taken += bytes;
      }
    }
    if (bytes == 0)
      return end(CL_COMPLETE);
    submit(*reading_, new Step(Ref<StagedCopy>(this), Step::Direction::ToHost, std::move(buffer),
                               offset, bytes));
  }

  /// One of the parts under way has no successor.
  void end(cl_int status) {
    cl_int result = CL_COMPLETE;
    {
      auto state = state_.lock();
      if (state->status == CL_COMPLETE)
        state->status = status;
      if (--state->running > 0)
        return;
      result = state->status;
    }
    done_(result);
  }

  const Copy copy_;
  const Ref<Queue> reading_, writing_;
  const std::function<void(cl_int)> done_;
  MutexProtected<State> state_;
};

} // namespace

void copyByWayOfHost(const Copy& copy, Ref<Queue> reading, Ref<Queue> writing,
                     std::function<void(cl_int)> done) {
  makeRef<StagedCopy>(copy, std::move(reading), std::move(writing), std::move(done))->start();
}

} // namespace quern::device
