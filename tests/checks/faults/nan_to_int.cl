// global 64 local 16 args buffer:256 float:0
kernel void nan_to_int(global int* out, float x) {
  const size_t i = get_global_id(0);
  out[i] = (int)(x / x);  // fault: conversion-out-of-range
}
