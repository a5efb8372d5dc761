// Counts what one thread does, in numbers that no other work on the machine changes: for the budgets
// in Tests/Budgets/costs.json.
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct jam_counts {
  /// Calls of malloc and its kin, free among them.
  int64_t allocations;
  /// References to Swift objects that were taken. A call that takes several counts each of them.
  int64_t retains;
  /// References to Swift objects that were given back.
  int64_t releases;
  /// Bytes that calls of memcpy and memmove copied. A small copy is no call: the compiler writes it out.
  int64_t bytes_copied;
  /// System calls, but for those that read the time of day or get memory for the heap: when there are any
  /// depends on the machine and the allocator.
  int64_t system_calls;
};

/// Whether counting works in this build: the sanitizers bring an allocator and copies of their own.
bool jam_counts_are_taken(void);

/// Whether the kernel tells of system calls (Linux 5.11 on x86-64). Where it does not, their count is 0.
bool jam_system_calls_are_counted(void);

/// Starts to count what the calling thread does, from 0.
void jam_counts_begin(void);

/// Stops counting.
struct jam_counts jam_counts_end(void);

/// Starts the program again with hashes that are the same in each run, and where the system permits it
/// with memory at the same addresses. Does nothing in a program that was started so. Call it first.
void jam_counts_settle(char *const *arguments);
