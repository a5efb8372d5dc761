// Shows `Mutex` to the thread sanitizer.
//
// The quick way of Swift's `Mutex` is inlined into our code, and its atomics are seen. Where two threads contend, it calls
// into the standard library, which is not instrumented, and the kernel hands the lock over: then the sanitizer sees nobody
// lock, and takes what the mutex guards for a race. A suppression would hide real ones; so these two functions stand before
// the library's and say what happened.
#define _GNU_SOURCE
#include "CThreadSanitizer.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)

#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>
#include <stdint.h>

// `_MutexHandle._lockSlow(_: UInt32)` and `_MutexHandle._unlockSlow()` of the module Synchronization, as Swift 6.0 fixed them
// in its ABI.
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

typedef SWIFT void (*LockSlow)(uint32_t thread, SELF void *handle);
typedef SWIFT void (*UnlockSlow)(SELF void *handle);

SWIFT void jam_tsan_lock_slow(uint32_t thread, SELF void *handle) __asm__(LOCK_SLOW);
SWIFT void jam_tsan_unlock_slow(SELF void *handle) __asm__(UNLOCK_SLOW);

SWIFT void jam_tsan_lock_slow(uint32_t thread, SELF void *handle) {
  ((LockSlow)dlsym(RTLD_NEXT, LOCK_SLOW))(thread, handle);
  __tsan_acquire(handle);
}

SWIFT void jam_tsan_unlock_slow(SELF void *handle) {
  __tsan_release(handle);
  ((UnlockSlow)dlsym(RTLD_NEXT, UNLOCK_SLOW))(handle);
}

#endif
#endif
