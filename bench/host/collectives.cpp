#include "host.h"
#include "team.h"

#include <algorithm>
#include <numeric>

namespace quern::bench::host {

void collect(Collective collective, const int32_t* in, int32_t* out, size_t count, size_t group) {
  parallel(count / group, [=](size_t begin, size_t end) {
    for (size_t g = begin; g < end; ++g) {
      const int32_t* own = in + g * group;
      int32_t* result = out + g * group;
      switch (collective) {
      case Collective::Reduce:
        std::fill_n(result, group, std::accumulate(own, own + group, 0));
        break;
      case Collective::Scan:
        std::partial_sum(own, own + group, result);
        break;
      case Collective::Broadcast:
        std::transform(own, own + group, result,
                       [other = own[group / 3]](int32_t value) { return value - other; });
        break;
      case Collective::Any:
        std::fill_n(result, group, std::find(own, own + group, 0) != own + group);
        break;
      }
    }
  });
}

} // namespace quern::bench::host
