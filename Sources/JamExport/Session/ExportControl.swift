import JamCore

/// A change of a controller that acts on the notes of a track while they sound.
public struct ExportControl: Hashable, Sendable {
  public enum Value: Hashable, Sendable {
    /// The instrument that plays the notes from here on. The program is General MIDI's, 0…127; nil
    /// where it has nothing like the instrument.
    case instrument(name: String, program: UInt8?)
    /// Semitones of the wheel's full bend, 0…127.
    case bendRange(Double)
    /// The position of the wheel of all notes, −1…1.
    case bend(Double)
    /// The pressure of a finger on one key, 0…1.
    case pressure(key: UInt8, Double)
  }

  /// Frames since the beginning of the session.
  public var frame: Int
  public var value: Value
  /// 0…15; others become 15.
  public var channel: UInt8

  public init(frame: Int, _ value: Value, channel: UInt8) {
    self.frame = frame
    self.value = value
    self.channel = channel
  }
}

extension ExportControl {
  /// The messages of MIDI 1.0 for this change, in their order.
  var messages: [[UInt8]] {
    let channel = min(channel, 15)
    switch value {
    case .instrument(_, let program): return program.map { [[0xc0 | channel, min($0, 127)]] } ?? []
    case .bend(let place):
      // 14 bits, of which 8,192 is the middle.
      let place = ExportControl.bounded(place, -1...1)
      let number = Int(saturating: (place * (place < 0 ? 8_192 : 8_191)).rounded()) + 8_192
      return [[0xe0 | channel, UInt8(number & 0x7f), UInt8(number >> 7)]]
    case .bendRange(let semitones):
      // Registered parameter 0: semitones, and cents.
      let cents = Int(saturating: (ExportControl.bounded(semitones, 0...127) * 100).rounded())
      return [[101, 0], [100, 0], [6, UInt8(cents / 100)], [38, UInt8(cents % 100)]].map { [0xb0 | channel] + $0 }
    case .pressure(let key, let force):
      guard key < 128 else { return [] }
      let number = Int(saturating: (ExportControl.bounded(force, 0...1) * 127).rounded())
      return [[0xa0 | channel, key, UInt8(number)]]
    }
  }

  /// Bounds a value. NaN becomes the lower bound.
  private static func bounded(_ value: Double, _ range: ClosedRange<Double>) -> Double {
    value >= range.lowerBound ? min(value, range.upperBound) : range.lowerBound
  }

  /// The kind of the control: a later control of the same kind replaces an earlier one.
  var kind: Int {
    switch value {
    case .instrument: -3
    case .bendRange: -2
    case .bend: -1
    case .pressure(let key, _): Int(key)
    }
  }
}
