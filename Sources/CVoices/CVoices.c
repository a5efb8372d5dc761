#include "CVoices.h"

// The compiler vectorises this loop, for the lanes that it may assume on every machine.
static void widen(const int16_t *source, float *target, intptr_t count, float scale) {
  for (intptr_t i = 0; i < count; i += 1) target[i] = (float)source[i] * scale;
}

#if defined(__x86_64__)
#include <immintrin.h>

// A fused multiplication rounds once instead of twice. Machines without it would give other bits.
#pragma STDC FP_CONTRACT OFF

#define WIDE __attribute__((target("avx2")))
#define INLINE static inline __attribute__((always_inline, target("avx2")))

bool jam_has_wide_voices(void) { return __builtin_cpu_supports("avx2"); }

WIDE static void widen_in_eights(const int16_t *source, float *target, intptr_t count, float scale) {
  __m256 factor = _mm256_set1_ps(scale);
  intptr_t i = 0;
  for (; i + 8 <= count; i += 8) {
    __m256i integers = _mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)(source + i)));
    _mm256_storeu_ps(target + i, _mm256_mul_ps(_mm256_cvtepi32_ps(integers), factor));
  }
  for (; i < count; i += 1) target[i] = (float)source[i] * scale;
}

void jam_widen(const int16_t *source, float *target, intptr_t count, float scale, bool wide) {
  if (wide) {
    widen_in_eights(source, target, count, scale);
  } else {
    widen(source, target, count, scale);
  }
}

/// The place of a frame in the sample, and its coefficients.
typedef struct {
  intptr_t place;
  const float *values;
  const float *differences;
  /// The way from this row of the table to the next, 0 ..< 1, in all lanes.
  __m256 x;
} tap;

INLINE tap tap_at(uint64_t phase, const float *rows, intptr_t groups) {
  uint32_t fraction = (uint32_t)phase;
  const float *row = rows + (intptr_t)(fraction >> 25) * groups * 8;
  // 23 bits become the mantissa of a number in 1 ..< 2.
  __m128i bits = _mm_cvtsi32_si128((int)((fraction << 7) >> 9 | 0x3F800000));
  __m128 x = _mm_sub_ss(_mm_castsi128_ps(bits), _mm_set_ss(1));
  return (tap){(intptr_t)(phase >> 32), row, row + groups * 4, _mm256_broadcastss_ps(x)};
}

/// The coefficients of two groups.
INLINE __m256 weights(tap t, intptr_t group) {
  __m256 way = _mm256_mul_ps(_mm256_loadu_ps(t.differences + group * 4), t.x);
  return _mm256_add_ps(_mm256_loadu_ps(t.values + group * 4), way);
}

/// The coefficients of the last group, where the number of groups is odd.
INLINE __m128 last_weights(tap t, intptr_t group) {
  __m128 way = _mm_mul_ps(_mm_loadu_ps(t.differences + group * 4), _mm256_castps256_ps128(t.x));
  return _mm_add_ps(_mm_loadu_ps(t.values + group * 4), way);
}

INLINE __m256 product(const float *source, __m256 weights) { return _mm256_mul_ps(_mm256_loadu_ps(source), weights); }

/// `sums` with the last group added in the lower lanes. The upper lanes stay as they are, because
/// adding 0 would change a −0.
INLINE __m256 add_last(__m256 sums, const float *source, __m128 weights) {
  __m128 lower = _mm_add_ps(_mm256_castps256_ps128(sums), _mm_mul_ps(_mm_loadu_ps(source), weights));
  return _mm256_insertf128_ps(sums, lower, 0);
}

/// Adds even and odd groups: the sums of `a` in the lower lanes, those of `b` in the upper lanes.
INLINE __m256 fold(__m256 a, __m256 b) {
  return _mm256_add_ps(_mm256_permute2f128_ps(a, b, 0x20), _mm256_permute2f128_ps(a, b, 0x31));
}

/// In either half: a.x + a.z, b.x + b.z, a.y + a.w, b.y + b.w.
INLINE __m256 halve(__m256 a, __m256 b) { return _mm256_add_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b)); }

INLINE void add(__m128 value, float gain, float *bus) {
  _mm_storeu_ps(bus, _mm_add_ps(_mm_loadu_ps(bus), _mm_mul_ps(value, _mm_set1_ps(gain))));
}

// MARK: Two channels

typedef struct {
  __m256 left, right;
} frame;

INLINE frame stereo_frame(const float *left, const float *right, tap t, intptr_t groups) {
  left += t.place;
  right += t.place;
  __m256 w = weights(t, 0);
  frame sums = {product(left, w), product(right, w)};
  intptr_t group = 2;
  for (; group + 2 <= groups; group += 2) {
    w = weights(t, group);
    sums.left = _mm256_add_ps(sums.left, product(left + group * 4, w));
    sums.right = _mm256_add_ps(sums.right, product(right + group * 4, w));
  }
  if (group < groups) {
    __m128 last = last_weights(t, group);
    sums.left = add_last(sums.left, left + group * 4, last);
    sums.right = add_last(sums.right, right + group * 4, last);
  }
  return sums;
}

INLINE uint64_t add_stereo(
    const float *left, const float *right, uint64_t phase, uint64_t increment, const float *rows, intptr_t groups,
    float *bus_left, float *bus_right, intptr_t count, float gain_left, float gain_right) {
  left -= groups * 2 - 1;
  right -= groups * 2 - 1;
  intptr_t i = 0;
  for (; i + 4 <= count; i += 4) {
    frame a = stereo_frame(left, right, tap_at(phase, rows, groups), groups);
    frame b = stereo_frame(left, right, tap_at(phase += increment, rows, groups), groups);
    __m256 ab = halve(fold(a.left, b.left), fold(a.right, b.right));
    frame c = stereo_frame(left, right, tap_at(phase += increment, rows, groups), groups);
    frame d = stereo_frame(left, right, tap_at(phase += increment, rows, groups), groups);
    __m256 cd = halve(fold(c.left, d.left), fold(c.right, d.right));
    phase += increment;
    // Left and right of a and c in the lower half, of b and d in the upper one.
    __m256 sums = _mm256_add_ps(_mm256_shuffle_ps(ab, cd, 0x44), _mm256_shuffle_ps(ab, cd, 0xEE));
    __m128 ac = _mm256_castps256_ps128(sums), bd = _mm256_extractf128_ps(sums, 1);
    __m128 first = _mm_unpacklo_ps(ac, bd), second = _mm_unpackhi_ps(ac, bd);
    add(_mm_movelh_ps(first, second), gain_left, bus_left + i);
    add(_mm_movehl_ps(second, first), gain_right, bus_right + i);
  }
  for (; i < count; i += 1) {
    frame a = stereo_frame(left, right, tap_at(phase, rows, groups), groups);
    phase += increment;
    __m128 halves = _mm256_castps256_ps128(halve(fold(a.left, a.left), fold(a.right, a.right)));
    __m128 sums = _mm_add_ps(halves, _mm_movehl_ps(halves, halves));
    bus_left[i] += sums[0] * gain_left;
    bus_right[i] += sums[1] * gain_right;
  }
  return phase;
}

// MARK: One channel

INLINE __m256 mono_frame(const float *source, tap t, intptr_t groups) {
  source += t.place;
  __m256 sums = product(source, weights(t, 0));
  intptr_t group = 2;
  for (; group + 2 <= groups; group += 2) sums = _mm256_add_ps(sums, product(source + group * 4, weights(t, group)));
  return group < groups ? add_last(sums, source + group * 4, last_weights(t, group)) : sums;
}

INLINE uint64_t add_mono(
    const float *source, uint64_t phase, uint64_t increment, const float *rows, intptr_t groups, float *bus_left,
    float *bus_right, intptr_t count, float gain_left, float gain_right) {
  source -= groups * 2 - 1;
  intptr_t i = 0;
  for (; i + 4 <= count; i += 4) {
    __m256 a = mono_frame(source, tap_at(phase, rows, groups), groups);
    __m256 b = mono_frame(source, tap_at(phase += increment, rows, groups), groups);
    __m256 c = mono_frame(source, tap_at(phase += increment, rows, groups), groups);
    __m256 d = mono_frame(source, tap_at(phase += increment, rows, groups), groups);
    phase += increment;
    __m256 sums = halve(fold(a, c), fold(b, d));
    __m128 ab = _mm256_castps256_ps128(sums), cd = _mm256_extractf128_ps(sums, 1);
    __m128 value = _mm_add_ps(_mm_movelh_ps(ab, cd), _mm_movehl_ps(cd, ab));
    add(value, gain_left, bus_left + i);
    add(value, gain_right, bus_right + i);
  }
  for (; i < count; i += 1) {
    __m256 a = mono_frame(source, tap_at(phase, rows, groups), groups);
    phase += increment;
    __m128 halves = _mm256_castps256_ps128(halve(fold(a, a), fold(a, a)));
    float value = _mm_add_ps(halves, _mm_movehl_ps(halves, halves))[0];
    bus_left[i] += value * gain_left;
    bus_right[i] += value * gain_right;
  }
  return phase;
}

// MARK: By the number of groups
// The loops over the groups of usual rates are unrolled.

#define BY_GROUPS(LOOP)     \
  switch (groups) {         \
  case 4: return LOOP(4);   \
  case 5: return LOOP(5);   \
  case 6: return LOOP(6);   \
  case 7: return LOOP(7);   \
  case 8: return LOOP(8);   \
  default: return LOOP(groups); \
  }

WIDE uint64_t jam_add_stereo(
    const float *left, const float *right, uint64_t phase, uint64_t increment, const float *rows, intptr_t groups,
    float *bus_left, float *bus_right, intptr_t count, float gain_left, float gain_right) {
#define STEREO(GROUPS) \
  add_stereo(left, right, phase, increment, rows, GROUPS, bus_left, bus_right, count, gain_left, gain_right)
  BY_GROUPS(STEREO)
}

WIDE uint64_t jam_add_mono(
    const float *source, uint64_t phase, uint64_t increment, const float *rows, intptr_t groups, float *bus_left,
    float *bus_right, intptr_t count, float gain_left, float gain_right) {
#define MONO(GROUPS) \
  add_mono(source, phase, increment, rows, GROUPS, bus_left, bus_right, count, gain_left, gain_right)
  BY_GROUPS(MONO)
}

#else

bool jam_has_wide_voices(void) { return false; }

void jam_widen(const int16_t *source, float *target, intptr_t count, float scale, bool wide) {
  widen(source, target, count, scale);
}

uint64_t jam_add_stereo(
    const float *left, const float *right, uint64_t phase, uint64_t increment, const float *rows, intptr_t groups,
    float *bus_left, float *bus_right, intptr_t count, float gain_left, float gain_right) {
  __builtin_trap();
}

uint64_t jam_add_mono(
    const float *source, uint64_t phase, uint64_t increment, const float *rows, intptr_t groups, float *bus_left,
    float *bus_right, intptr_t count, float gain_left, float gain_right) {
  __builtin_trap();
}

#endif
