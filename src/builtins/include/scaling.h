// value * 2^exponent for whole numbers: of float between -252 and 254, of double between -2044 and
// 2046. Included once for each width.

BUILTIN_OUT_OF_LINE Float __quern_scaled(Float value, Float exponent);
BUILTIN_OUT_OF_LINE Double __quern_scaled(Double value, Double exponent);
