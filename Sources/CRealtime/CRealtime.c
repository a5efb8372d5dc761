#define _GNU_SOURCE
#include "CRealtime.h"

#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>
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

int jam_become_realtime(const char *name, int priority) {
  pthread_setname_np(pthread_self(), name);
  if (priority == 0) return 0;
  struct sched_param parameter = {.sched_priority = priority};
  return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter);
}

void jam_futex_wake(uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 0x7fffffff, NULL, NULL, 0); }

void jam_futex_wait(uint32_t *word, uint32_t expected, int64_t timeout) {
  struct timespec t = {.tv_sec = timeout / 1000000000, .tv_nsec = timeout % 1000000000};
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, &t, NULL, 0);
}

int jam_make_event(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

void jam_raise_event(int fd) {
  uint64_t one = 1;
  ssize_t written = write(fd, &one, sizeof one);
  (void)written;  // A full counter is raised already.
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
