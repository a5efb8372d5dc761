#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

// Signal handlers may call only async-signal-safe functions (POSIX): no printf, no malloc, no
// locks.

static int words_descriptor = 2;
static int words_json = 0;
static int alarm_descriptor = 2;
static int alarm_code = 70;
static const char *alarm_line = "";

struct text {
  char bytes[512];
  size_t count;
};

static void put(struct text *text, const char *string) {
  while (*string && text->count < sizeof text->bytes - 1) text->bytes[text->count++] = *string++;
}

static void put_number(struct text *text, uint64_t number, int base, int digits) {
  char reversed[32];
  int count = 0;
  do {
    reversed[count++] = "0123456789abcdef"[number % (uint64_t)base];
    number /= (uint64_t)base;
  } while (number > 0 && count < 31);
  while (count < digits && count < 31) reversed[count++] = '0';
  while (count > 0 && text->count < sizeof text->bytes - 1) text->bytes[text->count++] = reversed[--count];
}

// The civil date of a day since 1970 (Howard Hinnant, days_from_civil).
static void put_stamp(struct text *text) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  int64_t day = now.tv_sec / 86400, second = now.tv_sec % 86400;
  int64_t z = day + 719468, era = z / 146097, doe = z - era * 146097;
  int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365, doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
  int64_t mp = (5 * doy + 2) / 153, month = mp < 10 ? mp + 3 : mp - 9;
  put_number(text, (uint64_t)(yoe + era * 400 + (month <= 2)), 10, 4);
  put(text, "-");
  put_number(text, (uint64_t)month, 10, 2);
  put(text, "-");
  put_number(text, (uint64_t)(doy - (153 * mp + 2) / 5 + 1), 10, 2);
  put(text, "T");
  put_number(text, (uint64_t)(second / 3600), 10, 2);
  put(text, ":");
  put_number(text, (uint64_t)(second / 60 % 60), 10, 2);
  put(text, ":");
  put_number(text, (uint64_t)(second % 60), 10, 2);
  put(text, ".");
  put_number(text, (uint64_t)(now.tv_nsec / 1000000), 10, 3);
  put(text, "Z");
}

static const char *name_of(int number) {
  switch (number) {
    case SIGILL: return "SIGILL";
    case SIGTRAP: return "SIGTRAP";
    case SIGSEGV: return "SIGSEGV";
    case SIGBUS: return "SIGBUS";
    case SIGFPE: return "SIGFPE";
    case SIGABRT: return "SIGABRT";
    case SIGSYS: return "SIGSYS";
    default: return "a signal";
  }
}

static uint64_t place_of(void *context) {
  ucontext_t *user = context;
#if defined(__x86_64__)
  return (uint64_t)user->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return (uint64_t)user->uc_mcontext.pc;
#else
  (void)user;
  return 0;
#endif
}

static void say(int descriptor, const char *bytes, size_t count) {
  ssize_t written = write(descriptor, bytes, count);
  (void)written;  // A failed write cannot be reported anywhere.
}

static void last_words(int number, siginfo_t *info, void *context) {
  struct text text = {.count = 0};
  if (words_json) {
    put(&text, "{\"time\":\"");
    put_stamp(&text);
    put(&text, "\",\"level\":\"error\",\"event\":\"server.trapped\",\"signal\":\"");
  } else {
    put_stamp(&text);
    put(&text, " error server.trapped signal=\"");
  }
  put(&text, name_of(number));
  put(&text, words_json ? "\",\"place\":\"0x" : "\" place=\"0x");
  put_number(&text, place_of(context), 16, 1);
  put(&text, words_json ? "\",\"address\":\"0x" : "\" address=\"0x");
  put_number(&text, (uint64_t)(uintptr_t)info->si_addr, 16, 1);
  put(&text, words_json ? "\"}\n" : "\"\n");
  say(words_descriptor, text.bytes, text.count);
  if (!words_json) {
    void *frames[24];
    int count = backtrace(frames, 24);
    backtrace_symbols_fd(frames, count, words_descriptor);
  }
  // SA_RESETHAND restored the default action, which ends the process and writes a core file if the
  // system wants one.
  raise(number);
}

void jam_install_last_words(int descriptor, int json) {
  words_descriptor = descriptor;
  words_json = json;
  // The first backtrace loads a library, which a signal handler may not do.
  void *warm[1];
  backtrace(warm, 1);
  static const int numbers[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGSYS};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = last_words;
    action.sa_flags = SA_SIGINFO | SA_RESETHAND | SA_NODEFER | SA_ONSTACK;
    sigaction(numbers[i], &action, NULL);
  }
}

static void end_by_alarm(int number) {
  (void)number;
  say(alarm_descriptor, alarm_line, strlen(alarm_line));
  _exit(alarm_code);
}

void jam_install_end_by_alarm(int descriptor, int code, const char *line) {
  alarm_descriptor = descriptor;
  alarm_code = code;
  // Never freed, because a signal handler cannot free memory.
  alarm_line = strdup(line);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = end_by_alarm;
  sigaction(SIGALRM, &action, NULL);
  sigset_t alone;
  sigemptyset(&alone);
  sigaddset(&alone, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &alone, NULL);
}

static void *wait_for(void *gate) {
  pthread_mutex_lock(gate);
  pthread_mutex_unlock(gate);
  return NULL;
}

int jam_probe_threads(int count) {
  pthread_t threads[64];
  if (count > 64) count = 64;
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  int made = 0;
  pthread_mutex_lock(&gate);
  while (made < count && pthread_create(&threads[made], NULL, wait_for, &gate) == 0) made++;
  pthread_mutex_unlock(&gate);
  for (int i = 0; i < made; i++) pthread_join(threads[i], NULL);
  return made;
}

int jam_probe_descriptors(int count) {
  int opened[256];
  if (count > 256) count = 256;
  int made = 0;
  while (made < count) {
    int descriptor = dup(0);
    // Standard input may be closed.
    if (descriptor < 0) descriptor = dup(2);
    if (descriptor < 0) break;
    opened[made++] = descriptor;
  }
  for (int i = 0; i < made; i++) close(opened[i]);
  return made;
}

int jam_probe_memory(long long bytes) {
  void *memory =
      mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return 0;
  munmap(memory, (size_t)bytes);
  return 1;
}

long long jam_thread_stack(void) {
  pthread_attr_t attributes;
  size_t bytes = 0;
  if (pthread_getattr_default_np(&attributes) != 0) return -1;
  pthread_attr_getstacksize(&attributes, &bytes);
  pthread_attr_destroy(&attributes);
  return (long long)bytes;
}

// The values are from linux/ioprio.h, which older systems lack.
#define IDLE_IO (3 << 13)
#define IO_OF_PROCESS 1

void jam_be_idle(void) {
  struct sched_param none = {0};
  sched_setscheduler(0, SCHED_IDLE, &none);
  syscall(SYS_ioprio_set, IO_OF_PROCESS, 0, IDLE_IO);
}

void jam_end_with_parent(int parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) raise(SIGKILL);
}

int jam_start_program(const char *path, char *const words[], int *output) {
  int pipes[2];
  if (pipe2(pipes, O_CLOEXEC) != 0) return -errno;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none;
  pid_t process = 0;
  sigemptyset(&none);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipes[1], 1);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  int error = posix_spawn(&process, path, &actions, &attributes, words, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(pipes[1]);
  if (error != 0) {
    close(pipes[0]);
    return -error;
  }
  *output = pipes[0];
  return process;
}

#ifndef BANDSHELL_BUILD
#define BANDSHELL_BUILD ""
#endif

const char *jam_build(void) { return BANDSHELL_BUILD; }
