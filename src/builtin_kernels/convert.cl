// Copies a matrix with any strides to one with any others, and converts its elements: FROM to
// ELEMENT by CONVERT_NAME and CONVERT_SUFFIX. A transposition is a copy whose output has its
// strides exchanged.
#include "one_launch.h"

#ifndef QUERN_CONVERT_CL
#define QUERN_CONVERT_CL
#define COPY_ITEMS 256
#define COPY_TILE 64         // rows and columns, of a tile that is transposed
#define COPY_LONG_TILE 16384 // columns, of a tile of one row

struct matrices {
  ulong rows, columns;
  ulong in_row, in_column, out_row, out_column;
};

// The same elements, such that columns are the direction in which the input lies closer together.
struct matrices with_short_columns(struct matrices m) {
  if (m.in_column <= m.in_row || m.columns == 1)
    return m;
  struct matrices turned = {m.columns, m.rows, m.in_column, m.in_row, m.out_column, m.out_row};
  return turned;
}

// The same elements, in one row where both matrices have no gaps.
struct matrices without_gaps(struct matrices m) {
  if (m.in_column != 1 || m.out_column != 1 || m.in_row != m.columns || m.out_row != m.columns)
    return m;
  struct matrices flat = {1, m.rows * m.columns, 0, 1, 0, 1};
  return flat;
}
#endif

#define CONVERT(value, lanes) JOIN3(CONVERT_NAME, lanes, CONVERT_SUFFIX)(value)
#define COPY_ROW JOIN(NAME, _row)
#define COPY_TURNED JOIN(NAME, _turned)

#ifdef ON_GPU

#define LOCAL_ELEMENTS (COPY_TILE * (COPY_TILE + 1))

void COPY_ROW(struct matrices m, global const FROM* in, global ELEMENT* out, uint columns) {
  _Pragma("unroll 8") for (uint x = get_local_id(0); x < columns; x += COPY_ITEMS)
      out[x * m.out_column] = CONVERT(in[x * m.in_column], );
}

// A tile whose output lies closer together in the direction of columns.
void COPY_TURNED(struct matrices m, global const FROM* in, global ELEMENT* out, uint rows,
                 uint columns, local ELEMENT* tile) {
  const uint fast = get_local_id(0) % COPY_TILE, step = COPY_ITEMS / COPY_TILE;
  _Pragma("unroll") for (uint y = get_local_id(0) / COPY_TILE; y < COPY_TILE;
                         y += step) if (y < rows && fast < columns)
      tile[y * (COPY_TILE + 1) + fast] = CONVERT(in[y * m.in_row + fast * m.in_column], );
  barrier(CLK_LOCAL_MEM_FENCE);
  _Pragma("unroll") for (uint x = get_local_id(0) / COPY_TILE; x < COPY_TILE;
                         x += step) if (x < columns && fast < rows)
      out[fast * m.out_row + x * m.out_column] = tile[fast * (COPY_TILE + 1) + x];
}

#else

// Rows of a tile that were a power of two apart would lie in the same lines of a cache.
#define TILE_ROW (COPY_TILE + BLOCK_LANES)
#define LOCAL_ELEMENTS (COPY_TILE * TILE_ROW)
#define BLOCK JOIN(ELEMENT, BLOCK_LANES)
#define LOAD(p, lanes) CONVERT(JOIN(vload, lanes)(0, p), lanes)

void COPY_ROW(struct matrices m, global const FROM* in, global ELEMENT* out, uint columns) {
  uint x = 0;
  if (m.in_column == 1 && m.out_column == 1)
    for (; x + COPY_LANES <= columns; x += COPY_LANES)
      JOIN(vstore, COPY_LANES)(LOAD(in + x, COPY_LANES), 0, out + x);
  for (; x < columns; ++x)
    out[x * m.out_column] = CONVERT(in[x * m.in_column], );
}

// BLOCK_LANES rows and columns of a tile: each round puts a row's elements between those of the row
// that is half of the block further down, and the last one has the transposed block.
void JOIN(NAME, _block)(local const ELEMENT* tile, global ELEMENT* out, ulong out_column) {
  BLOCK rows[BLOCK_LANES], next[BLOCK_LANES];
  _Pragma("unroll") for (uint i = 0; i < BLOCK_LANES; ++i) rows[i] =
      JOIN(vload, BLOCK_LANES)(0, tile + i * TILE_ROW);
  _Pragma("unroll") for (uint round = 1; round < BLOCK_LANES; round *= 2) {
    _Pragma("unroll") for (uint i = 0; i < BLOCK_LANES / 2; ++i) {
      next[2 * i].even = rows[i].lo;
      next[2 * i].odd = rows[i + BLOCK_LANES / 2].lo;
      next[2 * i + 1].even = rows[i].hi;
      next[2 * i + 1].odd = rows[i + BLOCK_LANES / 2].hi;
    }
    _Pragma("unroll") for (uint i = 0; i < BLOCK_LANES; ++i) rows[i] = next[i];
  }
  _Pragma("unroll") for (uint i = 0; i < BLOCK_LANES; ++i)
      JOIN(vstore, BLOCK_LANES)(rows[i], 0, out + i * out_column);
}

// Whole lines of the input go into the tile, one row after the other: of a matrix whose rows are
// powers of two apart a cache does not keep the lines of as many rows as a tile has.
void COPY_TURNED(struct matrices m, global const FROM* in, global ELEMENT* out, uint rows,
                 uint columns, local ELEMENT* tile) {
  const bool inBlocks = m.in_column == 1 && m.out_row == 1;
  const uint blockRows = inBlocks ? rows / BLOCK_LANES * BLOCK_LANES : 0;
  const uint blockColumns = columns / BLOCK_LANES * BLOCK_LANES;
  for (uint y = 0; y < blockRows; ++y)
    for (uint x = 0; x < blockColumns; x += BLOCK_LANES)
      JOIN(vstore, BLOCK_LANES)(LOAD(in + y * m.in_row + x, BLOCK_LANES), 0,
                                tile + y * TILE_ROW + x);
  for (uint x = 0; x < blockColumns; x += BLOCK_LANES)
    for (uint y = 0; y < blockRows; y += BLOCK_LANES)
      JOIN(NAME, _block)(tile + y * TILE_ROW + x, out + y + x * m.out_column, m.out_column);
  for (uint y = 0; y < rows; ++y)
    for (uint x = y < blockRows ? blockColumns : 0; x < columns; ++x)
      out[y * m.out_row + x * m.out_column] = CONVERT(in[y * m.in_row + x * m.in_column], );
}

#undef BLOCK
#undef LOAD

#endif

#ifdef TRANSPOSES
kernel GROUP(COPY_ITEMS) void NAME(ulong rows, ulong columns, global const FROM* in,
                                   ulong in_offset, ulong in_row, global ELEMENT* out,
                                   ulong out_offset, ulong out_row, global void* scratch) {
  const struct matrices given = {rows, columns, in_row, 1, 1, out_row};
#else
kernel GROUP(COPY_ITEMS) void NAME(ulong rows, ulong columns, global const FROM* in,
                                   ulong in_offset, ulong in_row, ulong in_column,
                                   global ELEMENT* out, ulong out_offset, ulong out_row,
                                   ulong out_column, global void* scratch) {
  const struct matrices given = {rows, columns, in_row, in_column, out_row, out_column};
#endif
  local uint shared;
  local ELEMENT tile[LOCAL_ELEMENTS];
  global struct schedule* schedule = scratch;
  in += in_offset;
  out += out_offset;
  const struct matrices m = without_gaps(with_short_columns(given));
  const bool turns = m.out_row < m.out_column && m.rows > 1;
  const ulong height = turns ? COPY_TILE : max(COPY_LONG_TILE / max(m.columns, 1ul), 1ul);
  const ulong width = turns ? COPY_TILE : COPY_LONG_TILE;
  const ulong across = (m.columns + width - 1) / width;
  const ulong tiles = across * ((m.rows + height - 1) / height);
  for (ulong i; (i = take_ticket(schedule, &shared)) < tiles;) {
    // Down the columns: the tiles that follow write where these have.
    const ulong y = i / across * height, x = i % across * width;
    const uint h = min(height, m.rows - y), w = min(width, m.columns - x);
    global const FROM* from = in + y * m.in_row + x * m.in_column;
    global ELEMENT* to = out + y * m.out_row + x * m.out_column;
    if (turns)
      COPY_TURNED(m, from, to, h, w, tile);
    else
      for (uint row = 0; row < h; ++row)
        COPY_ROW(m, from + row * m.in_row, to + row * m.out_row, w);
  }
  leave_last(schedule, &shared);
}

#undef CONVERT
#undef COPY_ROW
#undef COPY_TURNED
#undef LOCAL_ELEMENTS
#undef TILE_ROW
