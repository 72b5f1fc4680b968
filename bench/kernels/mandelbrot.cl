// Iterations until a point of the complex plane leaves the circle of radius 2.

kernel void mandelbrot(global int* iterations, float left, float top, float step, int limit) {
  const float a = left + step * (float)get_global_id(0);
  const float b = top + step * (float)get_global_id(1);
  float x = a, y = b;
  int count = 0;
  while (count < limit && x * x + y * y <= 4.0f) {
    const float next = x * x - y * y + a;
    y = 2.0f * x * y + b;
    x = next;
    ++count;
  }
  iterations[get_global_id(1) * get_global_size(0) + get_global_id(0)] = count;
}
