"""A disk that takes its time, for a server that is started with its environment."""

import pathlib
import shutil
import subprocess
import tempfile

# Before each sync, and each write of a journal, as many milliseconds as the file says that BANDSHELL_SLOW_DISK names.
SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void rest(int number) {
  const char *path = getenv("BANDSHELL_SLOW_DISK");
  FILE *file = path ? fopen(path, "r") : NULL;
  int milliseconds[2] = {0, 0};
  if (!file) return;
  if (fscanf(file, "%d %d", &milliseconds[0], &milliseconds[1]) == 2) usleep(1000 * milliseconds[number]);
  fclose(file);
}

int fsync(int descriptor) {
  rest(0);
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(descriptor);
}

int fdatasync(int descriptor) {
  rest(0);
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(descriptor);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  static ssize_t (*next)(int, const void *, size_t);
  if (!next) next = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  char name[64], path[4096];
  snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(name, path, sizeof path - 1);
  path[length > 0 ? length : 0] = 0;
  if (strstr(path, ".journal")) rest(1);
  return next(descriptor, bytes, count);
}
"""


class SlowDisk:
    """`SlowDisk(test)`: as fast as the machine's, until `be` says otherwise."""

    def __init__(self, test):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-slow-")
        test.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name)
        self._wish = path / "wish"
        self.be()
        source, library = path / "slow.c", path / "slow.so"
        source.write_text(SOURCE)
        # Swift brings a compiler along.
        compiler = shutil.which("clang") or shutil.which("cc")
        subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
        self.environment = {"LD_PRELOAD": str(library), "BANDSHELL_SLOW_DISK": str(self._wish)}

    def be(self, sync=0, write=0):
        """From now on each sync, and each write of a journal, takes so many milliseconds more."""
        draft = self._wish.with_name("draft")
        draft.write_text(f"{sync} {write}")
        draft.rename(self._wish)
