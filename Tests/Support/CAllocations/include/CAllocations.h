// Counts what one thread allocates and frees, for the budgets in Tests/Budgets.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Whether counting works in this build: the sanitizers bring an allocator of their own.
bool jam_allocations_are_counted(void);

/// Starts to count calls of malloc and its kin, free among them, on the calling thread, from 0.
void jam_allocations_begin(void);

/// Stops counting. Returns the number of calls since `jam_allocations_begin`.
int64_t jam_allocations_end(void);
