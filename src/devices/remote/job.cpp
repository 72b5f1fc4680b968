#include "devices/remote/job.h"

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

#include "base/config.h"
#include "base/log.h"
#include "base/sentence.h"
#include "base/signals_blocked.h"
#include "cluster/patience.h"

namespace quern::remote {

namespace {

constexpr int program = 0;
/// In so many parts of QUERN_NODE_TIMEOUT a node is asked for a sign of life.
constexpr uint64_t questions = 8;
constexpr uint64_t nanoseconds = 1'000'000'000;
/// Messages there and back from which clocks are compared first.
constexpr int firstPings = 16;
constexpr cluster::Patience::Microseconds longestPauseOfJob{200};
/// So long, in nanoseconds, the process waits at its end for commands that it has not waited for.
constexpr uint64_t lastWait = nanoseconds / 4;
/// A thread that waits looks so often before it blocks.
constexpr unsigned helpingLooks = 20'000;
constexpr unsigned eagerLooks = 200;

/// Where shared virtual memory may be, the best first: far from what a process has on Linux on
/// x86-64, and small enough to be at hand also in a process under ThreadSanitizer, whose memory is
/// at certain addresses.
constexpr ByteRange possibleAddresses[] = {{0x2000'0000'0000, 0x2400'0000'0000},
                                           {0x7e90'0000'0000, 0x7ed0'0000'0000}};

Job* theJob = nullptr;

bool keeps(const cluster::Greeting& greeting, const device::AddressRange& range) {
  return std::ranges::any_of(greeting.addresses, [&](const cluster::Addresses& kept) {
    return ByteRange{kept.begin, kept.end} == range.addresses();
  });
}

} // namespace

Job* Job::get() {
  static Job* const job = []() -> Job* {
    cluster::Link* const link = cluster::Link::join();
    if (!link || link->rank() != program)
      return nullptr;
    theJob = new Job(*link);
    theJob->greet();
    std::atexit([] { theJob->leave(); });
    return theJob;
  }();
  return job && job->process_ == getpid() ? job : nullptr;
}

Job::Job(cluster::Link& link)
    : link_(link), process_(getpid()),
      lifeInterval_(std::max<uint64_t>(config().number(Option::NodeTimeout), 1) * nanoseconds /
                    questions),
      lastAsked_(now()) {
  for (int rank = 1; rank < link.size(); ++rank)
    nodes_.push_back(std::make_unique<RemoteNode>(*this, link, rank));
  link.setHandler([this](int from, std::span<const std::byte> message) { handle(from, message); });
}

void Job::reserveAddresses() {
  for (const ByteRange& addresses : possibleAddresses)
    if (auto range = device::AddressRange::reserve(addresses))
      reserved_.push_back(std::move(range));
  if (reserved_.empty())
    log::warning("no node of the cluster has shared virtual memory: this process uses the "
                 "addresses that it could be at, or may not have so many");
}

/// Those of all nodes, or of as many as possible.
void Job::chooseAddresses() {
  const auto countWith = [this](const std::unique_ptr<device::AddressRange>& range) {
    return std::ranges::count_if(
        greetings_, [&](const auto& greeting) { return keeps(greeting.second, *range); });
  };
  const auto best = std::ranges::max_element(reserved_, {}, countWith);
  if (best != reserved_.end())
    addresses_ = best->get();
  for (const auto& [node, greeting] : greetings_)
    if (addresses_ && !hasAddresses(greeting))
      log::warning(sentence("the devices of node ", node->rank(),
                            " of the cluster have no shared virtual memory: the node uses the "
                            "addresses that it would be at, or may not have so many"));
}

bool Job::hasAddresses(const cluster::Greeting& greeting) const {
  return addresses_ && keeps(greeting, *addresses_);
}

void Job::greet() {
  const char* const secret = std::getenv("QUERN_NODE_SECRET");
  reserveAddresses();
  std::vector<cluster::Addresses> addresses;
  for (const std::unique_ptr<device::AddressRange>& range : reserved_)
    addresses.push_back({range->addresses().begin, range->addresses().end});
  for (const std::unique_ptr<RemoteNode>& node : nodes_) {
    Result<cluster::Greeting> greeting = node->call<cluster::Greeting>(
        cluster::Hello{.secret = secret ? secret : "", .addresses = addresses});
    if (!greeting.ok()) {
      log::warning(sentence("node ", node->rank(),
                            " of the cluster is not used: ", greeting.status().sentence()));
      continue;
    }
    for (int i = 0; i < firstPings; ++i) {
      node->tell(cluster::Ping{now()});
      // The answer follows that to the ping.
      static_cast<void>(node->call<uint8_t>(cluster::CheckLaunch{}));
    }
    greetings_.emplace_back(node.get(), std::move(*greeting));
  }
  chooseAddresses();
}

void Job::handle(int from, std::span<const std::byte> message) {
  if (from <= program || from >= link_.size())
    return;
  RemoteNode& node = *nodes_[static_cast<size_t>(from - 1)];
  if (!node.isAlive() || node.handle(message))
    return;
  log::warning(sentence("node ", from, " of the cluster says what makes no sense"));
  fail(node);
}

bool Job::look() {
  const bool any = link_.look();
  bool anyDoomed = false;
  for (const std::unique_ptr<RemoteNode>& node : nodes_)
    if (node->isAlive())
      node->flush();
    else if (node->isBusy()) {
      node->endDoomed();
      anyDoomed = true;
    }
  askForLife();
  return any || anyDoomed;
}

void Job::askForLife() {
  const uint64_t time = now();
  uint64_t last = lastAsked_.load(std::memory_order_relaxed);
  if (time - last < lifeInterval_ || !lastAsked_.compare_exchange_strong(last, time))
    return;
  for (const std::unique_ptr<RemoteNode>& node : nodes_)
    node->askForLife();
}

void Job::fail(RemoteNode& node) {
  log::error(sentence("node ", node.rank(), " of the cluster does not answer any more"));
  for (const std::unique_ptr<RemoteNode>& other : nodes_)
    if (other.get() != &node && other->isAlive())
      other->tell(cluster::PeerGone{node.rank()});
  node.fail();
}

bool Job::isBusy() const {
  return std::ranges::any_of(nodes_, [](const auto& node) { return node->isBusy(); });
}

bool Job::help() {
  thread_local unsigned looks = 0;
  helps_.fetch_add(1, std::memory_order_relaxed);
  if (look()) {
    looks = 0;
    return true;
  }
  if (!isBusy() || ++looks > helpingLooks) {
    looks = 0;
    return false;
  }
  if (looks > eagerLooks)
    sched_yield();
  return true;
}

void Job::watch() {
  if (isAwake_.load())
    return;
  auto watch = watch_.lock();
  if (watch->ends)
    return;
  isAwake_.store(true);
  if (!watch->hasThread) {
    watch->hasThread = true;
    const SignalsBlocked blocked;
    thread_ = std::thread([this] { run(); });
  } else if (watch->isSleeping) {
    watch->isSleeping = false;
    condition_.notify_one();
  }
}

void Job::run() {
  cluster::Patience patience(longestPauseOfJob);
  uint64_t helpsBefore = 0;
  while (true) {
    if (patience.isAsleep() && !isBusy()) {
      auto watch = watch_.lock();
      isAwake_.store(false);
      // What is given from now on is followed by a call of `watch`, which waits for the lock.
      if (!isBusy() && !watch->ends) {
        watch->isSleeping = true;
        watch.wait(condition_, [](const Watch& state) { return !state.isSleeping || state.ends; });
      }
      isAwake_.store(true);
      if (watch->ends)
        return;
      patience.renew();
    }
    // A thread that waits looks itself, and nobody should be in its way.
    const uint64_t helps = helps_.load(std::memory_order_relaxed);
    if (std::exchange(helpsBefore, helps) == helps && look())
      patience.renew();
    else
      patience.wait();
    if (watch_.lock()->ends)
      return;
  }
}

/// Programs that do not wait for their commands may end while these run. Where they run for longer,
/// the job, whose processes would wait for each other, is not left in good order, nor where a node
/// is gone.
void Job::leave() {
  if (process_ != getpid())
    return;
  watch_.lock()->ends = true;
  condition_.notify_one();
  if (thread_.joinable())
    thread_.join();
  const auto areAllAlive = [this] {
    return std::ranges::all_of(nodes_, [](const auto& node) { return node->isAlive(); });
  };
  cluster::Patience patience(longestPauseOfJob);
  for (const uint64_t begin = now(); isBusy() && areAllAlive() && now() - begin < lastWait;)
    if (look())
      patience.renew();
    else
      patience.wait();
  const bool leaves = !isBusy() && areAllAlive();
  for (const std::unique_ptr<RemoteNode>& node : nodes_)
    if (node->isAlive()) {
      node->tell(cluster::Bye{leaves});
      node->flush();
    }
  if (leaves)
    link_.leave();
  else
    link_.look();
}

} // namespace quern::remote
