#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/mutex_protected.h"
#include "cluster/mpi.h"

namespace quern::cluster {

/// The environment variable that names, by its descriptor, an open pipe: the program writes a byte
/// there when it has joined the job.
inline constexpr const char* joinedVariable = "QUERN_JOINED_DESCRIPTOR";

/// The processes that one launcher has started, and what they send each other: messages, which
/// arrive in order, and the data of transfers. Lives as long as the process. Thread-safe; what
/// arrives is handled by the thread that looks for it, one at a time.
class Link {
public:
  /// Of an operation on data, by the thread that looks; false when the other process is gone.
  using Done = std::function<void(bool)>;
  using Handler = std::function<void(int from, std::span<const std::byte> message)>;

  /// Whether a launcher has started this process, as far as can be seen without asking MPI.
  static bool isLaunched();
  /// Blocks until all processes of the job have called it. Null where there is no MPI, no launcher
  /// or no other process.
  static Link* join();

  int rank() const { return rank_; }
  int size() const { return size_; }
  void setHandler(Handler handler) { handler_ = std::move(handler); }

  /// Sends a message of any size.
  void send(int to, std::span<const std::byte> message);
  /// `data` is read until `done`. The receiver asks for the same `tag`, which no other transfer
  /// between the two has at the time.
  void sendData(int to, int tag, const std::byte* data, uint64_t bytes, Done done);
  void receiveData(int from, int tag, std::byte* data, uint64_t bytes, Done done);
  /// A tag that has not been given for long.
  int newTag();

  /// Handles what has arrived. False when there was nothing, or another thread is about it. May be
  /// called while something is handled: what comes next is handled then.
  bool look();

  /// Gives `peer` up: operations with it end, and what it sends is dropped.
  void giveUp(int peer);
  /// Leaves the job together with all other processes. What threads still send is dropped.
  void leave();

private:
  struct Operation {
    int peer = 0;
    bool isReceive = false;
    bool isShort = false; ///< less has come than was expected
    int bytes = 0;        ///< of a receive
    Bytes message;        ///< what is sent, where it is a message
    Done done;            ///< of the last part of a transfer
  };
  /// Requests and what they are for, in the same order; the first is for the next message.
  struct State {
    std::vector<mpi::Request> requests;
    std::vector<Operation> operations;
    std::vector<int> indices;
    std::vector<mpi::Status> statuses;
    Bytes incoming;
    std::vector<Bytes> partial; ///< for each peer, of a message in several parts
    std::vector<bool> isGone;
    bool hasLeft = false;
    std::vector<Bytes> abandoned; ///< messages to processes that are gone: MPI may read them still
  };
  struct Arrival {
    int from = 0;
    Bytes message;
    Done done;
    bool ok = true;
  };

  Link(const mpi::Api& api, mpi::Session session, mpi::Comm comm);
  void collect(State& state);
  void takeMessage(State& state, const mpi::Status& status);
  void post(State& state, Operation operation, mpi::Request request);
  void postIncoming(State& state);
  template <typename Begin> void transfer(Operation operation, uint64_t bytes, Begin begin);

  const mpi::Api& api_;
  mpi::Session session_;
  mpi::Comm comm_;
  int rank_ = 0, size_ = 1, tagLimit_ = 32767;
  Handler handler_;
  std::atomic<int> nextTag_{0};
  std::atomic<uint64_t> looker_{0};
  std::deque<Arrival> arrivals_; ///< of the thread that looks
  MutexProtected<State> state_;
};

} // namespace quern::cluster
