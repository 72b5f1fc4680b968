/* canonical_flow: the whole way of an OpenCL program, in plain C, with nothing hidden in a helper.
 *
 * Shows: platform, device, context, queue, program, kernel; the three ways to give a buffer host
 * memory (CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR); writing, mapping,
 * launching, reading; profiling with events; releasing.
 *
 * Computes sums[i] = weights[i] * xs[i] + ys[i] on small whole numbers, so the result must be
 * exact. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Every OpenCL call reports an error code. A program that ignores them fails later, in a stranger
 * place. */
#define CHECK(call) check((call), #call, __LINE__)
static void check(cl_int code, const char* call, int line) {
  if (code == CL_SUCCESS)
    return;
  fprintf(stderr, "main.c:%d: %s failed with the code %d\n", line, call, code);
  exit(1);
}

struct Options {
  const char* platform; /* a number or a part of the name; NULL for the first */
  const char* device;
  size_t count;
  bool tour;
};

static struct Options parseOptions(int argc, char** argv) {
  struct Options options = {getenv("GALLERY_PLATFORM"), getenv("GALLERY_DEVICE"), 100000, false};
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--tour") == 0)
      options.tour = true;
    else if (strcmp(argv[i], "--platform") == 0 && i + 1 < argc)
      options.platform = argv[++i];
    else if (strcmp(argv[i], "--device") == 0 && i + 1 < argc)
      options.device = argv[++i];
    else if (strcmp(argv[i], "--size") == 0 && i + 1 < argc && strtoul(argv[i + 1], NULL, 10) > 0)
      options.count = strtoul(argv[++i], NULL, 10);
    else {
      printf("Usage: %s [--platform NAME|NUMBER] [--device NAME|NUMBER] [--size N] [--tour]\n",
             argv[0]);
      exit(strcmp(argv[i], "--help") == 0 ? 0 : 1);
    }
  }
  return options;
}

/* Does `choice` mean the entry with this number and name? */
static bool chosen(const char* choice, cl_uint number, const char* name) {
  char* end = NULL;
  if (!choice || !*choice)
    return true;
  const unsigned long value = strtoul(choice, &end, 10);
  return *end == '\0' ? value == number : strstr(name, choice) != NULL;
}

enum { MaxEntries = 32, NameSize = 256 };

static cl_platform_id choosePlatform(const char* choice) {
  cl_platform_id platforms[MaxEntries];
  cl_uint count = 0;
  CHECK(clGetPlatformIDs(MaxEntries, platforms, &count));
  for (cl_uint i = 0; i < count && i < MaxEntries; ++i) {
    char name[NameSize];
    CHECK(clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL));
    if (chosen(choice, i, name))
      return platforms[i];
  }
  fprintf(stderr, "no platform has the number or name '%s'\n", choice);
  exit(1);
}

static cl_device_id chooseDevice(cl_platform_id platform, const char* choice, char name[NameSize]) {
  cl_device_id devices[MaxEntries];
  cl_uint count = 0;
  CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MaxEntries, devices, &count));
  for (cl_uint i = 0; i < count && i < MaxEntries; ++i) {
    CHECK(clGetDeviceInfo(devices[i], CL_DEVICE_NAME, NameSize, name, NULL));
    if (chosen(choice, i, name))
      return devices[i];
  }
  fprintf(stderr, "no device has the number or name '%s'\n", choice);
  exit(1);
}

/* The text of a file that lies beside this program; the caller frees it. */
static char* readSource(const char* fileName) {
  char path[PATH_MAX + NameSize];
  const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
  path[length > 0 ? length : 0] = '\0';
  char* slash = strrchr(path, '/');
  strcpy(slash ? slash + 1 : path, fileName);
  FILE* file = fopen(path, "rb");
  if (!file) {
    fprintf(stderr, "cannot open %s\n", path);
    exit(1);
  }
  fseek(file, 0, SEEK_END);
  const size_t size = (size_t)ftell(file);
  rewind(file);
  char* text = calloc(size + 1, 1);
  if (!text || fread(text, 1, size, file) != size) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(1);
  }
  fclose(file);
  return text;
}

static cl_program buildProgram(cl_context context, cl_device_id device, const char* fileName) {
  cl_int code;
  char* source = readSource(fileName);
  cl_program program = clCreateProgramWithSource(context, 1, (const char**)&source, NULL, &code);
  CHECK(code);
  free(source);
  code = clBuildProgram(program, 1, &device, "", NULL, NULL);
  if (code == CL_BUILD_PROGRAM_FAILURE) {
    size_t size = 0;
    CHECK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size));
    char* log = calloc(size + 1, 1);
    CHECK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL));
    fprintf(stderr, "%s does not build:\n%s\n", fileName, log);
    free(log);
  }
  CHECK(code);
  return program;
}

/* The time from the command's start to its end on the device, in milliseconds. */
static double eventMilliseconds(cl_event event) {
  cl_ulong start = 0;
  cl_ulong end = 0;
  CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL));
  CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
  return 1e-6 * (double)(end - start);
}

static float* allocate(size_t bytes) {
  /* A device that shares the host's memory uses this memory as it is when it is aligned to a page.
   */
  float* memory = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  if (!memory) {
    fprintf(stderr, "out of memory\n");
    exit(1);
  }
  return memory;
}

int main(int argc, char** argv) {
  const struct Options options = parseOptions(argc, argv);
  const size_t count = options.count;
  const size_t bytes = count * sizeof(float);
  cl_int code;

  /* 1. Platform, device, context, and a queue that records times. */
  char deviceName[NameSize];
  cl_platform_id platform = choosePlatform(options.platform);
  cl_device_id device = chooseDevice(platform, options.device, deviceName);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  CHECK(code);
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, properties, &code);
  CHECK(code);

  /* 2. Program and kernel. */
  cl_program program = buildProgram(context, device, "weighted_sum.cl");
  cl_kernel kernel = clCreateKernel(program, "weighted_sum", &code);
  CHECK(code);

  /* 3. Buffers. xs is copied when its buffer is created; ys stays where it is and belongs to the
   * buffer until the buffer is released; the memory of the weights is allocated by OpenCL and
   * filled through a mapping; the sums are written by the kernel alone. */
  float* xs = allocate(bytes);
  float* ys = allocate(bytes);
  float* sums = allocate(bytes);
  for (size_t i = 0; i < count; ++i) {
    xs[i] = (float)(i % 1000);
    ys[i] = 0;
  }
  cl_mem xsBuffer =
      clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, xs, &code);
  CHECK(code);
  cl_mem ysBuffer =
      clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, bytes, ys, &code);
  CHECK(code);
  cl_mem weightsBuffer =
      clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &code);
  CHECK(code);
  cl_mem sumsBuffer = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, &code);
  CHECK(code);

  /* 4. Fill: by mapping, and by writing from other memory. */
  float* weights = clEnqueueMapBuffer(queue, weightsBuffer, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION,
                                      0, bytes, 0, NULL, NULL, &code);
  CHECK(code);
  for (size_t i = 0; i < count; ++i)
    weights[i] = (float)(i % 7);
  CHECK(clEnqueueUnmapMemObject(queue, weightsBuffer, weights, 0, NULL, NULL));

  for (size_t i = 0; i < count; ++i)
    sums[i] =
        (float)(i %
                11); /* the array serves as the source of the write; the result replaces it below */
  cl_event written;
  CHECK(clEnqueueWriteBuffer(queue, ysBuffer, CL_FALSE, 0, bytes, sums, 0, NULL, &written));

  /* 5. Launch, after the write. The global size is rounded up to whole work-groups. */
  const cl_uint count32 = (cl_uint)count;
  CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &xsBuffer));
  CHECK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &ysBuffer));
  CHECK(clSetKernelArg(kernel, 2, sizeof(cl_mem), &weightsBuffer));
  CHECK(clSetKernelArg(kernel, 3, sizeof(cl_mem), &sumsBuffer));
  CHECK(clSetKernelArg(kernel, 4, sizeof count32, &count32));
  const size_t localSize = 64;
  const size_t globalSize = (count + localSize - 1) / localSize * localSize;
  cl_event computed;
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &globalSize, &localSize, 1, &written,
                               &computed));

  /* 6. Read the result and wait for it. */
  cl_event read;
  CHECK(clEnqueueReadBuffer(queue, sumsBuffer, CL_FALSE, 0, bytes, sums, 1, &computed, &read));
  CHECK(clFinish(queue));

  /* 7. The host's own result, and what the buffer that uses our memory shows when it is mapped. */
  size_t wrong = 0;
  for (size_t i = 0; i < count; ++i)
    if (sums[i] != (float)((i % 7) * (i % 1000) + i % 11))
      ++wrong;
  const float* mapped =
      clEnqueueMapBuffer(queue, ysBuffer, CL_TRUE, CL_MAP_READ, 0, bytes, 0, NULL, NULL, &code);
  CHECK(code);
  const bool inPlace = mapped == ys && ys[count - 1] == (float)((count - 1) % 11);
  CHECK(clEnqueueUnmapMemObject(queue, ysBuffer, (void*)mapped, 0, NULL, NULL));
  CHECK(clFinish(queue));

  /* 8. Report. */
  const bool ok = wrong == 0 && inPlace;
  if (options.tour)
    printf("row\tcanonical_flow\t%s\t%zu\t%.3f\t%.2f GB/s\t%s\t%zu wrong\n", deviceName, count,
           eventMilliseconds(computed), 4e-6 * (double)bytes / eventMilliseconds(computed),
           ok ? "ok" : "FAILED", wrong);
  else
    printf("%s, %zu elements: write %.3f ms, kernel %.3f ms, read %.3f ms; %zu wrong, mapped in "
           "place: %s\n",
           deviceName, count, eventMilliseconds(written), eventMilliseconds(computed),
           eventMilliseconds(read), wrong, inPlace ? "yes" : "no");

  /* 9. Release everything; the host memory of ys only after its buffer. */
  CHECK(clReleaseEvent(written));
  CHECK(clReleaseEvent(computed));
  CHECK(clReleaseEvent(read));
  CHECK(clReleaseMemObject(xsBuffer));
  CHECK(clReleaseMemObject(ysBuffer));
  CHECK(clReleaseMemObject(weightsBuffer));
  CHECK(clReleaseMemObject(sumsBuffer));
  CHECK(clReleaseKernel(kernel));
  CHECK(clReleaseProgram(program));
  CHECK(clReleaseCommandQueue(queue));
  CHECK(clReleaseContext(context));
  free(xs);
  free(ys);
  free(sums);
  return ok ? 0 : 1;
}
