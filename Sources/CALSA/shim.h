#include <alsa/asoundlib.h>

// alsa-lib prints its errors on standard error. This discards them, because our callers get typed
// errors instead.
static inline void jam_alsa_discard_message(
    const char *file, int line, const char *function, int error, const char *format, ...) {}
static inline void jam_alsa_be_quiet(void) { snd_lib_error_set_handler(jam_alsa_discard_message); }
