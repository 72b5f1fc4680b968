// Copies of lines and planes (cl_khr_extended_async_copies), made like those of copy.cl by one
// work-item at once. Offsets, lengths and areas are counted in elements.
#include "types.h"

#define COPY_RECT(TO, FROM)                                                                        \
  BUILTIN event_t async_work_group_copy_3D3D(                                                      \
      TO void* to, size_t to_offset, const FROM void* from, size_t from_offset,                    \
      size_t element_bytes, size_t line_length, size_t lines, size_t planes,                       \
      size_t from_line_length, size_t from_plane_area, size_t to_line_length,                      \
      size_t to_plane_area, event_t event) {                                                       \
    if ((get_local_id(0) | get_local_id(1) | get_local_id(2)) != 0)                                \
      return event;                                                                                \
    for (size_t plane = 0; plane < planes; ++plane)                                                \
      for (size_t line = 0; line < lines; ++line) {                                                \
        size_t to_first = to_offset + plane * to_plane_area + line * to_line_length;               \
        size_t from_first = from_offset + plane * from_plane_area + line * from_line_length;       \
        __builtin_memcpy((TO char*)to + to_first * element_bytes,                                  \
                         (const FROM char*)from + from_first * element_bytes,                      \
                         line_length * element_bytes);                                             \
      }                                                                                            \
    return event;                                                                                  \
  }                                                                                                \
  BUILTIN event_t async_work_group_copy_2D2D(                                                      \
      TO void* to, size_t to_offset, const FROM void* from, size_t from_offset,                    \
      size_t element_bytes, size_t line_length, size_t lines, size_t from_line_length,             \
      size_t to_line_length, event_t event) {                                                      \
    return async_work_group_copy_3D3D(to, to_offset, from, from_offset, element_bytes,             \
                                      line_length, lines, 1, from_line_length, 0, to_line_length,  \
                                      0, event);                                                   \
  }
COPY_RECT(local, global)
COPY_RECT(global, local)
