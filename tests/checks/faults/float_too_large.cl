// global 64 local 16 args buffer:256 float:3e9
kernel void float_too_large(global int* out, float x) {
  const size_t i = get_global_id(0);
  out[i] = (int)x;  // fault: conversion-out-of-range
}
