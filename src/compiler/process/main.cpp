// quern-compiler-process VERSION: answers requests (compiler/interface/messages.h) that come by the
// socket that is file 3, one after the other, until its other end is closed. VERSION is that of the
// compiler interface which the driver knows. A compile that ends the process is answered first,
// with the reason in the log.

#include <cstdio>
#include <cstdlib>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include "base/message_socket.h"
#include "base/sentence.h"
#include "base/signals_blocked.h"
#include "compiler/interface/messages.h"
#include "compiler/process/limits.h"

namespace quern::compiler {
namespace {

constexpr int socketFile = 3;
/// More than the compiler asks of a thread that it need not leave.
constexpr size_t stackBytes = size_t{65} << 20;

/// After which it gives back the memory that the last request left: the steps of a build follow one
/// another at once and need it again.
constexpr int idleMilliseconds = 200;

/// Never destroyed: the process ends while they are in use.
MessageSocket& requests = *new MessageSocket(socketFile);
const Limits& limits = *new Limits();
/// Nobody waits for an answer then.
bool isPreparing = false;

void end(const Failure& failure) {
  if (isPreparing)
    _exit(1);
  limits.liftMemoryLimit();
  const Answer answer = {
      .log = sentence("error: ", limits.sentenceOf(failure), "\n", failure.activity),
      .isLast = true};
  static_cast<void>(requests.send(encode(answer)));
  _exit(1);
}

/// One thread allocates, so that one heap does. It takes the system's memory in large steps, and
/// keeps it until the process is idle: each page that comes anew costs more than what is done
/// there.
void keepMemory() {
  constexpr int stepBytes = 4 << 20;
  constexpr int largestBytes = 32 << 20; // the C library's own limit
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TOP_PAD, stepBytes);
  mallopt(M_TRIM_THRESHOLD, largestBytes);
  mallopt(M_MMAP_THRESHOLD, largestBytes);
}

/// The system ends this process before the program when memory runs out.
void offerToEndFirst() {
  if (std::FILE* score = std::fopen("/proc/self/oom_score_adj", "w")) {
    std::fputs("500", score);
    std::fclose(score);
  }
}

Answer answerTo(Compiler& compiler, const Request& request) {
  // Without one relative paths lead nowhere.
  if (request.workingFolder.empty() || chdir(request.workingFolder.c_str()) != 0)
    static_cast<void>(chdir("/"));
  limits.beginRequest();
  Answer answer = call(compiler, request);
  limits.endRequest();
  return answer;
}

/// Compiles a small program: the first compile takes twice the time of others, since it builds
/// LLVM's tables, reads the library of built-in functions and brings in the pages of this program.
/// Leaves the rest to a request that comes meanwhile.
void prepare(Compiler& compiler, const Target& target) {
  constexpr const char* source =
      "kernel void k(global int* out) { out[get_global_id(0)] = get_local_id(0); }";
  const Options options = {.firstVersion = true};
  if (requests.waitForMessage(0))
    return;
  isPreparing = true;
  limits.beginRequest();
  const Compiled compiled = compiler.compile(source, {}, options, target, {});
  if (compiled.ok && !requests.waitForMessage(0))
    static_cast<void>(compiler.generate(compiled.ir, options, target, {}));
  limits.endRequest();
  isPreparing = false;
}

/// False where the connection is closed.
bool attendTo(Compiler& compiler, std::span<const std::byte> message) {
  const Result<Request> request = decodeRequest(message);
  if (!request.ok()) {
    const Answer refusal = {.log = sentence("error: ", request.status().sentence(), "\n")};
    return requests.send(encode(refusal)).ok();
  }
  if (request.value().call != Request::Call::Prepare)
    return requests.send(encode(answerTo(compiler, request.value()))).ok();
  prepare(compiler, request.value().target);
  return true;
}

/// The first answer has no request: whether there is the compiler that the driver wants.
void* answerRequests(void* wantedVersion) {
  const auto* version = static_cast<const char*>(wantedVersion);
  Compiler* compiler = quernCompiler(static_cast<uint32_t>(std::strtoul(version, nullptr, 10)));
  const Answer hello = {
      .ok = compiler != nullptr,
      .log = compiler ? std::string()
                      : sentence("quern-compiler-process offers version ", interfaceVersion,
                                 " of the compiler interface, and the driver wants ", version)};
  bool isConnected = requests.send(encode(hello)).ok();
  if (compiler)
    compiler->onFailure(end);
  while (compiler && isConnected) {
    if (!requests.waitForMessage(idleMilliseconds))
      malloc_trim(0);
    const Result<Bytes> message = requests.receive();
    isConnected = message.ok() && attendTo(*compiler, message.value());
  }
  _exit(0);
}

/// False where no thread can be started.
bool startAnswering(char* wantedVersion) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stackBytes);
  pthread_t thread;
  return pthread_create(&thread, &attributes, answerRequests, wantedVersion) == 0;
}

} // namespace
} // namespace quern::compiler

int main(int count, char** arguments) {
  using namespace quern::compiler;
  if (count != 2) {
    std::fputs("quern-compiler-process is started by libquern.so and by nothing else\n", stderr);
    return 2;
  }
  keepMemory();
  offerToEndFirst();
  limits.limitMemory();
  if (!startAnswering(arguments[1]))
    return 1;
  // Signals are for the other thread; this one sees when nobody waits for an answer any more.
  const quern::SignalsBlocked blocked;
  pollfd state = {.fd = socketFile, .events = POLLRDHUP, .revents = 0};
  while (poll(&state, 1, -1) != 1) {
  }
  _exit(0);
}
