#include "runtime/compiler_process.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/sentence.h"

namespace quern::runtime {

namespace {

/// Where the process finds its end of the connection.
constexpr int socketFile = 3;

/// What posix_spawn takes.
struct Spawn {
  const char* program;
  std::array<char*, 3> arguments;
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
};

// Not copying the program's memory is what makes a start quick. ThreadSanitizer would prepare the
// memory that it keeps there for a child twice: once in the child, once in the program.
#if __has_feature(thread_sanitizer)
constexpr int parentFlags = CLONE_VFORK;
#else
constexpr int parentFlags = CLONE_VM | CLONE_VFORK;
#endif

/// Signals as a fresh program has them, a session of its own.
void setAttributes(posix_spawnattr_t& attributes) {
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
}

/// Of the program's files only standard error, where messages are wanted.
void setFiles(posix_spawn_file_actions_t& files, int socket) {
  posix_spawn_file_actions_adddup2(&files, socket, socketFile);
  posix_spawn_file_actions_addclosefrom_np(&files, socketFile + 1);
  const int last = log::enabled(log::Level::Error) ? STDOUT_FILENO : STDERR_FILENO;
  for (int file = STDIN_FILENO; file <= last; ++file)
    posix_spawn_file_actions_addopen(&files, file, "/dev/null", O_RDWR, 0);
}

/// Runs in a process between the program and the one that it starts; its exit status is the error.
int spawnAndEnd(void* data) {
  const auto& spawn = *static_cast<const Spawn*>(data);
  pid_t process = 0;
  return posix_spawn(&process, spawn.program, &spawn.files, &spawn.attributes,
                     spawn.arguments.data(), environ);
}

/// Starts a process that is not the caller's child: the parent of that one is a child, which has
/// ended when this returns. The child is one of clone(2) without a signal for its end, so that a
/// program that waits for any child does not get it.
int spawnOrphan(Spawn& spawn) {
  constexpr size_t stackBytes = size_t{64} << 10;
  const auto stack = std::make_unique<std::byte[]>(stackBytes);
  const pid_t parent = clone(spawnAndEnd, stack.get() + stackBytes, parentFlags, &spawn);
  if (parent < 0)
    return errno;
  // Where the program has waited for it on another thread the status stays 0; what comes of the
  // process is then learned from its connection.
  int status = 0;
  while (waitpid(parent, &status, __WCLONE) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
}

int spawnWith(const std::string& program, int socket) {
  std::string version = std::to_string(compiler::interfaceVersion);
  Spawn spawn = {.program = program.c_str(),
                 .arguments = {const_cast<char*>(program.c_str()), version.data(), nullptr},
                 .files = {},
                 .attributes = {}};
  posix_spawn_file_actions_init(&spawn.files);
  posix_spawnattr_init(&spawn.attributes);
  setFiles(spawn.files, socket);
  setAttributes(spawn.attributes);
  const int error = spawnOrphan(spawn);
  posix_spawnattr_destroy(&spawn.attributes);
  posix_spawn_file_actions_destroy(&spawn.files);
  return error;
}

Status notStarted(const std::string& program, int error) {
  return Status::error(
      CL_OUT_OF_RESOURCES,
      sentence("the compiler's process ", program, " cannot be started: ", strerror(error)), error);
}

} // namespace

Result<std::unique_ptr<CompilerProcess>> CompilerProcess::start(const std::string& program) {
  int files[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, files) != 0)
    return notStarted(program, errno);
  std::unique_ptr<CompilerProcess> process(new CompilerProcess(files[0], currentNiceness()));
  const int error = spawnWith(program, files[1]);
  close(files[1]);
  if (error != 0)
    return notStarted(program, error);
  return process;
}

void CompilerProcess::prepare(const compiler::Target& target) {
  // Where it cannot be sent the process has ended, and `waitUntilReady` says so.
  const compiler::Request request = {.call = compiler::Request::Call::Prepare, .target = target};
  mayBePreparing_ = true;
  static_cast<void>(socket_.send(encode(request)));
}

Status CompilerProcess::waitUntilReady() {
  if (isReady_)
    return {};
  QUERN_ASSIGN(const compiler::Answer hello, receive());
  if (!hello.ok)
    return Status::error(CL_COMPILER_NOT_AVAILABLE,
                         sentence("no compiler is available: ", hello.log));
  isReady_ = true;
  return {};
}

Result<compiler::Answer> CompilerProcess::ask(const compiler::Request& request) {
  // Where this fails it may have said why it ends.
  static_cast<void>(socket_.send(encode(request)));
  Result<compiler::Answer> answer = receive();
  if (answer.ok() && !answer->isLast)
    mayBePreparing_ = false;
  return answer;
}

Result<compiler::Answer> CompilerProcess::receive() {
  const Result<Bytes> message = socket_.receive();
  if (!message.ok())
    return Status::error(CL_OUT_OF_RESOURCES,
                         "the compiler's process ended without a reason: it was killed, or the "
                         "system had no memory for it");
  return compiler::decodeAnswer(message.value());
}

int currentNiceness() {
  return getpriority(PRIO_PROCESS, 0);
}

} // namespace quern::runtime
