#ifndef CSOUNDTOUCH_H
#define CSOUNDTOUCH_H

#ifdef __cplusplus
extern "C" {
#endif

/// Stretches a sound at 48 kHz: `factor` times as long at the same pitch. SoundTouch is C++; this is all of it that Bandshell needs.
/// `interleaved`, `output`: frames of `channels` (1 or 2) values. `is_fast`: a coarser search, several times as quick.
/// Returns the frames written, `capacity` at most; -1 where there is no memory.
long jam_stretch(const float *interleaved, long frames, int channels, double factor, int is_fast, float *output,
                 long capacity);

#ifdef __cplusplus
}
#endif

#endif
