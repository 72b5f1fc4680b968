// The host's side of the comparison: the work of each kernel in C++ on all cores, as one would
// write it who knows the machine: vectors as wide as it has, in tiles that suit its registers and
// caches. Arrays are laid out as in the kernel files of examples/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace quern::bench::host {

/// The compiler of all this, its version and its options.
std::string compiler();

/// The number of threads that all functions below use.
size_t threadCount();

/// Gives the team a piece of work for each thread, with nothing to do, and waits for all.
void wakeAll();

/// While it lives, this thread does alone what the functions below would share out to all.
class Alone {
public:
  Alone();
  ~Alone();
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;
};

void addFloat(const float* a, const float* b, float* c, size_t count);
void multiplyFloat(const float* a, const float* b, float* c, size_t count);
void addInt(const int32_t* a, const int32_t* b, int32_t* c, size_t count);
void multiplyInt(const int32_t* a, const int32_t* b, int32_t* c, size_t count);

/// C = A B; A has m rows and k columns, B k rows and n columns.
void matmul(const float* a, const float* b, float* c, size_t m, size_t n, size_t k);

/// `passes` iterations of the filter with 16 + 16 taps, starting from 0. The last pass's output is
/// in y; `other` is memory for another one.
void iir(const float* x, const float* a, const float* b, float* y, float* other, size_t count,
         size_t passes);

struct Molecule {
  const float *x, *y, *z, *charge, *radius;
  size_t atoms;
};
void mdh(const Molecule& molecule, const float* x, const float* y, const float* z, float* potential,
         size_t points, float kappa, float pre);

void transpose(const float* in, float* out, size_t rows, size_t columns);

/// Of centroids at the same distance the first one counts.
void nearestCentroids(const float* descriptors, const float* centroids, uint32_t* histogram,
                      size_t count, size_t k);

float minimum(const float* values, size_t count);
void histogram(const int32_t* values, size_t count, uint32_t* counts, size_t bins);

/// `frames` frames in place.
void zoom(float* coordinates, size_t count, size_t frames);

struct Waves {
  const float* centres; ///< x and y of each drop
  const float* start;
  size_t drops;
  float amplitude, decay, speed, width, wave;
};
/// Sets z of each of `count` vertices x, y, z.
void ripple(float* vertices, size_t count, const Waves& waves, float time);

/// The acceleration of each body; x, y, z and the mass of a body follow each other in `positions`.
void gravity(const float* positions, float* accelerations, size_t bodies, float softening);

/// For columns x rows points of the complex plane, `step` apart.
void mandelbrot(int32_t* iterations, size_t columns, size_t rows, float left, float top, float step,
                int32_t limit);

struct Options {
  const float *price, *strike, *years;
  size_t count;
};
void blackScholes(const Options& options, float rate, float volatility, float* call, float* put);

/// The mathematical function `name` of each element, or of each pair. Throws std::invalid_argument
/// for a name that it does not know.
void apply(const std::string& name, const float* a, const float* b, float* result, size_t count);
void apply(const std::string& name, const double* a, const double* b, double* result, size_t count);

/// The mean of each inner point and its four neighbours; the border is copied.
void stencil(const float* in, float* out, size_t columns, size_t rows);

/// Compressed sparse rows.
struct SparseRows {
  const int32_t *starts, *columns;
  const float* values;
};
void multiplyRows(const SparseRows& matrix, const float* vector, float* result, size_t rows);

/// What the work-items of groups of `group` numbers, which divides `count`, get from a collective
/// function: the group's sum, the sum of those up to their own, the difference to the one at
/// group / 3, or whether any is 0.
enum class Collective { Reduce, Scan, Broadcast, Any };
void collect(Collective collective, const int32_t* in, int32_t* out, size_t count, size_t group);
void mixBits(const int32_t* in, int32_t* out, size_t count, uint32_t rounds);

/// What is read beyond the edges of a picture.
enum class Addressing { Edge, Border, Repeat, Mirror };
/// A square picture of four channels turned, shrunk and smoothed; at places between the elements
/// the nearest counts, or the linear mean of four.
void filterImage(const uint8_t* picture, uint8_t* result, size_t side, Addressing addressing,
                 bool isLinear);

/// The sums of all elements up to each one.
void scan(const int32_t* in, int32_t* out, size_t count);
/// In place, with `memory` for as many keys.
void sort(uint32_t* keys, uint32_t* memory, size_t count);

/// Floating-point operations per second of all cores in float, with independent fused multiply-adds
/// in registers.
double measureFmaPeak();

/// Bytes per second of a[i] = b[i] + s c[i] on all cores, with arrays of `footprint` bytes in all.
double measureTriad(size_t footprint);

} // namespace quern::bench::host
