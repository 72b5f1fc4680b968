#include "trace/trace.h"

#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <pthread.h>
#include <unistd.h>

#include "base/config.h"
#include "base/log.h"
#include "base/sentence.h"
#include "base/signals_blocked.h"
#include "trace/names.h"
#include "trace/recorder.h"

namespace quern::trace {

namespace detail {
std::atomic<bool> isRecording{false};
}

namespace {

std::atomic<Recorder*> recorder{nullptr};
std::atomic<uint64_t> commands{0};

/// The file that the option names, with the number of the process for each %p.
std::string chosenPath() {
  std::string path = config().get(Option::Trace);
  for (size_t at; (at = path.find("%p")) != path.npos;)
    path.replace(at, 2, sentence(getpid()));
  return path;
}

/// Other threads of the parent may have held any of its locks.
void forget() {
  detail::isRecording.store(false, std::memory_order_relaxed);
  recorder.store(nullptr, std::memory_order_relaxed);
}

void stop() {
  if (detail::isRecording.exchange(false))
    log::error("the timeline ends here: its file cannot be written");
}

bool startWriter(Recorder& own) {
  try {
    const SignalsBlocked blocked;
    std::thread([&own] {
      pthread_setname_np(pthread_self(), "quern-trace");
      own.writeForever();
      stop();
    }).detach();
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

/// What a thread records into. Of a type that is never destroyed, because objects may still record
/// whose destructors run later in the thread's end.
struct OwnRecords {
  Recorder* recorder = nullptr;
  ThreadRecords* records = nullptr;
  bool isGone = false;
};
constinit thread_local OwnRecords ownRecords;

/// Keeps them as long as the thread.
struct RecordsKeeper {
  std::shared_ptr<ThreadRecords> records;
  ~RecordsKeeper() {
    ownRecords = {.isGone = true};
    if (records)
      records->end();
  }
};

/// Null at the end of the thread.
ThreadRecords* beginThread(Recorder& own) {
  if (ownRecords.isGone)
    return nullptr;
  thread_local RecordsKeeper keeper;
  keeper.records = own.addThread();
  ownRecords = {.recorder = &own, .records = keeper.records.get()};
  return ownRecords.records;
}

template <typename Record> void add(const Record& record) {
  Recorder* const own = recorder.load(std::memory_order_acquire);
  if (!own || !isOn())
    return;
  ThreadRecords* const records =
      ownRecords.recorder == own ? ownRecords.records : beginThread(*own);
  while (records && !records->add(record) && isOn())
    if (!own->writeAll())
      stop();
}

} // namespace

void begin() {
  static const pid_t firstProcess = getpid();
  const std::string& option = config().get(Option::Trace);
  if (option.empty() || recorder.load() ||
      (getpid() != firstProcess && option.find("%p") == option.npos))
    return;
  Result<TraceFile> file = TraceFile::create(chosenPath());
  if (!file.ok())
    return log::error(file.status().sentence());
  auto* const own = new Recorder(*std::move(file));
  recorder.store(own);
  detail::isRecording.store(true);
  [[maybe_unused]] static const bool registered = [] {
    pthread_atfork(nullptr, nullptr, forget);
    std::atexit(flush);
    return true;
  }();
  if (!startWriter(*own))
    log::warning("the timeline is written late: its thread could not be started");
}

void flush() {
  Recorder* const own = recorder.load();
  if (own && isOn() && !own->writeAll())
    stop();
}

uint64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

Name nameOf(std::string_view text) {
  return recorder.load() ? Names::get().add(text) : 0;
}

Track addTrack(std::string_view group, std::string_view name) {
  return recorder.load() ? Names::get().addRow(group, name) : 0;
}

uint64_t nextCommand() {
  return commands.fetch_add(1, std::memory_order_relaxed) + 1;
}

void record(const Slice& slice) {
  add(slice);
}
void record(const Queued& queued) {
  add(queued);
}
void record(const QueuedLaunch& launch) {
  add(launch);
}
void record(const Dependency& dependency) {
  add(dependency);
}
void record(const Ended& ended) {
  add(ended);
}

Scope::Scope(const char* category, std::string_view name, std::string_view detail) : isOn_(isOn()) {
  if (!isOn_)
    return;
  slice_.category = category;
  setName(name);
  setDetail(detail);
  slice_.started = now();
}

Scope::~Scope() {
  if (!isOn_)
    return;
  slice_.ended = now();
  record(slice_);
}

void Scope::setName(std::string_view name) {
  if (isOn_)
    slice_.name = nameOf(name);
}

void Scope::setDetail(std::string_view detail) {
  if (isOn_ && !detail.empty())
    slice_.detail = nameOf(detail);
}

void Scope::setArgument(const char* key, uint64_t value) {
  if (isOn_)
    slice_.argument = {key, value};
}

} // namespace quern::trace
