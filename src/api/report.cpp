#include "api/report.h"

#include "api/handle.h"
#include "base/log.h"
#include "base/sentence.h"
#include "runtime/context.h"

namespace quern::api {

namespace {

/// The context that the object behind `subject` belongs to; null when there is none or `subject` is
/// not a valid handle.
const runtime::Context* contextOf(const void* subject) {
  const runtime::ObjectHeader* header = checkedHeader(subject);
  return header ? header->object->owningContext() : nullptr;
}

/// Whether a function only asks. Layers between the program and the driver ask for what a driver
/// may not have, from within their own locks.
bool isQuery(std::string_view function) {
  return function.starts_with("clGet");
}

std::string_view fileName(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

} // namespace

void reportFailure(const char* function, const void* subject, const Status& status) {
  const runtime::Context* context = contextOf(subject);
  if (!context && !log::enabled(log::Level::Info))
    return;
  const std::string text =
      sentence(function, ": ", errorName(status.code()), ": ", status.sentence());
  log::info(
      sentence(text, " (", fileName(status.place().file_name()), ":", status.place().line(), ")"));
  if (context && !isQuery(function))
    context->notify(text);
}

} // namespace quern::api
