// quern-compiler-process LIBRARY: answers requests (compiler/interface/messages.h) that come by the
// socket that is file 3, one after the other, until its other end is closed. A compile that ends
// the process is answered first, with the reason in the log.

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
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

void end(const Failure& failure) {
  limits.liftMemoryLimit();
  const Answer answer = {
      .log = sentence("error: ", limits.sentenceOf(failure), "\n", failure.activity),
      .isLast = true};
  static_cast<void>(requests.send(encode(answer)));
  _exit(1);
}

/// The system ends this process before the program when memory runs out.
void offerToEndFirst() {
  if (std::FILE* score = std::fopen("/proc/self/oom_score_adj", "w")) {
    std::fputs("500", score);
    std::fclose(score);
  }
}

Result<Compiler*> open(const char* path) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const auto entry =
      library ? reinterpret_cast<decltype(&quernCompiler)>(dlsym(library, "quernCompiler"))
              : nullptr;
  if (!entry)
    return Status::error(CL_COMPILER_NOT_AVAILABLE, dlerror());
  if (Compiler* compiler = entry(interfaceVersion))
    return compiler;
  return Status::error(
      CL_COMPILER_NOT_AVAILABLE,
      sentence(path, " does not offer version ", interfaceVersion, " of the compiler interface"));
}

Answer answerTo(Compiler& compiler, std::span<const std::byte> message) {
  const Result<Request> request = decodeRequest(message);
  if (!request.ok())
    return {.log = sentence("error: ", request.status().sentence(), "\n")};
  // Without one relative paths lead nowhere.
  if (request.value().workingFolder.empty() || chdir(request.value().workingFolder.c_str()) != 0)
    static_cast<void>(chdir("/"));
  limits.beginRequest();
  Answer answer = call(compiler, request.value());
  limits.endRequest();
  return answer;
}

/// First an answer without a request: whether there is a compiler.
void* answerRequests(void* path) {
  Result<Compiler*> compiler = open(static_cast<const char*>(path));
  const bool isThere = compiler.ok();
  bool isConnected =
      requests
          .send(encode(
              Answer{.ok = isThere, .log = isThere ? std::string() : compiler.status().sentence()}))
          .ok();
  if (isThere)
    compiler.value()->onFailure(end);
  while (isThere && isConnected) {
    if (!requests.waitForMessage(idleMilliseconds))
      malloc_trim(0);
    const Result<Bytes> message = requests.receive();
    isConnected = message.ok() && requests.send(encode(answerTo(**compiler, message.value()))).ok();
  }
  _exit(0);
}

/// False where no thread can be started.
bool startAnswering(char* path) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stackBytes);
  pthread_t thread;
  return pthread_create(&thread, &attributes, answerRequests, path) == 0;
}

} // namespace
} // namespace quern::compiler

int main(int count, char** arguments) {
  using namespace quern::compiler;
  if (count != 2) {
    std::fputs("quern-compiler-process is started by libquern.so and by nothing else\n", stderr);
    return 2;
  }
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
