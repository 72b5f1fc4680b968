// C = alpha A B + beta C, for matrices with any strides. A work-group computes a tile of C from
// parts of A and B that it copies to local memory: so strides, edges and types only matter to the
// copies.
#include "one_launch.h"

#ifndef QUERN_MATRIX_PRODUCT_CL
#define QUERN_MATRIX_PRODUCT_CL
#define PRODUCT_ITEMS 256

struct product {
  ulong m, n, k;
  ulong a_row, a_column, b_row, b_column, c_row, c_column;
};
#endif

#define TILE_PRODUCT JOIN(NAME, _tile)

#ifdef ON_GPU

// 16 x 16 work-items, each of which has 8 rows and OWN_COLUMNS columns of the tile, in groups of as
// many as a load of 16 bytes brings.
#define UNIT (16 / sizeof(VALUE))
#define OWN_ROWS 8
#define OWN_COLUMNS (UNIT * 2)
#define TILE_ROWS (16 * OWN_ROWS)
#define TILE_COLUMNS (16 * OWN_COLUMNS)
#define DEPTH (UNIT * 4)
#define A_PITCH (TILE_ROWS + UNIT)
#define B_PITCH (TILE_COLUMNS + UNIT)
#define A_LOADS (TILE_ROWS * DEPTH / PRODUCT_ITEMS)
#define B_LOADS (TILE_COLUMNS * DEPTH / PRODUCT_ITEMS)
#define LOCAL_VALUES (2 * DEPTH * (A_PITCH + B_PITCH))
#define SLICE JOIN(NAME, _slice)
#define UNITS JOIN3(VALUE, VECTOR_UNIT, )
#if VALUE_BITS == 64
#define VECTOR_UNIT 2
#else
#define VECTOR_UNIT 4
#endif

// How a work-item copies its elements of a slice: DEPTH steps along k of a matrix, `extent` rows or
// columns of a tile.
struct SLICE {
  global const ELEMENT* from; // the first
  ulong step, advance;        // to the next one, and to those of the next slice
  uint to, to_step;           // in local memory
  uint k, k_step;             // where the first is, and how much further along k the next
  uint within;                // how many are inside of the matrix
};

struct SLICE JOIN(NAME, _slice_of)(global const ELEMENT* matrix, ulong stride, ulong k_stride,
                                   ulong extent, uint tile, uint pitch) {
  const uint me = get_local_id(0);
  struct SLICE s;
  // Work-items side by side take elements that lie side by side.
  const bool alongK = k_stride < stride;
  s.k = alongK ? me % DEPTH : me / tile;
  const uint place = alongK ? me / DEPTH : me % tile;
  const uint next = PRODUCT_ITEMS / (alongK ? DEPTH : tile);
  s.k_step = alongK ? 0 : next;
  s.from = matrix + place * stride + s.k * k_stride;
  s.step = next * (alongK ? stride : k_stride);
  s.advance = DEPTH * k_stride;
  s.to = s.k * pitch + place;
  s.to_step = alongK ? next : next * pitch;
  const uint inside = place < extent ? min((extent - place - 1) / next + 1, (ulong)tile) : 0;
  s.within = alongK ? inside : inside ? tile : 0;
  return s;
}

#define FETCH(s, loads, into, left)                                                                \
  {                                                                                                \
    const uint steps = s.k >= (left)   ? 0                                                         \
                       : s.k_step == 0 ? s.within                                                  \
                                       : min(s.within, (uint)(((left) - s.k - 1) / s.k_step + 1)); \
    _Pragma("unroll") for (uint j = 0; j < loads; ++j) {                                           \
      into[j] = j < steps ? s.from[j * s.step] : 0;                                                \
    }                                                                                              \
    s.from += s.advance;                                                                           \
  }
#define PUT(s, loads, values, into)                                                                \
  _Pragma("unroll") for (uint j = 0; j < loads; ++j)(into)[s.to + j * s.to_step] = values[j];

void TILE_PRODUCT(struct product p, VALUE alpha, global const ELEMENT* a, global const ELEMENT* b,
                  VALUE beta, global ELEMENT* c, ulong rows, ulong columns, local VALUE* memory) {
  const uint row = get_local_id(0) / 16 * UNIT, column = get_local_id(0) % 16 * UNIT;
  struct SLICE sa = JOIN(NAME, _slice_of)(a, p.a_row, p.a_column, rows, TILE_ROWS, A_PITCH);
  struct SLICE sb = JOIN(NAME, _slice_of)(b, p.b_column, p.b_row, columns, TILE_COLUMNS, B_PITCH);
  VALUE sums[OWN_ROWS][OWN_COLUMNS] = {{0}};
  VALUE nextA[A_LOADS], nextB[B_LOADS];
  local VALUE* as = memory;
  local VALUE* bs = memory + 2 * DEPTH * A_PITCH;
  if (p.k > 0) {
    FETCH(sa, A_LOADS, nextA, p.k)
    FETCH(sb, B_LOADS, nextB, p.k)
    PUT(sa, A_LOADS, nextA, as)
    PUT(sb, B_LOADS, nextB, bs)
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uint half_ = 0;
  for (ulong k = 0; k < p.k; k += DEPTH) {
    const bool more = k + DEPTH < p.k;
    if (more) {
      FETCH(sa, A_LOADS, nextA, p.k - k - DEPTH)
      FETCH(sb, B_LOADS, nextB, p.k - k - DEPTH)
    }
    local const VALUE* ak = as + half_ * DEPTH * A_PITCH + row;
    local const VALUE* bk = bs + half_ * DEPTH * B_PITCH + column;
    _Pragma("unroll") for (uint i = 0; i < DEPTH; ++i, ak += A_PITCH, bk += B_PITCH) {
      VALUE x[OWN_ROWS], y[OWN_COLUMNS];
      _Pragma("unroll") for (uint r = 0; r < OWN_ROWS; r += UNIT)
          JOIN(vstore, VECTOR_UNIT)(*(local const UNITS*)(ak + r * 16), 0, x + r);
      _Pragma("unroll") for (uint q = 0; q < OWN_COLUMNS; q += UNIT)
          JOIN(vstore, VECTOR_UNIT)(*(local const UNITS*)(bk + q * 16), 0, y + q);
      _Pragma("unroll") for (uint r = 0; r < OWN_ROWS; ++r)
          _Pragma("unroll") for (uint q = 0; q < OWN_COLUMNS; ++q) sums[r][q] += x[r] * y[q];
    }
    half_ ^= 1;
    if (more) {
      PUT(sa, A_LOADS, nextA, as + half_ * DEPTH * A_PITCH)
      PUT(sb, B_LOADS, nextB, bs + half_ * DEPTH * B_PITCH)
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  _Pragma("unroll") for (uint r = 0; r < OWN_ROWS; ++r)
      _Pragma("unroll") for (uint q = 0; q < OWN_COLUMNS; ++q) {
    const ulong y = row + r / UNIT * 16 * UNIT + r % UNIT;
    const ulong x = column + q / UNIT * 16 * UNIT + q % UNIT;
    if (y < rows && x < columns) {
      global ELEMENT* to = c + y * p.c_row + x * p.c_column;
      *to = alpha * sums[r][q] + (beta == 0 ? 0 : beta * (VALUE)*to);
    }
  }
}

#else

// The registers hold the sums of ROWS rows of two vectors, two vectors of B, and one element of A.
#define VECTOR JOIN(VALUE, LANES)
#define ROWS (REGISTERS == 32 ? 14 : 6)
#define COLUMNS (2 * LANES)
#define TILE_ROWS (8 * ROWS)
#define TILE_COLUMNS (8 * COLUMNS)
#define DEPTH 64
#define A_VALUES (TILE_ROWS * DEPTH)
#define B_VALUES (TILE_COLUMNS * DEPTH)
#define LOCAL_VALUES (A_VALUES + B_VALUES + TILE_ROWS * TILE_COLUMNS)
#define PACK JOIN(NAME, _pack)
#define BLOCK_PRODUCT JOIN(NAME, _block)

// Elements of `extent` rows or columns in bands of `band`, each with all its values for one k side
// by side; zeros beyond the matrix.
void PACK(local VALUE* to, global const ELEMENT* from, ulong stride, ulong k_stride, ulong extent,
          uint depth, uint band) {
  for (uint first = 0; first < extent; first += band, to += band * depth) {
    global const ELEMENT* begin = from + first * stride;
    const uint inside = min((ulong)band, extent - first);
    if (stride == 1 && inside == COLUMNS) {
      for (uint k = 0; k < depth; ++k)
        for (uint i = 0; i < COLUMNS; i += LANES)
          JOIN(vstore,
               LANES)(JOIN(convert_, VECTOR)(JOIN(vload, LANES)(0, begin + k * k_stride + i)), 0,
                      to + k * COLUMNS + i);
      continue;
    }
    for (uint i = 0; i < band; ++i)
      for (uint k = 0; k < depth; ++k)
        to[k * band + i] = i < inside ? begin[i * stride + k * k_stride] : 0;
  }
}

void BLOCK_PRODUCT(local const VALUE* a, local const VALUE* b, uint depth, local VALUE* c) {
  VECTOR sums[ROWS][2];
  _Pragma("unroll") for (uint r = 0; r < ROWS; ++r) {
    sums[r][0] = JOIN(vload, LANES)(0, c + r * TILE_COLUMNS);
    sums[r][1] = JOIN(vload, LANES)(1, c + r * TILE_COLUMNS);
  }
  _Pragma("unroll 1") for (uint k = 0; k < depth; ++k, a += ROWS, b += COLUMNS) {
    const VECTOR left = JOIN(vload, LANES)(0, b), right = JOIN(vload, LANES)(1, b);
    _Pragma("unroll") for (uint r = 0; r < ROWS; ++r) {
      sums[r][0] += (VECTOR)a[r] * left;
      sums[r][1] += (VECTOR)a[r] * right;
    }
  }
  _Pragma("unroll") for (uint r = 0; r < ROWS; ++r) {
    JOIN(vstore, LANES)(sums[r][0], 0, c + r * TILE_COLUMNS);
    JOIN(vstore, LANES)(sums[r][1], 1, c + r * TILE_COLUMNS);
  }
}

void TILE_PRODUCT(struct product p, VALUE alpha, global const ELEMENT* a, global const ELEMENT* b,
                  VALUE beta, global ELEMENT* c, ulong rows, ulong columns, local VALUE* memory) {
  local VALUE *as = memory, *bs = as + A_VALUES, *sums = bs + B_VALUES;
  for (uint i = 0; i < TILE_ROWS * TILE_COLUMNS; i += LANES)
    JOIN(vstore, LANES)((VECTOR)0, 0, sums + i);
  for (ulong k = 0; k < p.k; k += DEPTH) {
    const uint depth = min((ulong)DEPTH, p.k - k);
    PACK(as, a + k * p.a_column, p.a_row, p.a_column, rows, depth, ROWS);
    PACK(bs, b + k * p.b_row, p.b_column, p.b_row, columns, depth, COLUMNS);
    for (uint x = 0; x < columns; x += COLUMNS)
      for (uint y = 0; y < rows; y += ROWS)
        BLOCK_PRODUCT(as + y * depth, bs + x * depth, depth, sums + y * TILE_COLUMNS + x);
  }
  for (uint y = 0; y < rows; ++y)
    for (uint x = 0; x < columns; ++x) {
      global ELEMENT* to = c + y * p.c_row + x * p.c_column;
      const VALUE old = beta == 0 ? 0 : beta * (VALUE)*to;
      *to = alpha * sums[y * TILE_COLUMNS + x] + old;
    }
}

#endif

kernel GROUP(PRODUCT_ITEMS) void NAME(ulong m, ulong n, ulong k, VALUE alpha,
                                      global const ELEMENT* a, ulong a_offset, ulong a_row,
                                      ulong a_column, global const ELEMENT* b, ulong b_offset,
                                      ulong b_row, ulong b_column, VALUE beta, global ELEMENT* c,
                                      ulong c_offset, ulong c_row, ulong c_column,
                                      global void* scratch) {
  local uint shared;
  local VALUE memory[LOCAL_VALUES] __attribute__((aligned(64)));
  global struct schedule* schedule = scratch;
  const struct product p = {m, n, k, a_row, a_column, b_row, b_column, c_row, c_column};
  const ulong across = (n + TILE_COLUMNS - 1) / TILE_COLUMNS;
  const ulong tiles = across * ((m + TILE_ROWS - 1) / TILE_ROWS);
  for (ulong i; (i = take_ticket(schedule, &shared)) < tiles;) {
    const ulong y = i / across * TILE_ROWS, x = i % across * TILE_COLUMNS;
    TILE_PRODUCT(p, alpha, a + a_offset + y * a_row, b + b_offset + x * b_column, beta,
                 c + c_offset + y * c_row + x * c_column, min(m - y, (ulong)TILE_ROWS),
                 min(n - x, (ulong)TILE_COLUMNS), memory);
  }
  leave_last(schedule, &shared);
}

#undef TILE_PRODUCT
#undef TILE_ROWS
#undef TILE_COLUMNS
#undef DEPTH
#undef LOCAL_VALUES
#undef UNIT
#undef OWN_ROWS
#undef OWN_COLUMNS
#undef A_PITCH
#undef B_PITCH
#undef A_LOADS
#undef B_LOADS
#undef SLICE
#undef UNITS
#undef VECTOR_UNIT
#undef FETCH
#undef PUT
#undef VECTOR
#undef ROWS
#undef COLUMNS
#undef A_VALUES
#undef B_VALUES
#undef PACK
#undef BLOCK_PRODUCT
