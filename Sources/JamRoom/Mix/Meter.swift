internal import Glibc

/// Levels for people.
enum Meter {
  /// dBFS of a linear peak; −120 for silence.
  static func decibels(_ level: Float) -> Float { level > 1e-6 ? 20 * log10f(level) : -120 }

  /// LUFS of a mean square that was weighed; −120 for silence.
  /// - Source: ITU-R BS.1770-4 annex 1, equation 2.
  static func loudness(_ meanSquare: Float) -> Float {
    meanSquare > 1e-12 ? max(-120, -0.691 + 10 * log10f(meanSquare)) : -120
  }
}
