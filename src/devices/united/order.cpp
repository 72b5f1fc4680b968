#include "devices/united/order.h"

#include <algorithm>

namespace quern::united {

void Order::add(Ordered& command, std::vector<OrderedUse> uses) {
  command.uses_ = std::move(uses);
  {
    auto lines = lines_.lock();
    for (const OrderedUse& use : command.uses_) {
      std::deque<Place>& line = (*lines)[use.allocation];
      for (const Place& earlier : line)
        command.awaited_ += use.writes || earlier.writes;
      line.push_back({&command, use.writes});
    }
    if (command.awaited_ != 0)
      return;
  }
  command.mayStart();
}

void Order::remove(Ordered& command) {
  std::vector<Ordered*> ready;
  {
    auto lines = lines_.lock();
    for (const OrderedUse& use : command.uses_) {
      std::deque<Place>& line = lines->at(use.allocation);
      const auto own = std::ranges::find(line, &command, &Place::command);
      for (const Place& later : std::ranges::subrange(std::next(own), line.end()))
        if ((use.writes || later.writes) && --later.command->awaited_ == 0)
          ready.push_back(later.command);
      line.erase(own);
      if (line.empty())
        lines->erase(use.allocation);
    }
  }
  for (Ordered* next : ready)
    next->mayStart();
}

} // namespace quern::united
