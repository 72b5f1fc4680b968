import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.lwjgl.BufferUtils;
import org.lwjgl.PointerBuffer;
import org.lwjgl.opencl.CL;
import org.lwjgl.opencl.CL10;
import org.lwjgl.opencl.CLCommandQueue;
import org.lwjgl.opencl.CLContext;
import org.lwjgl.opencl.CLDevice;
import org.lwjgl.opencl.CLKernel;
import org.lwjgl.opencl.CLMem;
import org.lwjgl.opencl.CLPlatform;
import org.lwjgl.opencl.CLProgram;
import org.lwjgl.opencl.Util;
import org.lwjgl.opengl.Drawable;

/** What the programs share: a device with a context and a queue, and results that are checked. */
final class Gallery {
  final CLPlatform platform;
  final CLDevice device;
  final CLContext context;
  final CLCommandQueue queue;
  private final IntBuffer code = BufferUtils.createIntBuffer(1);
  private static int failures = 0;
  private static int results = 0;

  /** The first device of the first platform; `drawable`, which may be null, shares its objects. */
  Gallery(Drawable drawable) throws Exception {
    platform = CLPlatform.getPlatforms().get(0);
    device = platform.getDevices(CL10.CL_DEVICE_TYPE_ALL).get(0);
    context = CLContext.create(platform, List.of(device), null, drawable, code);
    check();
    queue = CL10.clCreateCommandQueue(context, device, CL10.CL_QUEUE_PROFILING_ENABLE, code);
    check();
  }

  void check() {
    Util.checkCLError(code.get(0));
  }

  IntBuffer code() {
    return code;
  }

  void release() {
    CL10.clReleaseCommandQueue(queue);
    CL10.clReleaseContext(context);
  }

  CLMem buffer(float[] values) {
    FloatBuffer initial = BufferUtils.createFloatBuffer(values.length);
    initial.put(values).rewind();
    CLMem memory = CL10.clCreateBuffer(context,
        CL10.CL_MEM_READ_WRITE | CL10.CL_MEM_COPY_HOST_PTR, initial, code);
    check();
    return memory;
  }

  float[] contents(CLMem memory, int count) {
    FloatBuffer buffer = BufferUtils.createFloatBuffer(count);
    Util.checkCLError(CL10.clEnqueueReadBuffer(queue, memory, CL10.CL_TRUE, 0, buffer, null, null));
    float[] values = new float[count];
    buffer.get(values);
    return values;
  }

  CLKernel kernel(String source, String name) {
    CLProgram program = CL10.clCreateProgramWithSource(context, source, code);
    check();
    if (CL10.clBuildProgram(program, device, "", null) != CL10.CL_SUCCESS)
      throw new IllegalStateException(program.getBuildInfoString(device, CL10.CL_PROGRAM_BUILD_LOG));
    CLKernel kernel = CL10.clCreateKernel(program, name, code);
    check();
    return kernel;
  }

  /** The kernel of a .cl file of the gallery, whose folder the property gallery.folder names. */
  CLKernel galleryKernel(String file, String name) throws IOException {
    return kernel(Files.readString(Path.of(System.getProperty("gallery.folder"), file)), name);
  }

  /** Runs the kernel over `sizes` work-items and returns how long the device took, in seconds. */
  double run(CLKernel kernel, long... sizes) {
    PointerBuffer global = BufferUtils.createPointerBuffer(sizes.length);
    for (int i = 0; i < sizes.length; ++i)
      global.put(i, sizes[i]);
    PointerBuffer event = BufferUtils.createPointerBuffer(1);
    Util.checkCLError(CL10.clEnqueueNDRangeKernel(queue, kernel, sizes.length, null, global, null,
        null, event));
    Util.checkCLError(CL10.clFinish(queue));
    var command = queue.getCLEvent(event.get(0));
    double seconds = 1e-9 * (command.getProfilingInfoLong(CL10.CL_PROFILING_COMMAND_END)
        - command.getProfilingInfoLong(CL10.CL_PROFILING_COMMAND_START));
    CL10.clReleaseEvent(command);
    return seconds;
  }

  /** Whether each value lies within `allowed` of the expected one. */
  static boolean closeTo(float[] actual, double[] expected, double allowed) {
    for (int i = 0; i < expected.length; ++i)
      if (!(Math.abs(actual[i] - expected[i]) <= allowed))
        return false;
    return actual.length == expected.length;
  }

  static void report(String program, String detail, boolean holds) {
    System.out.printf("%-16s %-48s %s%n", program, detail, holds ? "ok" : "FAILED");
    ++results;
    failures += holds ? 0 : 1;
  }

  public static void main(String[] arguments) throws Exception {
    CL.create();
    Computing.runAll();
    Drawing.runAll();
    CL.destroy();
    System.out.printf("%d results, %d failed%n", results, failures);
    System.exit(failures == 0 ? 0 : 1);
  }
}
