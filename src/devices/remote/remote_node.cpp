#include "devices/remote/remote_node.h"

#include <cstdio>

#include "base/log.h"
#include "base/sentence.h"
#include "cluster/patience.h"
#include "devices/remote/job.h"
#include "devices/remote/remote_executable.h"

namespace quern::remote {

namespace {

/// A node that has not answered so many times in a row is gone.
constexpr unsigned mostSilence = 8;
constexpr cluster::Patience::Microseconds longestPauseOfNode{100};

} // namespace

Status RemoteNode::lost() const {
  return Status::error(CL_DEVICE_NOT_AVAILABLE,
                       sentence("node ", rank_, " of the cluster does not answer any more"));
}

Status RemoteNode::await(Call& call) {
  cluster::Patience patience(longestPauseOfNode);
  while (!call.isDone.load(std::memory_order_acquire)) {
    if (!isAlive())
      return lost();
    if (job_.look())
      patience.renew();
    else
      patience.wait();
  }
  return std::move(call.status);
}

uint64_t RemoteNode::add(Part* part) {
  const uint64_t number = newNumber();
  busy_.fetch_add(1);
  auto parts = parts_.lock();
  if (isAlive())
    parts->underWay.emplace(number, part);
  else
    parts->doomed.push_back(part);
  return number;
}

void RemoteNode::add(uint64_t number, RemoteExecutable& executable) {
  executables_.lock()->emplace(number, &executable);
}

void RemoteNode::remove(uint64_t number) {
  executables_.lock()->erase(number);
}

bool RemoteNode::handle(std::span<const std::byte> message) {
  isHeard_.store(true, std::memory_order_relaxed);
  return cluster::forEachRecord(message, [this](auto& record) { return on(record); });
}

bool RemoteNode::on(cluster::Reply& reply) {
  auto calls = calls_.lock();
  const auto place = calls->find(reply.call);
  if (place == calls->end())
    return false;
  Call& call = *place->second;
  if (reply.code != CL_SUCCESS)
    call.status = Status::error(reply.code, std::move(reply.sentence));
  call.answer = std::move(reply.answer);
  call.isDone.store(true, std::memory_order_release);
  return true;
}

bool RemoteNode::on(cluster::Finished& finished) {
  Part* const part = parts_.with([&](Parts& parts) -> Part* {
    const auto place = parts.underWay.find(finished.command);
    if (place == parts.underWay.end())
      return nullptr;
    Part* const found = place->second;
    parts.underWay.erase(place);
    return found;
  });
  if (!part)
    return false;
  busy_.fetch_sub(1, std::memory_order_relaxed);
  part->ended(finished);
  return true;
}

bool RemoteNode::on(cluster::Hot& hot) {
  Ref<RemoteExecutable> executable = executables_.with([&](auto& executables) {
    const auto place = executables.find(hot.launch.executable);
    return place != executables.end() && place->second->tryAddRef()
               ? Ref<RemoteExecutable>::adopt(place->second)
               : nullptr;
  });
  if (executable)
    executable->reportHot(hot.launch);
  return true;
}

/// Through stdio, so that the output keeps its place among what the program itself prints.
bool RemoteNode::on(cluster::Print& print) {
  std::fwrite(print.text.data(), 1, print.text.size(), stdout);
  std::fflush(stdout);
  return true;
}

bool RemoteNode::on(cluster::Pong& pong) {
  clock_.measure(pong.time, pong.nodeTime, now());
  return true;
}

void RemoteNode::askForLife() {
  if (!isAlive())
    return;
  silence_ = isHeard_.exchange(false, std::memory_order_relaxed) ? 0 : silence_ + 1;
  if (silence_ > mostSilence)
    job_.fail(*this);
  else
    out_.send(cluster::Ping{now()});
}

void RemoteNode::endAll(const std::vector<Part*>& parts) {
  busy_.fetch_sub(parts.size(), std::memory_order_relaxed);
  for (Part* part : parts) {
    cluster::Finished finished = {.status = CL_DEVICE_NOT_AVAILABLE};
    part->ended(finished);
  }
}

void RemoteNode::fail() {
  std::vector<Part*> parts;
  parts_.with([&](Parts& all) {
    isAlive_.store(false, std::memory_order_release);
    for (const auto& [number, part] : all.underWay)
      parts.push_back(part);
    all.underWay.clear();
  });
  link_.giveUp(rank_);
  endAll(parts);
}

void RemoteNode::endDoomed() {
  endAll(parts_.with([](Parts& parts) { return std::exchange(parts.doomed, {}); }));
}

} // namespace quern::remote
