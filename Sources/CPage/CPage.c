#include "CPage.h"

#ifndef __has_embed
#error "The page is embedded with C's #embed, which this compiler lacks. \
Build with the clang of Swift 6.2 or newer (scripts/swift-check says how to get it)."
#endif

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wc23-extensions"  // #embed is C23; the rest is C11
// The arrays and the table are written by scripts/page.
#include "files.inc"
#pragma GCC diagnostic pop

const jam_page_file *jam_page_files(size_t *count) {
  *count = sizeof files / sizeof files[0];
  return files;
}
