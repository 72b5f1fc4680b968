#include "runtime/dependency.h"

#include <cassert>

namespace quern::runtime {

namespace {

/// Nodes that became ready because of a completion on this thread, oldest first. While one is
/// worked off, those it makes ready are appended here, so that a chain of any length needs no
/// stack.
struct ReadyNodes {
  DependencyNode* first = nullptr;
  DependencyNode* last = nullptr;
  bool draining = false;
};

thread_local ReadyNodes readyNodes;

} // namespace

// What a list of those that wait points at once they have been released: nobody can be added any
// more.
DependencyNode::Edge DependencyNode::endedWell_;
DependencyNode::Edge DependencyNode::endedFailed_;

void DependencyNode::reserveDependencies(size_t count) {
  if (count > inlineEdges)
    moreEdges_ = std::make_unique<Edge[]>(count - inlineEdges);
}

void DependencyNode::dependOn(DependencyNode& other, Carries carries, Until until) {
  std::atomic<Edge*>& waiting = until == Until::Submitted ? other.followers_ : other.dependents_;
  Edge& edge = usedEdges_ < inlineEdges ? edges_[usedEdges_] : moreEdges_[usedEdges_ - inlineEdges];
  edge.dependent = this;
  edge.carries = carries;
  // `arm` holds one count, so this can be taken back below without reaching zero.
  pending_.fetch_add(1, std::memory_order_relaxed);
  Edge* head = waiting.load(std::memory_order_acquire);
  do {
    if (head == &endedWell_ || head == &endedFailed_) {
      pending_.fetch_sub(1, std::memory_order_relaxed);
      if (head == &endedFailed_ && carries == Carries::Failure)
        failed_.store(true, std::memory_order_relaxed);
      return;
    }
    edge.next = head;
  } while (!waiting.compare_exchange_weak(head, &edge, std::memory_order_release,
                                          std::memory_order_acquire));
  ++usedEdges_;
}

void DependencyNode::arm() {
  if (dropPending())
    ready(failed_.load(std::memory_order_relaxed), Path::Enqueue);
}

void DependencyNode::releaseFollowers(bool failed) {
  release(followers_, failed);
}

void DependencyNode::releaseDependents(bool failed) {
  release(dependents_, failed);
}

void DependencyNode::release(std::atomic<Edge*>& waiting, bool failed) {
  Edge* edges = waiting.exchange(failed ? &endedFailed_ : &endedWell_, std::memory_order_acq_rel);
  assert(edges != &endedWell_ && edges != &endedFailed_ && "a node ends once");
  // The list is newest first; dependents should start in the order they were added.
  Edge* oldestFirst = nullptr;
  while (edges) {
    Edge* next = edges->next;
    edges->next = oldestFirst;
    oldestFirst = edges;
    edges = next;
  }
  while (oldestFirst) {
    DependencyNode& dependent = *oldestFirst->dependent;
    if (failed && oldestFirst->carries == Carries::Failure)
      dependent.failed_.store(true, std::memory_order_relaxed);
    // The edge belongs to the dependent, which may be gone once it has no pending dependency.
    oldestFirst = oldestFirst->next;
    if (dependent.dropPending())
      dependent.becomeReady();
  }
  drainReady();
}

void DependencyNode::becomeReady() {
  nextReady_ = nullptr;
  if (readyNodes.last)
    readyNodes.last->nextReady_ = this;
  else
    readyNodes.first = this;
  readyNodes.last = this;
}

void DependencyNode::drainReady() {
  if (readyNodes.draining)
    return;
  readyNodes.draining = true;
  while (DependencyNode* node = readyNodes.first) {
    readyNodes.first = node->nextReady_;
    if (!readyNodes.first)
      readyNodes.last = nullptr;
    node->ready(node->failed_.load(std::memory_order_relaxed), Path::Completion);
  }
  readyNodes.draining = false;
}

} // namespace quern::runtime
