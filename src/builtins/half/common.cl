// The common functions of half, evaluated in float.
#include "common_scalar.h"
#include "in_float.h"

EACH_WIDTH(IN_FLOAT_1, degrees)
EACH_WIDTH(IN_FLOAT_1, radians)
EACH_WIDTH(IN_FLOAT_1, sign)
EACH_WIDTH(IN_FLOAT_2, max)
EACH_WIDTH(IN_FLOAT_2, min)
EACH_WIDTH(IN_FLOAT_2, step)
EACH_WIDTH(IN_FLOAT_3, clamp)
EACH_WIDTH(IN_FLOAT_3, mix)
EACH_WIDTH(IN_FLOAT_3, smoothstep)

EACH_VECTOR(COMMON_BY_SCALAR, half)
