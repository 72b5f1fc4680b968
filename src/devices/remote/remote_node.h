#pragma once

#include <atomic>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/mutex_protected.h"
#include "base/result.h"
#include "cluster/outbox.h"
#include "cluster/records.h"
#include "devices/remote/clock.h"

namespace quern::remote {

class Job;
class RemoteExecutable;

/// Work that a node has been given.
class Part {
public:
  virtual ~Part() = default;
  /// It has ended; with CL_DEVICE_NOT_AVAILABLE where the node is gone. Deletes this.
  virtual void ended(cluster::Finished& finished) = 0;
};

/// A process that serves devices, as the driver sees it. Lives as long as the process. Thread-safe.
class RemoteNode {
public:
  RemoteNode(Job& job, cluster::Link& link, int rank)
      : job_(job), link_(link), rank_(rank), out_(link, rank) {}

  Job& job() { return job_; }
  cluster::Link& link() { return link_; }
  int rank() const { return rank_; }
  const ClockOffset& clock() const { return clock_; }
  bool isAlive() const { return isAlive_.load(std::memory_order_acquire); }
  /// Something that it was given has not ended.
  bool isBusy() const { return busy_.load() != 0; }

  /// A number for an object.
  uint64_t newNumber() { return newNumbers(1); }
  /// The first of so many.
  uint64_t newNumbers(uint64_t count) {
    return lastNumber_.fetch_add(count, std::memory_order_relaxed) + 1;
  }
  /// Sends `record`, waits for the reply and returns the answer in it, or the node's error.
  /// CL_DEVICE_NOT_AVAILABLE when the node is gone.
  template <typename Answer, typename Record> Result<Answer> call(Record record);
  /// Sends a record that has no reply, sooner or later. Returns how many bytes wait.
  template <typename Record> size_t tell(const Record& record) { return out_.add(record); }
  void flush() { out_.flush(); }

  /// Takes over `part` and returns its number. Before its Submit is told.
  uint64_t add(Part* part);

  /// Data are to come, beside the end of a part; or have come.
  void beginData() { busy_.fetch_add(1); }
  void endData() { busy_.fetch_sub(1); }

  void add(uint64_t number, RemoteExecutable& executable);
  void remove(uint64_t number);

  /// Everything the node says. False where it makes no sense.
  bool handle(std::span<const std::byte> message);
  /// Asks for a sign of life, and notes when there is none.
  void askForLife();
  /// The node is gone.
  void fail();
  /// Ends what came after that.
  void endDoomed();

private:
  struct Call {
    Status status;
    Bytes answer;
    std::atomic<bool> isDone{false};
  };
  struct Parts {
    std::unordered_map<uint64_t, Part*> underWay;
    std::vector<Part*> doomed; ///< of a node that is gone
  };

  Status await(Call& call);
  Status lost() const;
  void endAll(const std::vector<Part*>& parts);

  bool on(cluster::Reply& reply);
  bool on(cluster::Finished& finished);
  bool on(cluster::Hot& hot);
  bool on(cluster::Print& print);
  bool on(cluster::Pong& pong);
  template <typename Record> bool on(Record&) { return false; }

  Job& job_;
  cluster::Link& link_;
  const int rank_;
  cluster::Outbox out_;
  ClockOffset clock_;
  std::atomic<bool> isAlive_{true};
  std::atomic<bool> isHeard_{true}; ///< since it was asked for life
  std::atomic<size_t> busy_{0};
  unsigned silence_ = 0; ///< how often it was asked in vain
  std::atomic<uint64_t> lastNumber_{uint64_t{1} << 32};
  MutexProtected<std::map<uint64_t, Call*>> calls_;
  MutexProtected<Parts> parts_;
  MutexProtected<std::map<uint64_t, RemoteExecutable*>> executables_;
};

template <typename Answer, typename Record> Result<Answer> RemoteNode::call(Record record) {
  Call call;
  record.call = newNumber();
  calls_.lock()->emplace(record.call, &call);
  out_.send(record);
  Status status = await(call);
  calls_.lock()->erase(record.call);
  if (!status.ok())
    return status;
  FieldReader in(call.answer);
  Answer answer{};
  in(answer);
  if (!in.isComplete())
    return Status::error(CL_OUT_OF_RESOURCES, "a node of the cluster gives an answer of no sense");
  return answer;
}

} // namespace quern::remote
