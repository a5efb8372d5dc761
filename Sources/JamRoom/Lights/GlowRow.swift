internal import JamCore

/// A row of at most 32 lights. It is compared at every look, so it is one number.
struct GlowRow: Equatable, Sendable {
  private var bits: UInt64 = 0

  static let most = places.count

  /// A place beyond the row is dark, and stays so.
  subscript(place: Int) -> Glow {
    get {
      guard Self.places.contains(place) else { return .off }
      return Glow(rawValue: UInt8(bits >> UInt64(2 * place) & 3)) ?? .off
    }
    set {
      guard Self.places.contains(place) else { return }
      bits &= ~(3 << UInt64(2 * place))
      bits |= UInt64(newValue.rawValue) << UInt64(2 * place)
    }
  }

  private static let places = 0..<32
}
