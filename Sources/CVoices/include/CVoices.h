// The inner loops of transposed voices in eight lanes (AVX2), for the machines that have them.
//
// `VoiceKernels` has the same loops in Swift, in four lanes, for every machine. Both add the same
// numbers in the same order: the sums of even groups of four taps lie in the lower four lanes,
// those of odd groups in the upper four.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Whether this machine can run `jam_add_stereo` and `jam_add_mono`. Thread: any; not for the
/// real-time ones.
bool jam_has_wide_voices(void);

/// Converts `count` frames to floats. Each is multiplied by `scale`, a power of two, so that
/// nothing is rounded.
///
/// Real-time safe. `wide` is the result of `jam_has_wide_voices`.
__attribute__((swift_attr("@_noLocks"))) void jam_widen(
    const int16_t *source, float *target, intptr_t count, float scale, bool wide);

/// Adds `count` frames of two channels to two buses, with steady gains.
///
/// Real-time safe. `left` and `right` point to the sample's first frame. The frames around the
/// place that the kernel reads must be readable. `phase` and `increment` are 32.32 fixed point.
/// `rows` are those of a `KernelTable` of 128 phases. Returns the phase behind the last frame.
__attribute__((swift_attr("@_noLocks"))) uint64_t jam_add_stereo(
    const float *left, const float *right, uint64_t phase, uint64_t increment, const float *rows, intptr_t groups,
    float *bus_left, float *bus_right, intptr_t count, float gain_left, float gain_right);

/// The same for one channel, which goes to both buses.
__attribute__((swift_attr("@_noLocks"))) uint64_t jam_add_mono(
    const float *source, uint64_t phase, uint64_t increment, const float *rows, intptr_t groups, float *bus_left,
    float *bus_right, intptr_t count, float gain_left, float gain_right);
