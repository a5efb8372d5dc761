internal import Glibc

/// Levels for people.
enum Meter {
  /// dBFS of a linear peak; −120 for silence.
  static func decibels(_ level: Float) -> Float { level > 1e-6 ? 20 * log10f(level) : -120 }
}
