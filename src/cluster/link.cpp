#include "cluster/link.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/parse_number.h"
#include "base/sentence.h"

namespace quern::cluster {

namespace {

constexpr int messageTag = 0;
constexpr int firstDataTag = 1;
/// Messages go in parts of so many bytes, whose first byte says whether more follow.
constexpr size_t partBytes = 64 << 10;
constexpr std::byte lastPart{0}, moreFollow{1};
/// MPI counts bytes in an int. Parts of a transfer are under way together.
constexpr uint64_t dataPartBytes = 64 << 20;

/// Different for each thread, and never 0.
uint64_t threadNumber() {
  static std::atomic<uint64_t> last{0};
  thread_local const uint64_t number = ++last;
  return number;
}

struct Joined {
  mpi::Session session;
  mpi::Comm comm;
};

/// False where this process is alone.
bool joinAll(const mpi::Api& api, Joined& joined) {
  mpi::Info info = mpi::infoNull;
  api.infoCreate(&info);
  api.infoSet(info, "thread_level", "MPI_THREAD_MULTIPLE");
  const int error = api.sessionInit(info, mpi::errorsReturn, &joined.session);
  api.infoFree(&info);
  if (error != mpi::success)
    return false;
  mpi::Group all = 0;
  int size = 1;
  if (api.groupFromSession(joined.session, "mpi://WORLD", &all) != mpi::success)
    return false;
  api.groupSize(all, &size);
  const bool joins =
      size > 1 && api.commCreateFromGroup(all, "quern", mpi::infoNull, mpi::errorsReturn,
                                          &joined.comm) == mpi::success;
  api.groupFree(&all);
  if (!joins)
    api.sessionFinalize(&joined.session);
  return joins;
}

/// The file descriptor that the variable of the environment holds; -1 where it holds none.
int descriptorIn(const char* variable) {
  const char* const value = std::getenv(variable);
  if (!value)
    return -1;
  int number = -1;
  return parseNumber(value, number) ? number : -1;
}

void tellJoined() {
  const int descriptor = descriptorIn(joinedVariable);
  constexpr char mark = 1;
  if (descriptor >= 0 && write(descriptor, &mark, 1) != 1)
    log::debug("nobody waits for the program to join");
}

/// The launcher's connection to this process, where it is a descriptor that is open; or -1.
int launcherDescriptor() {
  struct stat kind;
  const int number = descriptorIn("PMI_FD");
  return number >= 0 && fstat(number, &kind) == 0 && S_ISSOCK(kind.st_mode) ? number : -1;
}

} // namespace

bool Link::isLaunched() {
  if (std::getenv("PMI_FD"))
    return launcherDescriptor() >= 0;
  constexpr const char* variables[] = {"PMI_RANK", "PMIX_RANK"};
  return std::ranges::any_of(variables, [](const char* name) { return std::getenv(name); });
}

Link* Link::join() {
  if (!isLaunched())
    return nullptr;
  const mpi::Api* const api = mpi::Api::load();
  Joined joined;
  if (!api || !joinAll(*api, joined))
    return nullptr;
  tellJoined();
  // Programs that this one starts inherit what the launcher has set, but are no part of the job.
  if (const int descriptor = launcherDescriptor(); descriptor >= 0)
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return new Link(*api, joined.session, joined.comm);
}

Link::Link(const mpi::Api& api, mpi::Session session, mpi::Comm comm)
    : api_(api), session_(session), comm_(comm) {
  api_.commRank(comm_, &rank_);
  api_.commSize(comm_, &size_);
  int* limit = nullptr;
  int found = 0;
  api_.commGetAttr(comm_, mpi::tagUpperBound, &limit, &found);
  if (found)
    tagLimit_ = *limit;
  auto state = state_.lock();
  state->partial.resize(static_cast<size_t>(size_));
  state->isGone.resize(static_cast<size_t>(size_));
  state->incoming.resize(partBytes);
  state->requests.push_back(mpi::requestNull);
  state->operations.emplace_back();
  postIncoming(*state);
}

void Link::postIncoming(State& state) {
  api_.irecv(state.incoming.data(), static_cast<int>(state.incoming.size()), mpi::byte,
             mpi::anySource, messageTag, comm_, &state.requests.front());
}

int Link::newTag() {
  const auto count = static_cast<unsigned>(tagLimit_ - firstDataTag);
  return firstDataTag + static_cast<int>(static_cast<unsigned>(nextTag_.fetch_add(1)) % count);
}

void Link::post(State& state, Operation operation, mpi::Request request) {
  state.requests.push_back(request);
  state.operations.push_back(std::move(operation));
}

void Link::send(int to, std::span<const std::byte> message) {
  auto state = state_.lock();
  if (state->isGone[static_cast<size_t>(to)])
    return;
  do {
    const auto part = message.first(std::min(message.size(), partBytes - 1));
    message = message.subspan(part.size());
    Operation operation = {.peer = to};
    operation.message.reserve(part.size() + 1);
    operation.message.push_back(message.empty() ? lastPart : moreFollow);
    operation.message.insert(operation.message.end(), part.begin(), part.end());
    mpi::Request request = mpi::requestNull;
    api_.isend(operation.message.data(), static_cast<int>(operation.message.size()), mpi::byte, to,
               messageTag, comm_, &request);
    post(*state, std::move(operation), request);
  } while (!message.empty());
}

template <typename Begin> void Link::transfer(Operation operation, uint64_t bytes, Begin begin) {
  const uint64_t parts = (bytes + dataPartBytes - 1) / dataPartBytes;
  if (parts > 1)
    operation.done = [done = std::move(operation.done),
                      left = std::make_shared<std::pair<uint64_t, bool>>(parts, true)](bool ok) {
      left->second &= ok;
      if (--left->first == 0)
        done(left->second);
    };
  auto state = state_.lock();
  uint64_t offset = 0;
  do {
    mpi::Request request = mpi::requestNull;
    operation.bytes = static_cast<int>(std::min(bytes - offset, dataPartBytes));
    if (!state->isGone[static_cast<size_t>(operation.peer)])
      begin(offset, operation.bytes, &request);
    post(*state, operation, request);
    offset += dataPartBytes;
  } while (offset < bytes);
}

void Link::sendData(int to, int tag, const std::byte* data, uint64_t bytes, Done done) {
  transfer({.peer = to, .done = std::move(done)}, bytes,
           [&](uint64_t offset, int count, mpi::Request* request) {
             api_.isend(data + offset, count, mpi::byte, to, tag, comm_, request);
           });
}

void Link::receiveData(int from, int tag, std::byte* data, uint64_t bytes, Done done) {
  transfer({.peer = from, .isReceive = true, .done = std::move(done)}, bytes,
           [&](uint64_t offset, int count, mpi::Request* request) {
             api_.irecv(data + offset, count, mpi::byte, from, tag, comm_, request);
           });
}

void Link::takeMessage(State& state, const mpi::Status& status) {
  int count = 0;
  api_.getCount(&status, mpi::byte, &count);
  const auto from = static_cast<size_t>(status.source);
  if (status.error != mpi::success || count < 1 || from >= state.partial.size() ||
      state.isGone[from])
    return;
  Bytes& message = state.partial[from];
  const std::byte* const part = state.incoming.data();
  message.insert(message.end(), part + 1, part + count);
  if (*part == lastPart)
    arrivals_.push_back({.from = status.source, .message = std::exchange(message, {})});
}

/// Notes what has ended.
void Link::collect(State& state) {
  if (state.hasLeft)
    return;
  const auto count = static_cast<int>(state.requests.size());
  state.indices.resize(state.requests.size());
  state.statuses.resize(state.requests.size());
  int completed = 0;
  const int error = api_.testsome(count, state.requests.data(), &completed, state.indices.data(),
                                  state.statuses.data());
  if (completed == mpi::undefined)
    completed = 0;
  // MPI looks at the codes of single operations only where some have failed.
  for (int i = 0; i < completed; ++i) {
    mpi::Status& status = state.statuses[static_cast<size_t>(i)];
    if (error != mpi::errorInStatus)
      status.error = mpi::success;
    const auto index = static_cast<size_t>(state.indices[static_cast<size_t>(i)]);
    if (index == 0) {
      takeMessage(state, status);
      postIncoming(state);
    } else if (Operation& operation = state.operations[index]; operation.isReceive) {
      int count = 0;
      api_.getCount(&status, mpi::byte, &count);
      operation.isShort = status.error != mpi::success || count != operation.bytes;
    }
  }
  // What has ended has no request any more, nor has what could not begin.
  size_t kept = 1;
  for (size_t i = 1; i < state.requests.size(); ++i) {
    Operation& operation = state.operations[i];
    const bool isGone = state.isGone[static_cast<size_t>(operation.peer)];
    if (state.requests[i] == mpi::requestNull) {
      if (operation.done)
        arrivals_.push_back(
            {.done = std::move(operation.done), .ok = !isGone && !operation.isShort});
      continue;
    }
    state.requests[kept] = state.requests[i];
    if (kept != i)
      state.operations[kept] = std::move(operation);
    ++kept;
  }
  state.requests.resize(kept);
  state.operations.resize(kept);
}

bool Link::look() {
  const uint64_t self = threadNumber();
  const bool isNested = looker_.load(std::memory_order_relaxed) == self;
  uint64_t nobody = 0;
  if (!isNested && !looker_.compare_exchange_strong(nobody, self, std::memory_order_acquire))
    return false;
  if (arrivals_.empty())
    collect(*state_.lock());
  const bool any = !arrivals_.empty();
  while (!arrivals_.empty()) {
    const Arrival arrival = std::move(arrivals_.front());
    arrivals_.pop_front();
    if (arrival.done)
      arrival.done(arrival.ok);
    else
      handler_(arrival.from, arrival.message);
  }
  if (!isNested)
    looker_.store(0, std::memory_order_release);
  return any;
}

/// Requests of messages and data to a process that is gone never end: they are left to MPI, and
/// with them the bytes of messages.
void Link::giveUp(int peer) {
  auto state = state_.lock();
  state->isGone[static_cast<size_t>(peer)] = true;
  for (size_t i = 1; i < state->requests.size(); ++i) {
    Operation& operation = state->operations[i];
    if (operation.peer != peer || state->requests[i] == mpi::requestNull)
      continue;
    if (operation.isReceive)
      api_.cancel(&state->requests[i]);
    else
      state->abandoned.push_back(std::move(operation.message));
    api_.requestFree(&state->requests[i]);
    state->requests[i] = mpi::requestNull;
  }
}

void Link::leave() {
  {
    auto state = state_.lock();
    while (state->requests.size() > 1)
      collect(*state);
    api_.cancel(&state->requests.front());
    api_.requestFree(&state->requests.front());
    state->isGone.assign(state->isGone.size(), true);
    state->hasLeft = true;
  }
  api_.commDisconnect(&comm_);
  api_.sessionFinalize(&session_);
}

} // namespace quern::cluster
