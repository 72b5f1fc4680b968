#include "devices/united/report.h"

#include <fstream>

#include "base/config.h"
#include "base/log.h"
#include "base/sentence.h"

namespace quern::united {

bool Report::isOn() const {
  return !config().get(Option::UniteReport).empty() || log::enabled(log::Level::Info);
}

void Report::add(std::string_view kernel, const std::string& what) {
  auto last = last_.lock();
  const auto known = last->find(kernel);
  if (known != last->end() && known->second == what)
    return;
  last->insert_or_assign(std::string(kernel), what);
  const std::string line = sentence("the kernel '", kernel, "' ", what);
  log::info(line);
  if (const std::string& path = config().get(Option::UniteReport); !path.empty())
    std::ofstream(path, std::ios::app) << line << '\n';
}

} // namespace quern::united
