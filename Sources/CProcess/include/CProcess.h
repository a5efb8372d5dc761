#pragma once

// Calls to the system at the start and at the end of a process.

/// From now on a trap or another fatal signal writes one line to `descriptor`, and ends the process
/// at once with that signal. Without this, the Swift runtime halts the process for seconds to print
/// a backtrace. `json`: whether the line is a JSON object.
void jam_install_last_words(int descriptor, int json);

/// SIGALRM ends the process at once with `code`, after writing a line. Start the timer with
/// `alarm`.
void jam_install_end_by_alarm(int descriptor, int code, const char *line);

/// Starts up to `count` idle threads, and ends them again. Returns how many ran at the same time.
int jam_probe_threads(int count);

/// Opens up to `count` descriptors, and closes them again. Returns how many were open at the same
/// time.
int jam_probe_descriptors(int count);

/// Whether so many bytes of memory can be allocated at once. No byte is touched.
int jam_probe_memory(long long bytes);

/// The stack size of new threads, in bytes.
long long jam_thread_stack(void);

/// Gives all other processes precedence over this one, in processor time and disk access
/// (SCHED_IDLE, idle I/O). Where the system refuses a setting, that setting stays as it was.
void jam_be_idle(void);

/// From now on the process is killed when the thread that started it ends, or at once if that
/// thread has already ended. `parent`: the process number of the expected parent.
void jam_end_with_parent(int parent);

/// Starts a program. Its standard input is /dev/null, its standard output is a pipe, its standard
/// error is the caller's, and no other descriptor is open. No signal is blocked, and the program
/// has a process group of its own. `words` ends with NULL. Returns the process number, or the
/// negated error number. `output` receives the reading end of the pipe.
int jam_start_program(const char *path, char *const words[], int *output);

/// The commit and its date, as BANDSHELL_BUILD named them to the build; empty where it named none.
/// (Here, and not in Swift: another commit compiles one small file anew.)
const char *jam_build(void);
