import java.nio.FloatBuffer;
import org.lwjgl.BufferUtils;
import org.lwjgl.opencl.CL10;
import org.lwjgl.opencl.CL10GL;
import org.lwjgl.opencl.CLKernel;
import org.lwjgl.opencl.CLMem;
import org.lwjgl.opencl.Util;
import org.lwjgl.opengl.Display;
import org.lwjgl.opengl.DisplayMode;
import org.lwjgl.opengl.GL11;
import org.lwjgl.opengl.GL15;

/** Meshes that OpenCL changes in place in the vertex buffer that OpenGL draws. */
final class Drawing {
  private static final int side = 64;
  private static final int frames = 40;
  private static final int drops = 2;
  private static final float amplitude = 0.1f, decay = 0.8f, speed = 0.5f, width = 0.08f,
      wave = 100;

  static void runAll() throws Exception {
    Display.setDisplayMode(new DisplayMode(256, 256));
    Display.setTitle("Gallery");
    Display.create();
    Gallery gallery = new Gallery(Display.getDrawable());
    zoom(gallery);
    ripple(gallery);
    gallery.release();
    Display.destroy();
  }

  private static float[] mesh(float height) {
    float[] vertices = new float[3 * side * side];
    for (int i = 0; i < side * side; ++i) {
      vertices[3 * i] = (float) (i % side) / side;
      vertices[3 * i + 1] = (float) (i / side) / side;
      vertices[3 * i + 2] = height;
    }
    return vertices;
  }

  private static int vertexBuffer(float[] vertices) {
    FloatBuffer initial = BufferUtils.createFloatBuffer(vertices.length);
    initial.put(vertices).rewind();
    int name = GL15.glGenBuffers();
    GL15.glBindBuffer(GL15.GL_ARRAY_BUFFER, name);
    GL15.glBufferData(GL15.GL_ARRAY_BUFFER, initial, GL15.GL_DYNAMIC_DRAW);
    return name;
  }

  private static float[] vertices() {
    FloatBuffer buffer = BufferUtils.createFloatBuffer(3 * side * side);
    GL15.glGetBufferSubData(GL15.GL_ARRAY_BUFFER, 0, buffer);
    float[] values = new float[3 * side * side];
    buffer.get(values);
    return values;
  }

  private static void draw() {
    GL11.glClear(GL11.GL_COLOR_BUFFER_BIT);
    GL11.glEnableClientState(GL11.GL_VERTEX_ARRAY);
    GL11.glVertexPointer(2, GL11.GL_FLOAT, 12, 0);
    GL11.glDrawArrays(GL11.GL_POINTS, 0, side * side);
    Display.update();
  }

  private static CLMem share(Gallery gallery, int name) {
    CLMem memory = CL10GL.clCreateFromGLBuffer(gallery.context, CL10.CL_MEM_READ_WRITE, name,
        gallery.code());
    gallery.check();
    return memory;
  }

  private interface Frame {
    void compute(int number);
  }

  /** Lets OpenCL have the vertices for each frame, which OpenGL draws then. */
  private static void animate(Gallery gallery, CLMem vertices, Frame frame) {
    for (int number = 1; number <= frames; ++number) {
      Util.checkCLError(
          CL10GL.clEnqueueAcquireGLObjects(gallery.queue, vertices, null, null));
      frame.compute(number);
      Util.checkCLError(
          CL10GL.clEnqueueReleaseGLObjects(gallery.queue, vertices, null, null));
      Util.checkCLError(CL10.clFinish(gallery.queue));
      draw();
    }
  }

  private static void zoom(Gallery gallery) throws Exception {
    float[] mesh = mesh(1);
    CLMem shared = share(gallery, vertexBuffer(mesh));
    CLKernel kernel = gallery.galleryKernel("zoom/zoom.cl", "zoom");
    kernel.setArg(0, shared);
    animate(gallery, shared, number -> gallery.run(kernel, mesh.length));
    double factor = Math.pow(1.01f, frames);
    double[] expected = new double[mesh.length];
    for (int i = 0; i < mesh.length; ++i)
      expected[i] = mesh[i] * factor;
    Gallery.report("zoom", frames + " frames drawn by OpenGL",
        Gallery.closeTo(vertices(), expected, 6e-8 * factor * frames));
    CL10.clReleaseMemObject(shared);
  }

  private static void ripple(Gallery gallery) throws Exception {
    float[] mesh = mesh(0);
    float[] centres = {0.3f, 0.4f, 0.7f, 0.6f}, start = {0, 0.5f};
    CLMem shared = share(gallery, vertexBuffer(mesh));
    CLKernel kernel = gallery.galleryKernel("ripple/ripple.cl", "ripple");
    kernel.setArg(0, shared);
    kernel.setArg(1, gallery.buffer(centres));
    kernel.setArg(2, gallery.buffer(start));
    kernel.setArg(3, drops);
    int index = 5;
    for (float value : new float[] {amplitude, decay, speed, width, wave})
      kernel.setArg(index++, value);
    animate(gallery, shared, number -> {
      kernel.setArg(4, number / 20f);
      gallery.run(kernel, side * side);
    });
    double[] expected = new double[mesh.length];
    for (int i = 0; i < side * side; ++i) {
      expected[3 * i] = mesh[3 * i];
      expected[3 * i + 1] = mesh[3 * i + 1];
      expected[3 * i + 2] = height(mesh[3 * i], mesh[3 * i + 1], centres, start);
    }
    Gallery.report("ripple", frames + " frames drawn by OpenGL",
        Gallery.closeTo(vertices(), expected, 1e-4 * amplitude * drops));
    CL10.clReleaseMemObject(shared);
  }

  /** At the time of the last frame. */
  private static double height(double x, double y, float[] centres, float[] start) {
    double sum = 0;
    for (int c = 0; c < drops; ++c) {
      double age = frames / 20.0 - start[c];
      if (age <= 0)
        continue;
      double lag = Math.hypot(x - centres[2 * c], y - centres[2 * c + 1]) - speed * age;
      double packet = lag / width;
      sum += amplitude * Math.exp(-decay * age) * Math.exp(-packet * packet) * Math.cos(wave * lag);
    }
    return sum;
  }
}
