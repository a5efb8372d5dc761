// Platform functions that real-time Swift needs and cannot call directly.
#pragma once
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/// Makes the calling thread's floating-point unit flush denormals to zero (x86-64: MXCSR; Arm:
/// FPCR). No effect on other processors.
void jam_flush_denormals(void);

/// CLOCK_MONOTONIC in nanoseconds. A vDSO call: real-time safe.
__attribute__((swift_attr("@_noLocks"))) int64_t jam_monotonic_now(void);

/// Sleeps until `deadline` on CLOCK_MONOTONIC. Returns at once where the deadline is past.
/// Continues after signals.
void jam_sleep_until(int64_t deadline_nanoseconds);

/// Names the calling thread (at most 15 characters), and asks for SCHED_FIFO with `priority`, 1…99;
/// 0 keeps the scheduling. Threads that a real-time thread makes have ordinary scheduling,
/// including threads of libraries (SCHED_RESET_ON_FORK). A `niceness` above 0 gives other threads
/// precedence. Returns 0, or the error number.
int jam_begin_thread(const char *name, int priority, int niceness);

/// Makes a thread with ordinary scheduling, independent of the caller's scheduling. Returns 0, or
/// the error number.
int jam_make_thread(pthread_t *thread, void *(*body)(void *), void *context);

/// See `Heap`.
void jam_heap_map_large_blocks(void);
void jam_heap_trim(void);

/// The calling thread's scheduling: SCHED_OTHER is 0, SCHED_FIFO 1.
int jam_thread_policy(void);

/// Wakes the threads that wait in `jam_futex_wait` on `word`. Takes no lock, never waits, and makes
/// at most one system call.
__attribute__((swift_attr("@_noLocks"))) void jam_futex_wake(uint32_t *word);

/// Sleeps while `*word` equals `expected`, until another thread wakes it or `timeout_nanoseconds`
/// have passed.
void jam_futex_wait(uint32_t *word, uint32_t expected, int64_t timeout_nanoseconds);

/// Requests the cache line at `address` before its use. Any address is allowed; an invalid one is
/// ignored.
__attribute__((swift_attr("@_noLocks"))) static inline void jam_prefetch(const void *address) {
  __builtin_prefetch(address);
}

/// Begin and end a section in which the RealtimeSanitizer forbids allocation, locks and system
/// calls. Without the sanitizer these calls do nothing.
__attribute__((swift_attr("@_noLocks"))) void jam_realtime_enter(void);
__attribute__((swift_attr("@_noLocks"))) void jam_realtime_exit(void);

/// An eventfd that any thread can write to end a poll; -1 where the system has none left.
int jam_make_event(void);
void jam_raise_event(int fd);
void jam_clear_event(int fd);

/// Waits until one of `count` descriptors is readable or `timeout_nanoseconds` have passed
/// (negative: no limit). Sets `ready[i]` to 1 where descriptor i is readable or broken. Returns how
/// many are. At most 64 descriptors.
int jam_poll(const int *descriptors, uint8_t *ready, int count, int64_t timeout_nanoseconds);
