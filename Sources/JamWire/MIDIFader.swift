/// Numbers of MIDI, 0 to 127, for a fader whose own values are 0…1 or −1…1.
///
/// The only numbers that are surely MIDI's are whole ones from 2 on, which the fader refuses
/// otherwise. 0 and 1 are values of the fader, and of MIDI, too; `MIDIFaders` in JamOSC decides
/// which one is meant.
/// Thread: any.
public enum MIDIFader {
  public static let most = 127.0

  /// The whole number 0…127 of a message with one number; nil for all other messages, and for `T`
  /// and `F`.
  public static func number(of message: OSCMessage) -> Double? {
    guard message.arguments.count == 1 else { return nil }
    return number(of: message.arguments[0])
  }

  /// Whether the number is MIDI's, and no value of the fader.
  static func isBeyondShares(_ argument: OSCArgument) -> Bool {
    number(of: argument).map { $0 >= 2 } ?? false
  }

  private static func number(of argument: OSCArgument) -> Double? {
    switch argument {
    case .int32, .int64, .float, .double: break
    default: return nil
    }
    guard let number = argument.number, (0...most).contains(number), number.rounded() == number
    else { return nil }
    return number
  }

  /// The fader's value: 127 is its upper end and 0 its lower one. On a range with a middle, 64 is
  /// exactly the middle, as of MIDI's pan.
  public static func value(of number: Double, in range: ClosedRange<Double>) -> Double {
    guard range.lowerBound < 0 else { return number / most }
    return number <= 64 ? (number - 64) / 64 : (number - 64) / 63
  }
}
