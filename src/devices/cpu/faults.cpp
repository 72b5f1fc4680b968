#include "devices/cpu/faults.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <ucontext.h>
#include <utility>
#include <vector>

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/config.h"
#include "base/log.h"
#include "base/mutex_protected.h"
#include "base/sentence.h"
#include "base/signals_blocked.h"
#include "devices/cpu/known_memory.h"
#include "devices/cpu/time_limit.h"
#include "devices/cpu/work_run.h"
#include "trace/trace.h"

namespace quern::cpu {

namespace {

constexpr std::array faultSignals = {SIGSEGV, SIGBUS};
/// How often the watch looks for kernels that have run for too long.
constexpr auto watchPeriod = std::chrono::milliseconds(20);

constinit thread_local FaultFrame* currentFrame = nullptr;

FaultHandling chosenHandling() {
  const std::string& option = config().get(Option::Faults);
  if (option == "recover")
    return FaultHandling::Recover;
  // To end an endless kernel means to take its thread out of it.
  if (config().number(Option::KernelTime) != 0)
    return option == "off" ? FaultHandling::Report : FaultHandling::Recover;
  if (option == "report")
    return FaultHandling::Report;
  const bool someoneReads = log::enabled(log::Level::Error) || config().isOn(Option::Guard);
  return option != "off" && someoneReads ? FaultHandling::Report : FaultHandling::Off;
}

/// Whoever chose that faults are handled reads standard error, whatever QUERN_LOG says.
void say(const std::string& text) {
  const std::string line = sentence("quern: error: ", text, "\n");
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
}

std::string hexadecimal(uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(number));
  return text;
}

std::string idText(const std::array<uint64_t, 3>& id, uint32_t dimensions) {
  std::string text = sentence("(", id[0]);
  for (uint32_t i = 1; i < dimensions; ++i)
    text += sentence(", ", id[i]);
  return text + ")";
}

} // namespace

/// Ends kernels that run for longer than they may, from a thread of its own.
class KernelWatch {
public:
  static KernelWatch& get() {
    static auto* const instance = new KernelWatch();
    return *instance;
  }

  void add(FaultFrame& frame) {
    auto state = state_.lock();
    state->frames.push_back(&frame);
    if (!std::exchange(state->hasThread, true))
      startThread(*state);
    wake_.notify_one();
  }
  void remove(FaultFrame& frame) { std::erase(state_.lock()->frames, &frame); }

private:
  struct State {
    std::vector<FaultFrame*> frames;
    bool hasThread = false;
  };

  void startThread(State& state) {
    try {
      const SignalsBlocked blocked;
      std::thread([this] { run(); }).detach();
    } catch (const std::system_error&) {
      state.hasThread = false;
      log::warning("kernels have no time limit: the thread that watches them cannot be started");
    }
  }

  [[noreturn]] void run() {
    pthread_setname_np(pthread_self(), "quern-watch");
    for (;;) {
      {
        auto state = state_.lock();
        state.wait(wake_, [](State& own) { return !own.frames.empty(); });
        for (FaultFrame* frame : state->frames)
          if (now() > frame->deadline_)
            interrupt(*frame);
      }
      std::this_thread::sleep_for(watchPeriod);
    }
  }

  /// The handler looks whether the thread is in the kernel's code; if it is not now, it is asked
  /// again.
  static void interrupt(FaultFrame& frame) {
    frame.isOverdue_.store(true);
    syscall(SYS_tgkill, getpid(), frame.thread_, SIGSEGV);
  }

  MutexProtected<State> state_;
  std::condition_variable_any wake_;
};

struct FaultHandlers {
  static inline std::array<struct sigaction, faultSignals.size()> previous = {};

  static void install() {
    for (size_t i = 0; i < faultSignals.size(); ++i) {
      struct sigaction action = {};
      action.sa_sigaction = handle;
      action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK | SA_RESTART;
      sigaction(faultSignals[i], &action, &previous[i]);
    }
  }

  static void handle(int signal, siginfo_t* info, void* context) {
    FaultFrame* const frame = currentFrame;
    const auto& interrupted = *static_cast<const ucontext_t*>(context);
    if (isOfWatch(*info))
      return frame && frame->isInside_ && frame->isOverdue() ? giveUp(*frame, interrupted) : void();
    if (frame && frame->isInside_ && info->si_code > 0) {
      frame->isInside_ = 0;
      say(describe(*frame, *info, interrupted));
      if (faultHandling() == FaultHandling::Recover)
        return giveUp(*frame, interrupted);
      trace::flush();
    }
    passOn(signal, *info);
  }

  /// Whoever handled the signal before gets it: the same fault, when the instruction runs again.
  static void passOn(int signal, const siginfo_t& info) {
    const auto at = std::ranges::find(faultSignals, signal) - faultSignals.begin();
    sigaction(signal, &previous[static_cast<size_t>(at)], nullptr);
    if (info.si_code <= 0) // sent by somebody
      raise(signal);
  }

  static bool isOfWatch(const siginfo_t& info) {
    return info.si_code == SI_TKILL && info.si_pid == getpid() && TimeLimit::ofKernels() != 0;
  }

  static void giveUp(FaultFrame& frame, const ucontext_t& interrupted) {
    frame.isInside_ = 0;
    // Signals that are blocked in here, by us or by who stands between the system and us, would
    // stay so, and the next fault end the process.
    pthread_sigmask(SIG_SETMASK, &interrupted.uc_sigmask, nullptr);
    siglongjmp(frame.back_, 1);
  }

  static std::string describe(const FaultFrame& frame, const siginfo_t& info,
                              const ucontext_t& context) {
    constexpr long long writeBit = 2; // of a page fault's error code
    const bool isWrite = (context.uc_mcontext.gregs[REG_ERR] & writeBit) != 0;
    const auto address = reinterpret_cast<uint64_t>(info.si_addr);
    // The processor does not tell the address where it is no address at all.
    const std::string place = info.si_code == SI_KERNEL
                                  ? std::string("an address that no memory can have")
                                  : sentence("address ", hexadecimal(address), ", ",
                                             KnownMemory::get().describe(address), ",");
    const FaultFrame::Position& position = frame.position_;
    return sentence("the kernel '", frame.kernel_, isWrite ? "' wrote to " : "' read from ", place,
                    " in one of the work-items with the global ids ",
                    idText(position.first, position.dimensions), " to ",
                    idText(position.last, position.dimensions));
  }
};

FaultHandling faultHandling() {
  static const FaultHandling handling = chosenHandling();
  return handling;
}

FaultFrame::FaultFrame(std::string_view kernel, uint64_t deadline)
    : kernel_(kernel), deadline_(deadline), thread_(gettid()), outer_(currentFrame) {
  static std::once_flag installed;
  std::call_once(installed, FaultHandlers::install);
  currentFrame = this;
  if (deadline_ != 0)
    KernelWatch::get().add(*this);
}

FaultFrame::~FaultFrame() {
  if (deadline_ != 0)
    KernelWatch::get().remove(*this);
  currentFrame = outer_;
}

FaultFrame::Outside::Outside()
    : frame_(currentFrame && currentFrame->isInside_ ? currentFrame : nullptr) {
  if (frame_)
    frame_->isInside_ = 0;
}

FaultFrame::Outside::~Outside() {
  if (frame_)
    frame_->isInside_ = 1;
}

} // namespace quern::cpu
