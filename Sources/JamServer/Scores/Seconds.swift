package import JamCore

/// Writes moments for people.
package enum Seconds {
  /// `12.345 s`.
  package static func text(_ frame: Frames) -> String {
    let milliseconds = Int(saturating: frame.milliseconds.rounded())
    let fraction = "\(milliseconds % 1_000)"
    return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction + " s"
  }
}
