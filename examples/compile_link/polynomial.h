// What the library offers. Programs that use it are compiled with this header; it need not exist as
// a file at run time.

float polynomial(global const float* coefficients, int degree, float x);
