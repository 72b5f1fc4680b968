#pragma once

#include <memory>
#include <string>

#include "base/message_socket.h"
#include "base/result.h"
#include "compiler/interface/messages.h"

namespace quern::runtime {

/// A process that compiles for this one (compiler/process/): what ends it ends one compile and not
/// the program. It ends with this object and with the program. One thread at a time.
///
/// It is no child of the program, which would otherwise find one that it does not know when it
/// waits for its own. It keeps none of the program's files, has a session of its own, so that no
/// signal of the terminal reaches it, and the priority of the thread that starts it.
class CompilerProcess {
public:
  /// Starts the file `program`. Fails with CL_OUT_OF_RESOURCES where no process can be started.
  static Result<std::unique_ptr<CompilerProcess>> start(const std::string& program);
  /// Lets it make ready what compiling for `target` needs. Does not wait.
  void prepare(const compiler::Target& target);
  /// Whether it was asked to, and has answered nothing since: what ends it without an answer may
  /// not be the request.
  bool mayBePreparing() const { return mayBePreparing_; }
  /// To be called before `ask`. Fails with CL_COMPILER_NOT_AVAILABLE where its compiler is of
  /// another version than this driver.
  Status waitUntilReady();
  /// Whether somebody has waited so.
  bool isReady() const { return isReady_; }

  /// Fails where the process has ended without an answer: nothing of it can be used any more.
  Result<compiler::Answer> ask(const compiler::Request& request);

  bool hasEnded() const { return socket_.isClosed(); }
  /// Of the thread that started it (nice(2)).
  int niceness() const { return niceness_; }

private:
  CompilerProcess(int file, int niceness) : socket_(file), niceness_(niceness) {}
  Result<compiler::Answer> receive();

  MessageSocket socket_;
  const int niceness_;
  bool isReady_ = false, mayBePreparing_ = false;
};

/// Of the calling thread.
int currentNiceness();

} // namespace quern::runtime
