// The least and greatest value of each integer type, by the type's name.
#pragma once

#define LOWEST_char CHAR_MIN
#define LOWEST_short SHRT_MIN
#define LOWEST_int INT_MIN
#define LOWEST_long LONG_MIN
#define LOWEST_uchar 0
#define LOWEST_ushort 0
#define LOWEST_uint 0
#define LOWEST_ulong 0

#define HIGHEST_char CHAR_MAX
#define HIGHEST_short SHRT_MAX
#define HIGHEST_int INT_MAX
#define HIGHEST_long LONG_MAX
#define HIGHEST_uchar UCHAR_MAX
#define HIGHEST_ushort USHRT_MAX
#define HIGHEST_uint UINT_MAX
#define HIGHEST_ulong ULONG_MAX
