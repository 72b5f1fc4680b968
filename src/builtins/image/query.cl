// get_image_width and the other questions about an image.
#include "image_types.h"

#define QUERY(RESULT, NAME, ACCESS, IMAGE, VALUE)                                                  \
  BUILTIN RESULT NAME(ACCESS IMAGE image) {                                                        \
    const image_ptr data = __quern_image(image);                                                   \
    return VALUE;                                                                                  \
  }
#define QUERIES(RESULT, NAME, IMAGE, VALUE)                                                        \
  QUERY(RESULT, NAME, read_only, IMAGE, VALUE)                                                     \
  QUERY(RESULT, NAME, write_only, IMAGE, VALUE)                                                    \
  QUERY(RESULT, NAME, read_write, IMAGE, VALUE)

#define EVERY_IMAGE(IMAGE, FORM, ...)                                                              \
  QUERIES(int, get_image_width, IMAGE, data->size[0])                                              \
  QUERIES(int, get_image_channel_data_type, IMAGE, (int)data->channel_data_type)                   \
  QUERIES(int, get_image_channel_order, IMAGE, (int)data->channel_order)                           \
  FORM##_QUERIES(IMAGE)

#define LINE_QUERIES(IMAGE)
#define LINE_ARRAY_QUERIES(IMAGE)                                                                  \
  QUERIES(size_t, get_image_array_size, IMAGE, (size_t)data->size[1])
#define PLANE_QUERIES(IMAGE)                                                                       \
  QUERIES(int, get_image_height, IMAGE, data->size[1])                                             \
  QUERIES(int2, get_image_dim, IMAGE, ((int2)(data->size[0], data->size[1])))
#define PLANE_ARRAY_QUERIES(IMAGE)                                                                 \
  PLANE_QUERIES(IMAGE)                                                                             \
  QUERIES(size_t, get_image_array_size, IMAGE, (size_t)data->size[2])
#define SPACE_QUERIES(IMAGE)                                                                       \
  QUERIES(int, get_image_height, IMAGE, data->size[1])                                             \
  QUERIES(int, get_image_depth, IMAGE, data->size[2])                                              \
  QUERIES(int4, get_image_dim, IMAGE, ((int4)(data->size[0], data->size[1], data->size[2], 0)))

EACH_IMAGE(EVERY_IMAGE, )

#define NUMBER_OF_SAMPLES(IMAGE, FORM, ...)                                                        \
  QUERIES(int, get_image_num_samples, IMAGE, (int)data->samples)
EACH_MULTISAMPLE_IMAGE(NUMBER_OF_SAMPLES, )
