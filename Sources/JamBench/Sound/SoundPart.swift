internal import ArgumentParser

/// What the bench of sound can measure by itself.
enum SoundPart: String, CaseIterable, ExpressibleByArgument {
  case mix, limiter, loudness, transposition, stretching, fades, hits, loops, opus
}
