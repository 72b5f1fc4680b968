#include "opencl_test.h"

namespace quern::test {
namespace {

class ContextTest : public OpenClTest {
protected:
  cl_int tryCreate(const std::vector<cl_context_properties>& properties) {
    cl_int code = 0;
    Context made(clCreateContext(properties.data(), 1, &device, nullptr, nullptr, &code));
    EXPECT_EQ(code == CL_SUCCESS, made != nullptr);
    // The other function checks its properties in the same way.
    cl_int codeFromType = 0;
    Context fromType(clCreateContextFromType(properties.data(), CL_DEVICE_TYPE_ALL, nullptr,
                                             nullptr, &codeFromType));
    EXPECT_EQ(code, codeFromType);
    return code;
  }
  cl_context_properties platformProperty() {
    return reinterpret_cast<cl_context_properties>(platform);
  }
};

void CL_CALLBACK countNotification(const char* sentence, const void*, size_t, void* count) {
  EXPECT_NE(nullptr, sentence);
  ++*static_cast<int*>(count);
}

TEST_F(ContextTest, answersEveryQuery) {
  const std::vector<cl_context_properties> properties = {CL_CONTEXT_PLATFORM, platformProperty(),
                                                         0};
  const cl_device_id twice[] = {device, device};
  Context made(clCreateContext(properties.data(), 2, twice, nullptr, nullptr, nullptr));
  ASSERT_TRUE(made);
  EXPECT_EQ(1u, info<cl_uint>(clGetContextInfo, made.get(), CL_CONTEXT_REFERENCE_COUNT));
  EXPECT_EQ(1u, info<cl_uint>(clGetContextInfo, made.get(), CL_CONTEXT_NUM_DEVICES));
  EXPECT_EQ(std::vector<cl_device_id>{device},
            infoList<cl_device_id>(clGetContextInfo, made.get(), CL_CONTEXT_DEVICES));
  EXPECT_EQ(properties,
            infoList<cl_context_properties>(clGetContextInfo, made.get(), CL_CONTEXT_PROPERTIES));
  // No list at all is not the same as an empty one.
  EXPECT_TRUE(
      infoList<cl_context_properties>(clGetContextInfo, context.get(), CL_CONTEXT_PROPERTIES)
          .empty());
  expectQueryErrors(clGetContextInfo, made.get(), CL_CONTEXT_DEVICES);
  EXPECT_EQ(CL_INVALID_CONTEXT, clGetContextInfo(reinterpret_cast<cl_context>(device),
                                                 CL_CONTEXT_DEVICES, 0, nullptr, nullptr));
}

TEST_F(ContextTest, countsReferences) {
  EXPECT_EQ(CL_SUCCESS, clRetainContext(context.get()));
  EXPECT_EQ(2u, info<cl_uint>(clGetContextInfo, context.get(), CL_CONTEXT_REFERENCE_COUNT));
  EXPECT_EQ(CL_SUCCESS, clReleaseContext(context.get()));
  EXPECT_EQ(CL_INVALID_CONTEXT, clRetainContext(reinterpret_cast<cl_context>(queue.get())));
  EXPECT_EQ(CL_INVALID_CONTEXT, clReleaseContext(reinterpret_cast<cl_context>(queue.get())));
}

TEST_F(ContextTest, livesAsLongAsItsObjects) {
  const cl_context handle = otherContext.get();
  cl_int code = 0;
  Memory buffer(clCreateBuffer(handle, CL_MEM_READ_WRITE, 16, nullptr, &code));
  otherContext.reset();
  EXPECT_EQ(handle, info<cl_context>(clGetMemObjectInfo, buffer.get(), CL_MEM_CONTEXT));
  EXPECT_EQ(0u, info<cl_uint>(clGetContextInfo, handle, CL_CONTEXT_REFERENCE_COUNT));
  // Releasing what is not held is an error; a handle that a query returned can be retained again.
  EXPECT_EQ(CL_INVALID_CONTEXT, clReleaseContext(handle));
  EXPECT_EQ(CL_SUCCESS, clRetainContext(handle));
  EXPECT_EQ(CL_SUCCESS, clReleaseContext(handle));
}

TEST_F(ContextTest, checksItsProperties) {
  // The system's loader wants a platform before it asks us.
  const cl_context_properties own = platformProperty();
  EXPECT_EQ(CL_SUCCESS,
            tryCreate({CL_CONTEXT_PLATFORM, own, CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE, 0}));
  EXPECT_EQ(CL_INVALID_PLATFORM, tryCreate({CL_CONTEXT_PLATFORM, 0, 0}));
  EXPECT_EQ(CL_INVALID_PLATFORM,
            tryCreate({CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(device), 0}));
  EXPECT_EQ(CL_INVALID_PROPERTY, tryCreate({CL_CONTEXT_PLATFORM, own, 0x7777, 1, 0}));
  EXPECT_EQ(CL_INVALID_PROPERTY,
            tryCreate({CL_CONTEXT_PLATFORM, own, CL_CONTEXT_INTEROP_USER_SYNC, 2, 0}));
  EXPECT_EQ(CL_INVALID_PROPERTY,
            tryCreate({CL_CONTEXT_PLATFORM, own, CL_CONTEXT_PLATFORM, own, 0}));
}

TEST_F(ContextTest, rejectsWrongArguments) {
  cl_int code = 0;
  int data = 0;
  EXPECT_EQ(nullptr, clCreateContext(nullptr, 0, &device, nullptr, nullptr, &code));
  EXPECT_EQ(CL_INVALID_VALUE, code);
  EXPECT_EQ(nullptr, clCreateContext(nullptr, 1, &device, nullptr, &data, &code));
  EXPECT_EQ(CL_INVALID_VALUE, code);
  EXPECT_EQ(nullptr, clCreateContextFromType(nullptr, CL_DEVICE_TYPE_ALL, nullptr, &data, &code));
  EXPECT_EQ(CL_INVALID_VALUE, code);
  EXPECT_EQ(nullptr, clCreateContextFromType(nullptr, 0, nullptr, nullptr, &code));
  EXPECT_EQ(CL_INVALID_DEVICE_TYPE, code);
  EXPECT_EQ(nullptr, clCreateContextFromType(nullptr, CL_DEVICE_TYPE_GPU, nullptr, nullptr, &code));
  EXPECT_EQ(CL_DEVICE_NOT_FOUND, code);
  const cl_device_id wrong[] = {device, reinterpret_cast<cl_device_id>(context.get())};
  EXPECT_EQ(nullptr, clCreateContext(nullptr, 2, wrong, nullptr, nullptr, &code));
  EXPECT_EQ(CL_INVALID_DEVICE, code);
  // errcode_ret may be NULL.
  EXPECT_EQ(nullptr, clCreateContext(nullptr, 2, wrong, nullptr, nullptr, nullptr));
}

TEST_F(ContextTest, tellsTheProgramAboutErrors) {
  int count = 0;
  Context made(clCreateContext(nullptr, 1, &device, countNotification, &count, nullptr));
  ASSERT_TRUE(made);
  EXPECT_EQ(nullptr, clCreateBuffer(made.get(), 0, 0, nullptr, nullptr));
  EXPECT_EQ(1, count);
  Queue own(clCreateCommandQueueWithProperties(made.get(), device, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT,
            clEnqueueReadBuffer(own.get(), nullptr, CL_TRUE, 0, 1, &count, 0, nullptr, nullptr));
  EXPECT_EQ(2, count);
}

// Layers ask for what a driver may not have, from within locks that their own callback takes.
TEST_F(ContextTest, saysNothingOfQuestionsThatHaveNoAnswer) {
  int count = 0;
  Context made(clCreateContext(nullptr, 1, &device, countNotification, &count, nullptr));
  ASSERT_TRUE(made);
  EXPECT_EQ(CL_INVALID_VALUE, clGetContextInfo(made.get(), 0x7fff, 0, nullptr, nullptr));
  Queue own(clCreateCommandQueueWithProperties(made.get(), device, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, clGetCommandQueueInfo(own.get(), 0x7fff, 0, nullptr, nullptr));
  EXPECT_EQ(0, count);
}

std::vector<int> destroyedContexts;
void CL_CALLBACK recordDestruction(cl_context, void* number) {
  destroyedContexts.push_back(*static_cast<int*>(number));
}

TEST_F(ContextTest, callsDestructorCallbacksInReverseOrder) {
  int numbers[] = {1, 2, 3};
  for (int& number : numbers)
    EXPECT_EQ(CL_SUCCESS,
              clSetContextDestructorCallback(otherContext.get(), recordDestruction, &number));
  EXPECT_EQ(CL_INVALID_VALUE, clSetContextDestructorCallback(otherContext.get(), nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_CONTEXT, clSetContextDestructorCallback(reinterpret_cast<cl_context>(device),
                                                               recordDestruction, nullptr));
  destroyedContexts.clear();
  otherContext.reset();
  EXPECT_EQ((std::vector<int>{3, 2, 1}), destroyedContexts);
}

} // namespace
} // namespace quern::test
