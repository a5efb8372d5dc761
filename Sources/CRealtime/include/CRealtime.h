// What real-time Swift needs of the platform and cannot call itself.
#pragma once
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/// Makes the calling thread's floating-point unit flush denormals to zero (x86-64: MXCSR; Arm: FPCR). Nothing elsewhere.
void jam_flush_denormals(void);

/// CLOCK_MONOTONIC in nanoseconds. A vDSO call: real-time safe.
__attribute__((swift_attr("@_noLocks"))) int64_t jam_monotonic_now(void);

/// Sleeps until `deadline` on CLOCK_MONOTONIC; returns at once when it is past. Restarts after signals.
void jam_sleep_until(int64_t deadline_nanoseconds);

/// Names the calling thread (15 characters at most) and asks for SCHED_FIFO at `priority`, 1…99; 0
/// leaves the scheduling. Threads that a real-time thread makes are ordinary, also those of libraries
/// (SCHED_RESET_ON_FORK). `niceness` above 0 lets others go first. Returns 0, or the error number.
int jam_begin_thread(const char *name, int priority, int niceness);

/// Makes a thread with ordinary scheduling, whatever the caller's is. Returns 0, or the error number.
int jam_make_thread(pthread_t *thread, void *(*body)(void *), void *context);

/// See `Heap`.
void jam_heap_map_large_blocks(void);
void jam_heap_trim(void);

/// The calling thread's scheduling: SCHED_OTHER is 0, SCHED_FIFO 1.
int jam_thread_policy(void);

/// Locks nothing and waits for nothing: wakes the threads in `jam_futex_wait` on `word`. At most one system call.
__attribute__((swift_attr("@_noLocks"))) void jam_futex_wake(uint32_t *word);

/// Sleeps while `*word` is `expected`, until woken or `timeout_nanoseconds` have passed.
void jam_futex_wait(uint32_t *word, uint32_t expected, int64_t timeout_nanoseconds);

/// Asks for the cache line at `address` ahead of its use. Any address will do: a bad one is ignored.
__attribute__((swift_attr("@_noLocks"))) static inline void jam_prefetch(const void *address) { __builtin_prefetch(address); }

/// Mark the stretch in which the RealtimeSanitizer forbids allocation, locks and system calls. Nothing unless it is linked.
__attribute__((swift_attr("@_noLocks"))) void jam_realtime_enter(void);
__attribute__((swift_attr("@_noLocks"))) void jam_realtime_exit(void);

/// An eventfd that can be written from any thread to end a poll; -1 where there is none.
int jam_make_event(void);
void jam_raise_event(int fd);
void jam_clear_event(int fd);

/// Waits until one of `count` descriptors is readable or `timeout_nanoseconds` have passed (negative: no limit).
/// Sets `ready[i]` to 1 where descriptor i is readable or broken. Returns how many are. At most 64 descriptors.
int jam_poll(const int *descriptors, uint8_t *ready, int count, int64_t timeout_nanoseconds);
