// global 64 local 16 args buffer:256 float:-1
kernel void negative_to_unsigned(global uint* out, float x) {
  const size_t i = get_global_id(0);
  out[i] = (uint)x;  // fault: conversion-out-of-range
}
