// Includes the source itself again, once for every width of vectors, with Float, Double, Int and
// Long naming the types of that width: functions are written once and as they would be for scalars.
#include "lanes.h"

#define WIDTH 1
#define Float float
#define Double double
#define Int int
#define Long long
#include __BASE_FILE__
#include "undefine_width.h"

#define WIDTH 2
#define Float float2
#define Double double2
#define Int int2
#define Long long2
#include __BASE_FILE__
#include "undefine_width.h"

#define WIDTH 3
#define Float float3
#define Double double3
#define Int int3
#define Long long3
#include __BASE_FILE__
#include "undefine_width.h"

#define WIDTH 4
#define Float float4
#define Double double4
#define Int int4
#define Long long4
#include __BASE_FILE__
#include "undefine_width.h"

#define WIDTH 8
#define Float float8
#define Double double8
#define Int int8
#define Long long8
#include __BASE_FILE__
#include "undefine_width.h"

#define WIDTH 16
#define Float float16
#define Double double16
#define Int int16
#define Long long16
#include __BASE_FILE__
#include "undefine_width.h"
