// One frame of the animation: every coordinate of every vertex grows by a hundredth.

kernel void zoom(global float* coordinates) {
  size_t i = get_global_id(0);
  coordinates[i] *= 1.01f;
}
