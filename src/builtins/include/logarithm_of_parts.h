// The logarithms of float, of x = 2^exponent * (1 + f), where 1 + f lies between the square roots
// of 1/2 and 2: polynomials in f. Included once for each width.
#define ROOT_OF_HALF_float 0x3f3504f3

// Of a positive normal number.
static inline BUILTIN Float split_normal(Float x, private Float* exponent) {
  Int steps = bits_of(x) - ROOT_OF_HALF_float;
  *exponent = to_float(steps >> 23);
  return number_of((steps & 0x7fffff) + ROOT_OF_HALF_float) - 1.0f;
}

// The logarithm of 2 is split into a part of few digits, whose product with the exponent is exact,
// and the rest. The errors of the polynomials, relative to the logarithm, are below 2^-24.
static inline BUILTIN Float logarithm_of_parts(Float f, Float exponent, Float rest) {
  Float curve = (-7.646140456e-2f * f + 0.1277911812f) * f - 0.1316417903f;
  curve = ((curve * f + 0.1419969797f) * f - 0.1662276685f) * f + 0.2000129223f;
  curve = (curve * f - 0.2500083745f) * f + 0.3333333135f;
  Float square = f * f;
  Float small = (curve * f) * square + (exponent * 0x1.7f7d1cp-20f + rest);
  small = small - 0.5f * square;
  return exponent * 0x1.62e4p-1f + (f + small);
}

static inline BUILTIN Float log2_of_parts(Float f, Float exponent) {
  Float curve = (-0.1101223603f * f + 0.1864468604f) * f - 0.1911289394f;
  curve = ((curve * f + 0.2045650035f) * f - 0.2396059036f) * f + 0.2885687947f;
  curve = ((curve * f - 0.3606971204f) * f + 0.4808982313f) * f - 0.721347332f;
  return exponent + f * (curve * f + 1.442695022f);
}

static inline BUILTIN Float log10_of_parts(Float f, Float exponent) {
  Float curve = (-3.315013275e-2f * f + 5.612609535e-2f) * f - 5.753554404e-2f;
  curve = ((curve * f + 6.158020347e-2f) * f - 7.212856412e-2f) * f + 8.686786145e-2f;
  curve = ((curve * f - 0.1085806563f) * f + 0.1447647959f) * f - 0.2171471864f;
  Float small = f * (curve * f + 0.434294492f) + exponent * 0x1.3509f8p-18f;
  return exponent * 0x1.344p-2f + small;
}
