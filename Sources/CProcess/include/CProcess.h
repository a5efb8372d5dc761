#pragma once

// What a process asks of its system at its start, and what it does at its end.

/// From now on a trap or another fatal signal writes one line to `descriptor` and ends the process at
/// once by that signal. Without this the Swift runtime stops the world for seconds to print a
/// backtrace.
/// `json`: the line is a JSON object.
void jam_install_last_words(int descriptor, int json);

/// SIGALRM ends the process at once with `code`, after a line. Arm it by `alarm`.
void jam_install_end_by_alarm(int descriptor, int code, const char *line);

/// Starts up to `count` threads that do nothing, and ends them again.
/// Returns how many there were at once.
int jam_probe_threads(int count);

/// Opens up to `count` descriptors, and closes them again. Returns how many there were at once.
int jam_probe_descriptors(int count);

/// Whether so many bytes of memory can be had at once. None of them is touched.
int jam_probe_memory(long long bytes);

/// The bytes of stack that new threads get.
long long jam_thread_stack(void);

/// Everything else on the machine comes before this process: its processor time and its disk (SCHED_IDLE, idle I/O).
/// What the system refuses stays as it is.
void jam_be_idle(void);

/// From now on the process is killed as the thread that started it ends; at once where that has been already.
/// `parent`: who it should be.
void jam_end_with_parent(int parent);

/// Starts a program with standard output in a pipe, no other descriptor but standard error, no signal blocked, and in a
/// process group of its own. `words` ends with NULL.
/// Returns its process number, or the negated error number; `output` receives the pipe's end.
int jam_start_program(const char *path, char *const words[], int *output);

/// The commit and its date, as BANDSHELL_BUILD named them to the build; empty where it named none.
/// (Here, and not in Swift: another commit compiles one small file anew.)
const char *jam_build(void);
