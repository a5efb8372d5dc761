// Counts the system calls of one thread by the kernel's user dispatch: each raises SIGSYS instead, whose
// handler counts it and makes it. This takes no rights and works in containers.
// Source: Linux, Documentation/admin-guide/syscall-user-dispatch.rst
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Whether a system call of the calling thread is counted. It tries.
bool jam_system_calls_can_be_counted(void);

/// Starts to count those of the calling thread, from 0.
void jam_system_calls_begin(void);

/// Stops counting. Returns the calls since `jam_system_calls_begin`.
int64_t jam_system_calls_end(void);
