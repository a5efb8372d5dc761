import JamKit

/// Something that a sound of a category must be: a measure, and where it has to lie.
struct SoundClaim: Sendable {
  let what: String
  let range: ClosedRange<Double>
  let measure: @Sendable (SoundPortrait) -> Double

  static func atLeast(_ least: Double, _ what: String, _ measure: @escaping @Sendable (SoundPortrait) -> Double) -> Self
  {
    SoundClaim(what: what, range: least...1e9, measure: measure)
  }

  static func atMost(_ most: Double, _ what: String, _ measure: @escaping @Sendable (SoundPortrait) -> Double) -> Self {
    SoundClaim(what: what, range: -1e9...most, measure: measure)
  }

  static func within(
    _ range: ClosedRange<Double>, _ what: String, _ measure: @escaping @Sendable (SoundPortrait) -> Double
  ) -> Self { SoundClaim(what: what, range: range, measure: measure) }

  /// nil where it holds.
  func objection(to portrait: SoundPortrait) -> String? {
    let value = measure(portrait)
    return range.contains(value) ? nil : "\(what): \(value), not in \(range)"
  }
}

extension [SoundClaim] {
  func objections(to portrait: SoundPortrait) -> [String] { compactMap { $0.objection(to: portrait) } }
}
