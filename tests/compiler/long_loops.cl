// Scattering of a particle whose sizes are distributed: few work-items, each of which has nested loops with conditions in them.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

double form(double q, double length) {
  const double x = q * length;
  return fabs(x) < 0.25 ? 1 - x * x / 6 : sin(x) / x;
}

double amplitude(double qa, double qb, double radius, double spacing, int pearls) {
  double sum = 0;
  for (int i = 0; i < pearls; ++i) {
    const double a = qa * spacing * i, b = qb * spacing * i;
    if (a > b)
      sum += exp(-a * a) * form(a, radius);
    else
      sum += cos(b) * form(b, radius);
    if (sum > 1e6)
      break;
  }
  return sum;
}

kernel void scatter(global const double *restrict q, global double *restrict result, global const double *sizes,
                    global const double *spacings, global const int *counts, int sizeCount, int spacingCount, int countCount, int n,
                    double cutoff) {
  const int id = get_global_id(0);
  if (id >= n)
    return;
  const double qx = q[2 * id], qy = q[2 * id + 1];
  double total = result[id];
  for (int c = 0; c < countCount; ++c)
    for (int s = 0; s < spacingCount; ++s)
      for (int r = 0; r < sizeCount; ++r) {
        const double weight = sizes[2 * r + 1] * spacings[2 * s + 1];
        if (weight < cutoff)
          continue;
        const double f = amplitude(qx, qy, sizes[2 * r], spacings[2 * s], counts[c]);
        if (qx * qx + qy * qy > 1e-16)
          total += weight * f * f;
        else
          total += weight;
      }
  result[id] = total;
}
