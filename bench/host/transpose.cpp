#include "host.h"
#include "team.h"
#include "tile.h"

#include <algorithm>

namespace quern::bench::host {
void transpose(const float* in, float* out, size_t rows, size_t columns) {
  // Tiles one below the other, so that what is written is contiguous.
  parallel((columns + tileEdge - 1) / tileEdge, 1, [=](size_t begin, size_t end) {
    for (size_t left = begin * tileEdge; left < std::min(end * tileEdge, columns); left += tileEdge)
      for (size_t top = 0; top < rows; top += tileEdge) {
        if (left + tileEdge <= columns && top + tileEdge <= rows) {
          transposeTile(in + top * columns + left, columns, out + left * rows + top, rows);
          continue;
        }
        for (size_t column = left; column < std::min(left + tileEdge, columns); ++column)
          for (size_t row = top; row < std::min(top + tileEdge, rows); ++row)
            out[column * rows + row] = in[row * columns + column];
      }
  });
}

} // namespace quern::bench::host
