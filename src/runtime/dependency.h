#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include <CL/cl.h>

namespace quern::runtime {

/// One node of the graph of commands: counts what it still waits for and knows who waits for it.
/// Lock-free. Completion of a long chain of nodes is worked off in a loop, never by recursion.
class DependencyNode {
public:
  DependencyNode() = default;
  DependencyNode(const DependencyNode&) = delete;
  DependencyNode& operator=(const DependencyNode&) = delete;

  /// Whether the failure of what one waits for is one's own failure (wait lists) or only its end
  /// counts (queue order).
  enum class Carries : bool { OrderOnly, Failure };

  /// What one waits for: that the other has been given to its device, which then keeps the order,
  /// or that it has ended.
  enum class Until : bool { Submitted, Ended };

  /// Announces that `dependOn` will be called at most `count` times.
  void reserveDependencies(size_t count);
  /// Waits for `other`, which must stay alive during the call. Only before `arm`.
  void dependOn(DependencyNode& other, Carries carries, Until until = Until::Ended);
  /// All dependencies are declared: `ready` is called as soon as they are met, perhaps before this
  /// returns.
  void arm();

protected:
  ~DependencyNode() = default;

  enum class Path { Enqueue, Completion };

  /// Everything this node waited for has ended, `failed` when one of it that carries failure did.
  /// Called once, with no lock held. `path` tells whether the thread is the one that called `arm`
  /// or one that completed another node.
  virtual void ready(bool failed, Path path) = 0;

  /// This node has been submitted, or will never be: releases those that wait for that. Called
  /// once, before releaseDependents or at the same time; the node must stay alive during the call.
  void releaseFollowers(bool failed);
  /// This node has ended: releases those that wait for it. Called once; the node may be gone when
  /// this returns.
  void releaseDependents(bool failed);

private:
  struct Edge {
    DependencyNode* dependent = nullptr;
    Edge* next = nullptr;
    Carries carries = Carries::OrderOnly;
  };
  static constexpr size_t inlineEdges = 2;

  static Edge endedWell_;
  static Edge endedFailed_;

  static void release(std::atomic<Edge*>& waiting, bool failed);
  void becomeReady();
  static void drainReady();
  bool dropPending() { return pending_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

  std::atomic<uint32_t> pending_{1};
  std::atomic<bool> failed_{false};
  std::atomic<Edge*> followers_{nullptr}; ///< until this is submitted
  std::atomic<Edge*> dependents_{nullptr};
  DependencyNode* nextReady_ = nullptr;
  size_t usedEdges_ = 0;
  std::array<Edge, inlineEdges> edges_;
  std::unique_ptr<Edge[]> moreEdges_;
};

/// What a node depends on, and whether its failure is the node's own.
struct Dependency {
  DependencyNode& node;
  DependencyNode::Carries carries;
};

} // namespace quern::runtime
