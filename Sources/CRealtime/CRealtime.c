#define _GNU_SOURCE
#include "CRealtime.h"

#include <errno.h>
#include <linux/futex.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

void jam_flush_denormals(void) {
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040);  // flush to zero, denormals are zero
#elif defined(__aarch64__)
  uint64_t fpcr;
  __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
  __asm__ volatile("msr fpcr, %0" ::"r"(fpcr | (1ull << 24)));
#endif
}

int64_t jam_monotonic_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void jam_sleep_until(int64_t deadline) {
  struct timespec t = {.tv_sec = deadline / 1000000000, .tv_nsec = deadline % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {
  }
}

int jam_begin_thread(const char *name, int priority, int niceness) {
  pthread_setname_np(pthread_self(), name);
  // On Linux both calls affect only the calling thread (sched(7), "C library/kernel differences").
  if (niceness > 0) setpriority(PRIO_PROCESS, 0, niceness);
  if (priority == 0) return 0;
  struct sched_param parameter = {.sched_priority = priority};
  return sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &parameter) == 0 ? 0 : errno;
}

int jam_make_thread(pthread_t *thread, void *(*body)(void *), void *context) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  struct sched_param parameter = {.sched_priority = 0};
  pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
  pthread_attr_setschedpolicy(&attributes, SCHED_OTHER);
  pthread_attr_setschedparam(&attributes, &parameter);
  int result = pthread_create(thread, &attributes, body, context);
  pthread_attr_destroy(&attributes);
  return result;
}

void jam_heap_map_large_blocks(void) { mallopt(M_MMAP_THRESHOLD, 1 << 20); }

void jam_heap_trim(void) { malloc_trim(0); }

int jam_thread_policy(void) { return sched_getscheduler(0) & ~SCHED_RESET_ON_FORK; }

void jam_futex_wake(uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 0x7fffffff, NULL, NULL, 0); }

void jam_futex_wait(uint32_t *word, uint32_t expected, int64_t timeout) {
  struct timespec t = {.tv_sec = timeout / 1000000000, .tv_nsec = timeout % 1000000000};
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, &t, NULL, 0);
}

int jam_make_event(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

void jam_raise_event(int fd) {
  uint64_t one = 1;
  ssize_t written = write(fd, &one, sizeof one);
  (void)written;  // A counter that is full has already been raised.
}

void jam_clear_event(int fd) {
  uint64_t count;
  ssize_t got = read(fd, &count, sizeof count);
  (void)got;
}

int jam_poll(const int *descriptors, uint8_t *ready, int count, int64_t timeout) {
  struct pollfd polled[64];
  if (count > 64) count = 64;
  for (int i = 0; i < count; i++) polled[i] = (struct pollfd){.fd = descriptors[i], .events = POLLIN};
  struct timespec t = {.tv_sec = timeout / 1000000000, .tv_nsec = timeout % 1000000000};
  int result = ppoll(polled, (nfds_t)count, timeout < 0 ? NULL : &t, NULL);
  for (int i = 0; i < count; i++) ready[i] = result > 0 && polled[i].revents != 0;
  return result < 0 ? 0 : result;
}

#ifdef BANDSHELL_RTSAN
extern void __rtsan_realtime_enter(void);
extern void __rtsan_realtime_exit(void);
void jam_realtime_enter(void) { __rtsan_realtime_enter(); }
void jam_realtime_exit(void) { __rtsan_realtime_exit(); }
#else
void jam_realtime_enter(void) {}
void jam_realtime_exit(void) {}
#endif
