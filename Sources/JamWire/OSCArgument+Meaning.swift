/// Arguments of other types that can only mean a number or a switch, as some controllers send them.
extension OSCArgument {
  /// A number from a text or a MIDI message, where one is wanted; every other argument as it is.
  var asNumber: OSCArgument {
    switch self {
    case .string(let text), .symbol(let text):
      OSCArgument.number(written: text).map { .double($0) } ?? self
    case .midi(let message): OSCArgument.share(ofMIDI: message).map { .float($0) } ?? self
    default: self
    }
  }

  /// A switch from a word, where a switch or a press is wanted; else as `asNumber`.
  var asSwitch: OSCArgument {
    guard let text else { return asNumber }
    // Longer than every word: such a text is not made lower case first.
    guard text.utf8.count <= 8 else { return asNumber }
    return switch text.lowercased() {
    case "on", "true", "yes": .true
    case "off", "false", "no": .false
    default: asNumber
    }
  }

  /// Whether the argument is Max's or Pure Data's `bang` that was sent as a word. It stands for no
  /// argument.
  var isBang: Bool { text == "bang" }

  /// The number that a text writes in decimal digits, as `-6`, `0.8` or `1e3`. A comma is none of
  /// its signs, because `1,500` has two meanings. Nil for every other text.
  static func number(written text: String) -> Double? {
    guard (1...32).contains(text.utf8.count) else { return nil }
    // `Double` would also read `nan`, `inf` and hexadecimal numbers.
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
        break
      default: return nil
      }
    }
    return Double(text)
  }

  /// How hard, or how far, a MIDI message of type `m` is, as a share of MIDI's 127: a note's
  /// velocity, a controller's value or a pressure. Nil for other messages.
  /// - Source: OSC 1.0, "OSC Type Tag String": port id, status byte, data1, data2.
  private static func share(ofMIDI message: UInt32) -> Float? {
    let first = Float(message >> 8 & 0x7f)
    let second = Float(message & 0x7f)
    return switch message >> 20 & 0xf {
    case 0x8: 0
    case 0x9, 0xa, 0xb: second / 127
    case 0xd: first / 127
    default: nil
    }
  }
}

extension ArgumentSpec {
  /// The argument in the form in which this kind reads it.
  func meant(_ argument: OSCArgument) -> OSCArgument {
    switch kind {
    case .bool, .velocity: argument.asSwitch
    // A share of MIDI's 127 is a value where the range is 0…1, and nowhere else.
    case .float(let range): argument.isMIDI && range != 0...1 ? argument : argument.asNumber
    case .integer, .pad, .long, .timestamp: argument.isMIDI ? argument : argument.asNumber
    case .port, .text, .name, .choice, .textOrIndex, .timetag, .any: argument
    }
  }

  /// Whether the argument is a number or a switch, and never a word.
  var isNumeric: Bool {
    switch kind {
    case .bool, .velocity, .float, .integer, .pad, .long, .timestamp: true
    case .port, .text, .name, .choice, .textOrIndex, .timetag, .any: false
    }
  }
}

extension OSCArgument {
  fileprivate var isMIDI: Bool { if case .midi = self { true } else { false } }
}
