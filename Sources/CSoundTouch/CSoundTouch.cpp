#include "CSoundTouch.h"

#include <soundtouch/SoundTouch.h>

extern "C" long jam_stretch(const float *interleaved, long frames, int channels, double factor, int is_fast,
                            float *output, long capacity) {
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
