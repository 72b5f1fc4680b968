// A program with a mistake: the name `scale` is not declared anywhere. The build log should say so,
// and where.

kernel void broken(global float* values) {
  size_t i = get_global_id(0);
  values[i] = scale * values[i];
}
