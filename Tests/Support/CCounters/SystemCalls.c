#define _GNU_SOURCE
#include "SystemCalls.h"

#if defined(__linux__) && defined(__x86_64__)

#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

// linux/prctl.h, for headers that are older than the kernel.
#define SET_USER_DISPATCH 59
#define DISPATCH_OFF 0
#define DISPATCH_ON 1

// What the selector says.
#define ALLOW 0
#define BLOCK 1

// The kernel does not ask the selector about calls from between these labels: the handler's own call, and
// its return.
__asm__(
    ".text\n.balign 16\n"
    ".hidden jam_gate_call\n.globl jam_gate_call\n.type jam_gate_call, @function\n"
    "jam_gate_call:\n"
    "  movq %rdi, %rax\n"
    "  movq %rsi, %r11\n"
    "  movq 0(%r11), %rdi\n"
    "  movq 8(%r11), %rsi\n"
    "  movq 16(%r11), %rdx\n"
    "  movq 24(%r11), %r10\n"
    "  movq 32(%r11), %r8\n"
    "  movq 40(%r11), %r9\n"
    "  syscall\n"
    "  ret\n"
    ".hidden jam_gate_return\n.globl jam_gate_return\n.type jam_gate_return, @function\n"
    "jam_gate_return:\n"
    "  movl $15, %eax\n"  // rt_sigreturn
    "  syscall\n"
    "  nop\n"  // The kernel looks at the instruction behind a call.
    ".hidden jam_gate_end\n.globl jam_gate_end\n"
    "jam_gate_end:\n");
extern long jam_gate_call(long number, const long arguments[6]);
extern void jam_gate_return(void);
extern const char jam_gate_end[];

static __thread volatile char selector;
static __thread int64_t calls;

/// Whether the call is the machine's matter or the allocator's: a clock that the library cannot read in the
/// vDSO, and memory for the heap, which it asks for when what lay there before is used up.
static bool is_of_library(long number, long first) {
  switch (number) {
    case SYS_clock_gettime: return first != CLOCK_THREAD_CPUTIME_ID && first != CLOCK_PROCESS_CPUTIME_ID;
    case SYS_brk:
    case SYS_mmap:
    case SYS_mremap:
    case SYS_munmap:
    case SYS_mprotect:
    case SYS_madvise: return true;
    default: return false;
  }
}

static void dispatched(int signal, siginfo_t *info, void *context) {
  (void)signal;
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  const long arguments[6] = {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
                             registers[REG_R10], registers[REG_R8],  registers[REG_R9]};
  if (!is_of_library(info->si_syscall, arguments[0])) calls++;
  registers[REG_RAX] = jam_gate_call(info->si_syscall, arguments);
}

// As the kernel takes it. The library's sigaction would return by a call of its own, from outside the gate.
struct kernel_sigaction {
  void (*handler)(int, siginfo_t *, void *);
  unsigned long flags;
  void (*restorer)(void);
  unsigned long mask;
};
#define RESTORER 0x04000000

static bool dispatch(void) {
  selector = ALLOW;
  // Threads are made with all signals blocked, and the kernel ends a process where this one is.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGSYS);
  pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
  const struct kernel_sigaction action = {
      .handler = dispatched, .flags = SA_SIGINFO | RESTORER, .restorer = jam_gate_return};
  if (syscall(SYS_rt_sigaction, SIGSYS, &action, NULL, sizeof(action.mask)) != 0) return false;
  const unsigned long begin = (unsigned long)&jam_gate_call;
  const unsigned long length = (unsigned long)jam_gate_end - begin;
  return prctl(SET_USER_DISPATCH, DISPATCH_ON, begin, length, &selector) == 0;
}

void jam_system_calls_begin(void) {
  calls = 0;
  if (dispatch()) selector = BLOCK;
}

int64_t jam_system_calls_end(void) {
  selector = ALLOW;
  prctl(SET_USER_DISPATCH, DISPATCH_OFF, 0, 0, 0);
  return calls;
}

bool jam_system_calls_can_be_counted(void) {
  jam_system_calls_begin();
  syscall(SYS_getppid);
  return jam_system_calls_end() == 1;
}

#else

bool jam_system_calls_can_be_counted(void) { return false; }
void jam_system_calls_begin(void) {}
int64_t jam_system_calls_end(void) { return 0; }

#endif
