/// Takes the place of the C library's function for everything linked with the compiler: objects
/// with static storage are never destroyed. Its library is never unloaded, and when the process
/// ends a thread may still be compiling; the end of the process frees everything.
extern "C" __attribute__((visibility("hidden"))) int __cxa_atexit(void (*)(void*), void*, void*) {
  return 0;
}
