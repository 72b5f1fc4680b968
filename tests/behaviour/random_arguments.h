#pragma once

// Calls of any function with arguments that are right in one case and wrong in another, chosen by
// their types alone.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include <CL/cl_icd.h>

namespace quern::tests {

/// Memory that any pointer may point to. Reads of inputs find zeros; what functions write is looked
/// at by nobody.
inline constexpr size_t scrapBytes = 1 << 20;
/// Functions write no more than this of it.
inline constexpr size_t clearedBytes = 32 << 10;

/// Chooses arguments. The same seed gives the same ones.
class RandomArguments {
public:
  explicit RandomArguments(uint64_t seed) : random_(seed) {}

  /// A handle that functions may be given; never one whose last reference they could drop.
  template <typename Handle> void offer(Handle handle) { lists<Handle>().push_back(handle); }

  /// The same of one that a call has made, for some time: returns another one that is not offered
  /// any more, to be dropped, or null.
  template <typename Handle> Handle exchange(Handle handle) {
    auto& list = lists<Handle>();
    auto& made = madeLists<Handle>();
    list.push_back(handle);
    made.push_back(handle);
    if (made.size() <= mostMade)
      return nullptr;
    const size_t place = below(made.size());
    const Handle dropped = made[place];
    made.erase(made.begin() + static_cast<ptrdiff_t>(place));
    list.erase(std::find(list.begin(), list.end(), dropped));
    return dropped;
  }

  template <typename T> T make() {
    using Plain = std::remove_cv_t<T>;
    if constexpr (isHandle<Plain>)
      return makeHandle<Plain>();
    else if constexpr (std::is_pointer_v<Plain>)
      return makePointer<Plain>();
    else
      return static_cast<Plain>(number());
  }

  /// What the last call has put where it was to put an event, or null.
  cl_event takeEvent() { return std::exchange(eventOfCall(), nullptr); }

  uint64_t below(uint64_t limit) { return random_() % limit; }

private:
  template <typename T>
  static constexpr bool isHandle =
      std::is_same_v<T, cl_platform_id> || std::is_same_v<T, cl_device_id> ||
      std::is_same_v<T, cl_context> || std::is_same_v<T, cl_command_queue> ||
      std::is_same_v<T, cl_mem> || std::is_same_v<T, cl_program> || std::is_same_v<T, cl_kernel> ||
      std::is_same_v<T, cl_event> || std::is_same_v<T, cl_sampler>;

  static constexpr size_t mostMade = 6;
  static constexpr size_t mostSize = 8;

  static cl_event& eventOfCall() {
    static cl_event event = nullptr;
    return event;
  }

  template <typename Handle> static std::vector<Handle>& lists() {
    static std::vector<Handle> list;
    return list;
  }
  template <typename Handle> static std::vector<Handle>& madeLists() {
    static std::vector<Handle> list;
    return list;
  }

  /// One of the type, one of another type, memory that is no object, or null.
  template <typename Handle> Handle makeHandle() {
    const auto& list = lists<Handle>();
    switch (below(8)) {
    case 0:
      return nullptr;
    case 1:
      return reinterpret_cast<Handle>(scrap(zeros_));
    case 2:
      return reinterpret_cast<Handle>(anyOther());
    default:
      return list.empty() ? nullptr : list[below(list.size())];
    }
  }
  void* anyOther() {
    const std::array<void*, 4> others = {first<cl_context>(), first<cl_mem>(), first<cl_event>(),
                                         first<cl_kernel>()};
    return others[below(others.size())];
  }
  template <typename Handle> void* first() {
    return lists<Handle>().empty() ? nullptr : lists<Handle>().front();
  }

  /// Null, zeros, handles or small numbers to read, or memory to write.
  template <typename Pointer> Pointer makePointer() {
    using Pointee = std::remove_pointer_t<Pointer>;
    if (below(4) == 0)
      return nullptr;
    if constexpr (std::is_same_v<Pointee, cl_event>) {
      return &eventOfCall();
    } else if constexpr (std::is_function_v<Pointee>) {
      return &noCallback<Pointee>::call;
    } else if constexpr (isHandle<std::remove_cv_t<Pointee>> && std::is_const_v<Pointee>) {
      using Handle = std::remove_cv_t<Pointee>;
      static std::vector<Handle> handles(scrapBytes / sizeof(Handle)); // nulls behind a few
      for (size_t i = 0; i < 3; ++i)
        handles[i] = makeHandle<Handle>();
      return handles.data();
    } else if constexpr (std::is_same_v<Pointee, const size_t>) {
      static std::vector<size_t> sizes(scrapBytes / sizeof(size_t));
      for (size_t i = 0; i < 3; ++i)
        sizes[i] = below(mostSize + 1);
      return sizes.data();
    } else if constexpr (std::is_same_v<Pointee, const char>) {
      static constexpr std::array texts = {"",       "k",        "-cl-std=CL3.0",
                                           "kernel", "-DX=1 -w", "\xff\""};
      return texts[below(texts.size())];
    } else if constexpr (std::is_same_v<std::remove_cv_t<Pointee>, const char*>) {
      static std::vector<const char*> sources(scrapBytes / sizeof(const char*)); // nulls behind
      // As long as any length that is given for them.
      static constexpr char empty[mostSize + 1] = {};
      sources[0] =
          below(2) ? "kernel void k(global int* p, int x) { if (p) p[0] = x; }" : "#error nothing";
      sources[1] = empty;
      return sources.data();
    } else if constexpr (std::is_const_v<Pointee> || std::is_pointer_v<Pointee>) {
      return reinterpret_cast<Pointer>(scrap(zeros_));
    } else {
      // What was written there is no longer there: it may be taken for pointers to write to.
      void* const memory = scrap(written_);
      std::memset(memory, 0, clearedBytes);
      return static_cast<Pointer>(memory);
    }
  }
  template <typename Function> struct noCallback;
  template <typename Result, typename... Args> struct noCallback<Result(Args...)> {
    static Result call(Args...) { return Result(); }
  };

  static void* scrap(std::vector<std::byte>& memory) {
    memory.resize(scrapBytes);
    return memory.data();
  }

  /// Counts and flags, sizes, and the numbers that name what a function is asked for. None is so
  /// large that what it counts would not fit into the memory.
  uint64_t number() {
    switch (below(8)) {
    case 0:
    case 1:
      return below(4);
    case 2:
      return uint64_t{1} << below(13);
    case 3:
      return 0x1000 + below(0x300);
    case 4:
      return 0x4200 + below(16);
    case 5:
      return 0x2000 + below(0x100);
    default:
      return below(64);
    }
  }

  std::mt19937_64 random_;
  std::vector<std::byte> zeros_, written_;
};

} // namespace quern::tests
