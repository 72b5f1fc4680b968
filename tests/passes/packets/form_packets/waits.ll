; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets --target=x86_64;cpu=x86-64-v3;packets=4
; Work-items wait for others where what others write decides how often a loop runs, not where it decides what an iteration does.

declare spir_func i64 @_Z13get_global_idj(i32)

; What is found is entered once: the loop counts. That the branch is unlikely does not matter.
; CHECK-LABEL: define {{.*}} @search.region.0.packet(
; CHECK: atomicrmw or
define spir_kernel void @search(ptr addrspace(1) %keys, ptr addrspace(1) %found, ptr addrspace(1) %out, i32 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %item = trunc i64 %gid to i32
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %last = phi i32 [ 0, %entry ], [ %last.next, %next ]
  %p = getelementptr i32, ptr addrspace(1) %keys, i32 %i
  %key = load i32, ptr addrspace(1) %p
  %hit = icmp eq i32 %key, %item
  %likely = call i1 @llvm.expect.i1(i1 %hit, i1 false)
  br i1 %likely, label %enter, label %next

enter:
  %old = atomicrmw or ptr addrspace(1) %found, i32 %item monotonic
  %is.new = icmp eq i32 %old, 0
  br i1 %is.new, label %first, label %next

first:
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %item
  store i32 %i, ptr addrspace(1) %place
  br label %next

next:
  %last.next = phi i32 [ %last, %loop ], [ %old, %enter ], [ 0, %first ]
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  store i32 %last.next, ptr addrspace(1) %out
  ret void
}

; CHECK-NOT: {{(retries|remembers|leaves).region.0.packet}}

; Until it has had the lock once, which a value says that is chosen where the lock was taken.
define spir_kernel void @retries(ptr addrspace(1) %lock, ptr addrspace(1) %sum) {
entry:
  br label %loop

loop:
  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 1 acquire
  %taken = icmp eq i32 %old, 0
  br i1 %taken, label %critical, label %next

critical:
  %s = load i32, ptr addrspace(1) %sum
  %s.next = add i32 %s, 1
  store i32 %s.next, ptr addrspace(1) %sum
  store atomic i32 0, ptr addrspace(1) %lock release, align 4
  br label %next

next:
  %is.done = phi i1 [ true, %critical ], [ false, %loop ]
  br i1 %is.done, label %done, label %loop

done:
  ret void
}

; The same, said by a variable.
define spir_kernel void @remembers(ptr addrspace(1) %lock, ptr addrspace(1) %sum, i32 %which) {
entry:
  %flags = alloca [2 x i32]
  store i32 0, ptr %flags
  %other = getelementptr i32, ptr %flags, i32 1
  store i32 0, ptr %other
  %flag = getelementptr i32, ptr %flags, i32 %which
  br label %loop

loop:
  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 1 acquire
  %taken = icmp eq i32 %old, 0
  br i1 %taken, label %critical, label %next

critical:
  store i32 1, ptr %flag
  store atomic i32 0, ptr addrspace(1) %lock release, align 4
  br label %next

next:
  %is.done = load i32, ptr %other
  %again = icmp eq i32 %is.done, 0
  br i1 %again, label %loop, label %done

done:
  ret void
}

; Left from where the lock was taken, besides by its count.
define spir_kernel void @leaves(ptr addrspace(1) %lock, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 1 acquire
  %taken = icmp eq i32 %old, 0
  br i1 %taken, label %critical, label %next

critical:
  %odd = trunc i32 %i to i1
  br i1 %odd, label %done, label %next

next:
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

declare i1 @llvm.expect.i1(i1, i1)
