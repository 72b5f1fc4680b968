; RUN: --passes=prepare-kernels,work-item-bodies,function(isolate-barriers,reconverge)
; Who passes by the barrier waits for the others where something happens behind the branch. Where the group decides together nobody has to,
; nor where the kernel ends.

declare spir_func void @_Z7barrierj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: define void @some.item(
; CHECK: call void @quern.barrier(i32 1, i32 1)
; CHECK: call void @quern.barrier(i32 0, i32 0)
; CHECK: store i32 1,
; CHECK-NOT: call void @quern.barrier
define spir_kernel void @some(ptr addrspace(1) %p) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %id
  %isLow = icmp ult i64 %id, 4
  br i1 %isLow, label %low, label %done

low:
  call spir_func void @_Z7barrierj(i32 1)
  br label %done

done:
  store i32 1, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: define void @together.item(
; CHECK: call void @quern.barrier(i32 1, i32 1)
; CHECK-NOT: call void @quern.barrier
define spir_kernel void @together(ptr addrspace(1) %p, i32 %n) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %id
  %isLow = icmp ult i32 %n, 4
  br i1 %isLow, label %low, label %done

low:
  call spir_func void @_Z7barrierj(i32 1)
  br label %done

done:
  store i32 1, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: define void @ends.item(
; CHECK: call void @quern.barrier(i32 1, i32 1)
; CHECK-NOT: call void @quern.barrier
define spir_kernel void @ends(ptr addrspace(1) %p) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %id
  %isLow = icmp ult i64 %id, 4
  br i1 %isLow, label %low, label %done

low:
  call spir_func void @_Z7barrierj(i32 1)
  store i32 1, ptr addrspace(1) %q
  br label %done

done:
  ret void
}
