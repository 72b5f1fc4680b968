// The electric potential of a molecule in a salt solution, by the multiple Debye-Hueckel sum: at
// each grid point i
//
//   V[i] = pre * sum over atoms j of  q[j] / r * exp(-kappa (r - s[j])) / (1 + kappa s[j]),      r
//   = |point i - atom j|.

// One grid point per work-item; the atoms come from global memory.
kernel void mdh_simple(global const float* atomX, global const float* atomY,
                       global const float* atomZ, global const float* charge,
                       global const float* radius, uint atoms, global const float* gridX,
                       global const float* gridY, global const float* gridZ,
                       global float* potential, uint points, float kappa, float pre) {
  size_t i = get_global_id(0);
  if (i >= points)
    return;
  float sum = 0;
  for (uint j = 0; j < atoms; ++j) {
    float dx = gridX[i] - atomX[j];
    float dy = gridY[i] - atomY[j];
    float dz = gridZ[i] - atomZ[j];
    float distance = sqrt(dx * dx + dy * dy + dz * dz);
    sum += charge[j] / distance * exp(-kappa * (distance - radius[j])) / (1.0f + kappa * radius[j]);
  }
  potential[i] = pre * sum;
}

// The tuned form: the work-group stages the atoms in local memory, one block after the other, and a
// work-item handles a vector of grid points. WIDTH is 4, 8 or 16 (a build option), BLOCK the
// work-group size.
#ifndef WIDTH
#define WIDTH 4
#endif
#ifndef BLOCK
#define BLOCK 64
#endif
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define FLOATV JOIN(float, WIDTH)
#define LOADV JOIN(vload, WIDTH)
#define STOREV JOIN(vstore, WIDTH)

// `points` must be a multiple of WIDTH times the work-group size.
kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
mdh_local(global const float* atomX, global const float* atomY, global const float* atomZ,
          global const float* charge, global const float* radius, uint atoms,
          global const float* gridX, global const float* gridY, global const float* gridZ,
          global float* potential, uint points, float kappa, float pre) {
  local float4 atom[BLOCK]; // the position, and in w the factors that depend on the atom alone
  size_t i = get_global_id(0);
  size_t me = get_local_id(0);
  FLOATV x = LOADV(i, gridX);
  FLOATV y = LOADV(i, gridY);
  FLOATV z = LOADV(i, gridZ);
  FLOATV sum = 0;

  for (uint first = 0; first < atoms; first += BLOCK) {
    uint block = min((uint)BLOCK, atoms - first);
    if (me < block) {
      uint j = first + me;
      float weight = charge[j] * exp(kappa * radius[j]) / (1.0f + kappa * radius[j]);
      atom[me] = (float4)(atomX[j], atomY[j], atomZ[j], weight);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = 0; j < block; ++j) {
      FLOATV dx = x - atom[j].x;
      FLOATV dy = y - atom[j].y;
      FLOATV dz = z - atom[j].z;
      FLOATV distance = sqrt(dx * dx + dy * dy + dz * dz);
      sum += atom[j].w / distance * exp(-kappa * distance);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  STOREV(pre * sum, i, potential);
}
