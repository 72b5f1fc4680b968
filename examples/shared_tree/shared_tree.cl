// A search tree that the host built, with the host's own pointers in it.

typedef struct Node {
  global struct Node* smaller;
  global struct Node* larger;
  int key;
  int value;
} Node;

// One work-item looks up one key: the value of its node, or -1.
kernel void look_up(global const Node* root, global const int* keys, global int* values) {
  int key = keys[get_global_id(0)];
  global const Node* node = root;
  while (node && node->key != key)
    node = key < node->key ? node->smaller : node->larger;
  values[get_global_id(0)] = node ? node->value : -1;
}

#if defined(__opencl_c_atomic_scope_all_devices)
// Counts the visits of each key's node while the host may be doing the same with its own atomics.
kernel void count_visits(global const Node* root, global const int* keys,
                         global atomic_int* visits) {
  int key = keys[get_global_id(0)];
  global const Node* node = root;
  while (node && node->key != key)
    node = key < node->key ? node->smaller : node->larger;
  if (node)
    atomic_fetch_add_explicit(&visits[node->value], 1, memory_order_relaxed,
                              memory_scope_all_svm_devices);
}
#endif
