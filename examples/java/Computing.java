import java.util.Random;
import org.lwjgl.opencl.CL10;
import org.lwjgl.opencl.CLDevice;
import org.lwjgl.opencl.CLKernel;
import org.lwjgl.opencl.CLMem;
import org.lwjgl.opencl.CLPlatform;

/** The programs that only compute. */
final class Computing {
  private static final Random random = new Random(1);

  static void runAll() throws Exception {
    devices();
    Gallery gallery = new Gallery(null);
    multiply(gallery);
    matrixProduct(gallery);
    minimum(gallery);
    gallery.release();
  }

  private static float[] randomFloats(int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; ++i)
      values[i] = random.nextFloat();
    return values;
  }

  /** Every device of every platform. */
  private static void devices() {
    for (CLPlatform platform : CLPlatform.getPlatforms())
      for (CLDevice device : platform.getDevices(CL10.CL_DEVICE_TYPE_ALL))
        Gallery.report("devices", device.getInfoString(CL10.CL_DEVICE_NAME) + ", "
            + device.getInfoInt(CL10.CL_DEVICE_MAX_COMPUTE_UNITS) + " compute units",
            device.getInfoInt(CL10.CL_DEVICE_MAX_COMPUTE_UNITS) > 0);
  }

  /** Products of the elements of two vectors, timed by the device. */
  private static void multiply(Gallery gallery) {
    int count = 1 << 20;
    float[] a = randomFloats(count), b = randomFloats(count);
    CLKernel kernel = gallery.kernel("kernel void multiply(global const float* a, "
        + "global const float* b, global float* c) {"
        + "  size_t i = get_global_id(0); c[i] = a[i] * b[i]; }", "multiply");
    CLMem result = gallery.buffer(new float[count]);
    kernel.setArg(0, gallery.buffer(a));
    kernel.setArg(1, gallery.buffer(b));
    kernel.setArg(2, result);
    double seconds = gallery.run(kernel, count);
    double[] expected = new double[count];
    for (int i = 0; i < count; ++i)
      expected[i] = (double) a[i] * b[i];
    Gallery.report("multiply", String.format("%d elements in %.3f ms", count, 1e3 * seconds),
        Gallery.closeTo(gallery.contents(result, count), expected, 1e-7));
  }

  private static void matrixProduct(Gallery gallery) {
    int n = 128;
    float[] a = randomFloats(n * n), b = randomFloats(n * n);
    CLKernel kernel = gallery.kernel("kernel void product(global const float* a, "
        + "global const float* b, global float* c, int n) {"
        + "  int x = get_global_id(0), y = get_global_id(1); float sum = 0;"
        + "  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];"
        + "  c[y * n + x] = sum; }", "product");
    CLMem result = gallery.buffer(new float[n * n]);
    kernel.setArg(0, gallery.buffer(a));
    kernel.setArg(1, gallery.buffer(b));
    kernel.setArg(2, result);
    kernel.setArg(3, n);
    double seconds = gallery.run(kernel, n, n);
    double[] expected = new double[n * n];
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x)
        for (int k = 0; k < n; ++k)
          expected[y * n + x] += (double) a[y * n + k] * b[k * n + x];
    Gallery.report("matrix product",
        String.format("%dx%d, %.1f GFLOP/s", n, n, 2e-9 * n * n * n / seconds),
        Gallery.closeTo(gallery.contents(result, n * n), expected, 1e-3));
  }

  /** Each work-item finds the least of its share, and the host that of those. */
  private static void minimum(Gallery gallery) {
    int count = 1_000_003, items = 1024;
    float[] values = randomFloats(count);
    CLKernel kernel = gallery.kernel("kernel void least(global const float* values, int count, "
        + "global float* results) {"
        + "  float least = INFINITY;"
        + "  for (int i = get_global_id(0); i < count; i += get_global_size(0))"
        + "    least = fmin(least, values[i]);"
        + "  results[get_global_id(0)] = least; }", "least");
    CLMem results = gallery.buffer(new float[items]);
    kernel.setArg(0, gallery.buffer(values));
    kernel.setArg(1, count);
    kernel.setArg(2, results);
    double seconds = gallery.run(kernel, items);
    float least = Float.POSITIVE_INFINITY, expected = Float.POSITIVE_INFINITY;
    for (float value : gallery.contents(results, items))
      least = Math.min(least, value);
    for (float value : values)
      expected = Math.min(expected, value);
    Gallery.report("minimum", String.format("%d elements in %.3f ms", count, 1e3 * seconds),
        least == expected);
  }
}
