#pragma once

#include <cstdint>
#include <vector>

#include "base/mutex_protected.h"
#include "device/command.h"
#include "devices/cpu/schedule.h"
#include "devices/cpu/work_sequence.h"

namespace quern::cpu {

/// The threads of all CPU devices of the process, one for each compute unit. A thread is started
/// when there is work that no thread takes, and blocks when there is none: no polling beyond a spin
/// of a fraction of a millisecond, and of two where work keeps coming, no sleeping. Never
/// destroyed, so that the end of the process has nothing to wait for: threads that are still busy
/// end with it.
///
/// After a fork the child has the same pool without its threads and starts its own; commands that
/// were running on the parent's threads end there with CL_OUT_OF_RESOURCES.
class Pool {
public:
  /// Threads have a stack of this size, for private variables of kernels and for native kernels.
  static constexpr uint64_t stackBytes = 8 << 20;

  explicit Pool(uint32_t units);
  Pool(const Pool&) = delete;

  /// The units `units` as a team with one handle. It lives until it has no handle and nothing to
  /// do.
  Team& makeTeam(std::vector<uint32_t> units, bool helpersAllowed);
  void addHandle(Team& team);
  void dropHandle(Team& team);

  /// Binds the thread of `unit` to `cpus`, now or when it starts.
  void bind(uint32_t unit, std::vector<uint32_t> cpus);

  // The same as the functions of device::Queue and device::Device.
  void submit(Team& team, device::Command& command);
  void flush(Team& team);
  bool help(Team& team);
  /// Null where device::Queue::append is false.
  WorkSequence* append(device::Command& command, const device::Work& work);

  /// Commands that were submitted have got that much more to do that they are worth a thread.
  void grew(Team& team);

private:
  friend struct ForkHandlers;

  bool watch(Team& team);
  void wakeFor(Team& team);
  void callFor(Job& job);
  void call(Units units, Job* job);
  Job* answer(Worker& worker);
  void start(Worker& worker);
  /// Does `worker`'s work on the calling thread, because the system gives no thread for it.
  void standIn(Worker& worker);
  bool isWorkWaitingFor(const Worker& worker);
  /// The life of a worker's thread.
  void work(Worker& worker);
  void runAll(Worker& worker, Assignment assignment, Running& running);
  Assignment next(Worker& worker, const Assignment& last, Running& running);
  void leaveJob(Team& team);
  static Assignment take(Schedule& schedule, Worker& worker, Running& running);
  void rest(Worker& worker);
  static void spin(Worker& worker);

  void run(const Assignment& assignment, Running& running);
  void runInARow(Team& team, device::Command& first, Running& running);
  static cl_int runAlone(device::Command& command, uint64_t& time);
  static cl_int runAppended(device::Command& command, cl_int status, uint64_t started,
                            uint64_t& time);
  void finish(device::Command& command, cl_int status, uint64_t time);
  WorkSequence* begin(device::Command& command, const device::Work& work);
  void runJob(const Assignment& assignment);
  void runPieces(Job& job, bool isOpener);
  bool letOthersIn(Job& job);
  void callMore(Job& job);
  void endJob(Job& job);
  void endOrphans();

  MutexProtected<Schedule> schedule_;
  Schedule& shared_; ///< the same, for what is done without the lock
  std::atomic<bool> hasOrphans_{false};
  /// One that is not in use, or null.
  std::atomic<WorkSequence*> spareSequence_{nullptr};
};

} // namespace quern::cpu
