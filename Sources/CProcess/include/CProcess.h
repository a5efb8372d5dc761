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
