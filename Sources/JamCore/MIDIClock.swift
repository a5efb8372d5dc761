/// A message of a MIDI clock.
///
/// - Source: MIDI 1.0 Detailed Specification, "System Common" and "System Real Time Messages".
public enum MIDIClock: Hashable, Sendable {
  /// 24 ticks make a quarter note.
  case tick
  /// Starts from the beginning. The following tick is the first one.
  case start
  /// Starts where the clock stopped, or at the song position.
  case `continue`
  case stop
  /// Sixteenths from the beginning, 0…16,383.
  case position(Int)

  public static let ticksPerQuarter = 24

  /// - Parameter bytes: a status byte, 0xf8, 0xfa, 0xfb, 0xfc or 0xf2, and its data. Further bytes
  ///   are ignored.
  /// - Returns: nil for any other message.
  public init?(_ bytes: some Collection<UInt8>) {
    switch bytes.first {
    case 0xf8?: self = .tick
    case 0xfa?: self = .start
    case 0xfb?: self = .continue
    case 0xfc?: self = .stop
    case 0xf2?:
      let data = Array(bytes.dropFirst().prefix(2))
      guard data.count == 2, data.allSatisfy({ $0 < 0x80 }) else { return nil }
      self = .position(Int(data[0]) | Int(data[1]) << 7)
    default: return nil
    }
  }
}
