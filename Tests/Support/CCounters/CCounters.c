#define _GNU_SOURCE
#include "CCounters.h"

#include <CAllocations.h>
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/personality.h>
#include <unistd.h>

#include "SystemCalls.h"

#if defined(__GLIBC__)
#define COUNTS 1
#endif
// A sanitizer stands in the same places.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#undef COUNTS
#endif

static __thread bool counting;
static __thread struct jam_counts counts;

// MARK: References

// The program's own functions stand before the runtime's. The runtime has hooks, too; but in Swift 6.3 what
// they are told of a retain lacks the bits that mark a literal, which they would then count in its text
// (`_swift_retain_adapterImpl` in stdlib/public/runtime/HeapObject.cpp).

#ifdef COUNTS

/// The function of that name that comes next: the runtime's.
static void *next(void **found, const char *name) {
  if (!*found) *found = dlsym(RTLD_NEXT, name);
  return *found;
}

// Nothing is counted of nil, of literals and of short strings, which have no count.
#define TAKES(name)                                                                  \
  void *name(void *object) {                                                         \
    static void *found;                                                              \
    if (counting && (intptr_t)object > 0) counts.retains++;                          \
    return ((void *(*)(void *))next(&found, #name))(object);                         \
  }                                                                                  \
  void *name##_n(void *object, uint32_t n) {                                         \
    static void *found;                                                              \
    if (counting && (intptr_t)object > 0) counts.retains += n;                       \
    return ((void *(*)(void *, uint32_t))next(&found, #name "_n"))(object, n);       \
  }

#define GIVES_BACK(name)                                                             \
  void name(void *object) {                                                          \
    static void *found;                                                              \
    if (counting && (intptr_t)object > 0) counts.releases++;                         \
    ((void (*)(void *))next(&found, #name))(object);                                 \
  }                                                                                  \
  void name##_n(void *object, uint32_t n) {                                          \
    static void *found;                                                              \
    if (counting && (intptr_t)object > 0) counts.releases += n;                      \
    ((void (*)(void *, uint32_t))next(&found, #name "_n"))(object, n);               \
  }

TAKES(swift_retain)
TAKES(swift_bridgeObjectRetain)
GIVES_BACK(swift_release)
GIVES_BACK(swift_bridgeObjectRelease)

#endif

// MARK: Copies

#ifdef COUNTS

// glibc's checked function leads to the same code by another name, where there is room for any size. The
// pointer hides the name from the compiler, which would make a plain call into a call of memmove.
extern void *__memmove_chk(void *to, const void *from, size_t size, size_t room);
static void *(*const volatile checked_memmove)(void *, const void *, size_t, size_t) = __memmove_chk;

void *memmove(void *to, const void *from, size_t size) {
  if (counting) counts.bytes_copied += size;
  return checked_memmove(to, from, size, SIZE_MAX);
}

void *memcpy(void *to, const void *from, size_t size) {
  if (counting) counts.bytes_copied += size;
  return checked_memmove(to, from, size, SIZE_MAX);
}

#endif

// MARK: All together

bool jam_counts_are_taken(void) {
#ifdef COUNTS
  return jam_allocations_are_counted();
#else
  return false;
#endif
}

bool jam_system_calls_are_counted(void) { return jam_system_calls_can_be_counted(); }

void jam_counts_begin(void) {
  counts = (struct jam_counts){0};
  jam_allocations_begin();
  counting = true;
  jam_system_calls_begin();
}

struct jam_counts jam_counts_end(void) {
  counts.system_calls = jam_system_calls_end();
  counting = false;
  counts.allocations = jam_allocations_end();
  return counts;
}

void jam_counts_settle(char *const *arguments) {
  // The runtime reads this before the program begins.
  static const char hashing[] = "SWIFT_DETERMINISTIC_HASHING";
  if (getenv(hashing)) return;
  setenv(hashing, "1", 1);
  // Containers may forbid it: then only the order in hash tables of addresses differs.
  personality(ADDR_NO_RANDOMIZE);
  // Where this fails, the program goes on as it is.
  execv("/proc/self/exe", arguments);
}
