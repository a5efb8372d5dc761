// The files of the page, as data: see scripts/page.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// One file of Sources/JamWeb/Page.
typedef struct {
  const char *path;  // below the server's address: "/page.js"; the first page is "/"
  const char *type;  // its media type, as HTTP sends it
  const uint8_t *bytes;
  size_t count;
} jam_page_file;

/// All files, ordered by name. They stay in memory for as long as the program runs. Any thread.
const jam_page_file *jam_page_files(size_t *count);
