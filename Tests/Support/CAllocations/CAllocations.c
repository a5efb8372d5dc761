#include "CAllocations.h"

#include <errno.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OWN_ALLOCATOR 1
#endif
#endif
#if defined(BANDSHELL_RTSAN) || !defined(__GLIBC__)
#define OWN_ALLOCATOR 1
#endif

static __thread bool counting;
static __thread int64_t calls;

void jam_allocations_begin(void) {
  calls = 0;
  counting = true;
}

int64_t jam_allocations_end(void) {
  counting = false;
  return calls;
}

#ifdef OWN_ALLOCATOR

bool jam_allocations_are_counted(void) { return false; }

#else

bool jam_allocations_are_counted(void) { return true; }

// glibc's own names for its allocator, which it keeps for those who put themselves before it.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

static inline void count(void) {
  if (counting) calls++;
}

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count();
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  count();
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}

void free(void *memory) {
  count();
  __libc_free(memory);
}

#endif
