// ndrange_1D, ndrange_2D and ndrange_3D (OpenCL C 3.0, 6.15.18).
#include "types.h"

BUILTIN ndrange_t ndrange_1D(size_t offset, size_t global_size, size_t local_size) {
  return (ndrange_t){1, {offset, 0, 0}, {global_size, 1, 1}, {local_size, 1, 1}};
}
BUILTIN ndrange_t ndrange_1D(size_t global_size, size_t local_size) {
  return ndrange_1D(0, global_size, local_size);
}
BUILTIN ndrange_t ndrange_1D(size_t global_size) {
  return (ndrange_t){1, {0, 0, 0}, {global_size, 1, 1}, {0, 0, 0}};
}

BUILTIN ndrange_t ndrange_2D(const size_t offset[2], const size_t size[2],
                             const size_t local_size[2]) {
  return (ndrange_t){
      2, {offset[0], offset[1], 0}, {size[0], size[1], 1}, {local_size[0], local_size[1], 1}};
}
BUILTIN ndrange_t ndrange_2D(const size_t size[2], const size_t local_size[2]) {
  return (ndrange_t){2, {0, 0, 0}, {size[0], size[1], 1}, {local_size[0], local_size[1], 1}};
}
BUILTIN ndrange_t ndrange_2D(const size_t size[2]) {
  return (ndrange_t){2, {0, 0, 0}, {size[0], size[1], 1}, {0, 0, 0}};
}

BUILTIN ndrange_t ndrange_3D(const size_t offset[3], const size_t size[3],
                             const size_t local_size[3]) {
  return (ndrange_t){3,
                     {offset[0], offset[1], offset[2]},
                     {size[0], size[1], size[2]},
                     {local_size[0], local_size[1], local_size[2]}};
}
BUILTIN ndrange_t ndrange_3D(const size_t size[3], const size_t local_size[3]) {
  return (ndrange_t){
      3, {0, 0, 0}, {size[0], size[1], size[2]}, {local_size[0], local_size[1], local_size[2]}};
}
BUILTIN ndrange_t ndrange_3D(const size_t size[3]) {
  return (ndrange_t){3, {0, 0, 0}, {size[0], size[1], size[2]}, {0, 0, 0}};
}
