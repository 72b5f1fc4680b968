// global 64 local 16 args buffer:64 float:300
kernel void float_to_uchar(global uchar* out, float x) {
  const size_t i = get_global_id(0);
  out[i] = convert_uchar(x);  // fault: conversion-out-of-range
}
