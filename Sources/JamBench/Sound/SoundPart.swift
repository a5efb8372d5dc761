/// A part of the bench of sound that can be measured alone.
enum SoundPart: String, CaseIterable {
  case mix, song, limiter, loudness, transposition, stretching, fades, hits, loops, opus, loss
  case releases, delay, reverb, effects
}
