#include "compiler/large_stack.h"

#include <exception>

#include <pthread.h>

namespace quern::compiler {
namespace {

struct Job {
  const std::function<void()>& work;
  std::string failure;
};

void* runJob(void* argument) {
  auto& job = *static_cast<Job*>(argument);
  try {
    job.work();
  } catch (const std::exception& exception) {
    job.failure = exception.what();
  }
  return nullptr;
}

bool hasLargeStack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return false;
  size_t bytes = 0;
  pthread_attr_getstacksize(&attributes, &bytes);
  pthread_attr_destroy(&attributes);
  return bytes >= largeStackBytes;
}

} // namespace

std::string runOnLargeStack(const std::function<void()>& work) {
  Job job{.work = work, .failure = {}};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, largeStackBytes);
  pthread_t thread;
  if (!hasLargeStack() && pthread_create(&thread, &attributes, runJob, &job) == 0)
    pthread_join(thread, nullptr);
  else
    runJob(&job); // also where there is no memory for another stack: the caller's must do
  pthread_attr_destroy(&attributes);
  return job.failure;
}

} // namespace quern::compiler
