#include "CSoundTouch.h"

#include <cfenv>
#include <soundtouch/SoundTouch.h>

namespace {

/// The usual arithmetic, whatever the calling thread has set. Where the stretcher joins its pieces hangs on the last bit, and a thread
/// that renders flushes denormals to zero, where one that serves does not: the same sound must come out of both.
class UsualArithmetic {
public:
  UsualArithmetic() {
    fegetenv(&before);
    fesetenv(FE_DFL_ENV);
  }
  ~UsualArithmetic() { fesetenv(&before); }

private:
  fenv_t before;
};

} // namespace

extern "C" long jam_stretch(const float *interleaved, long frames, int channels, double factor, int is_fast,
                            float *output, long capacity) {
  const UsualArithmetic usual;
  try {
    soundtouch::SoundTouch stretcher;
    stretcher.setSampleRate(48000);
    stretcher.setChannels(channels);
    stretcher.setTempo(1.0 / factor);
    if (is_fast) {
      stretcher.setSetting(SETTING_USE_QUICKSEEK, 1);
    }
    long written = 0;
    auto take = [&] {
      while (written < capacity) {
        const auto count = stretcher.receiveSamples(output + written * channels, capacity - written);
        if (count == 0) {
          break;
        }
        written += count;
      }
    };
    const long piece = 4096;
    for (long done = 0; done < frames; done += piece) {
      const long count = frames - done < piece ? frames - done : piece;
      stretcher.putSamples(interleaved + done * channels, count);
      take();
    }
    stretcher.flush();
    take();
    return written;
  } catch (...) {
    return -1;
  }
}
