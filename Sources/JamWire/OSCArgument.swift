/// One argument of an OSC message.
///
/// - Source: OSC 1.0, "OSC Type Tag String", standard and common non-standard types. The elements
///   of an array are read as arguments of their own; `r` is not understood.
public enum OSCArgument: Hashable, Sendable {
  case int32(Int32)
  case int64(Int64)
  case float(Float)
  case double(Double)
  case string(String)
  case symbol(String)
  case blob([UInt8])
  case timetag(OSCTimetag)
  case character(UInt8)
  case midi(UInt32)
  case `true`, `false`, `nil`, infinitum

  /// The type tag, in ASCII.
  public var tag: UInt8 {
    switch self {
    case .int32: UInt8(ascii: "i")
    case .int64: UInt8(ascii: "h")
    case .float: UInt8(ascii: "f")
    case .double: UInt8(ascii: "d")
    case .string: UInt8(ascii: "s")
    case .symbol: UInt8(ascii: "S")
    case .blob: UInt8(ascii: "b")
    case .timetag: UInt8(ascii: "t")
    case .character: UInt8(ascii: "c")
    case .midi: UInt8(ascii: "m")
    case .true: UInt8(ascii: "T")
    case .false: UInt8(ascii: "F")
    case .nil: UInt8(ascii: "N")
    case .infinitum: UInt8(ascii: "I")
    }
  }

  /// The number of an argument of any numeric type; booleans are 1 and 0.
  public var number: Double? {
    switch self {
    case .int32(let value): Double(value)
    case .int64(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case .true: 1
    case .false: 0
    default: nil
    }
  }

  var isInteger: Bool {
    switch self {
    case .int32, .int64: true
    default: false
    }
  }

  public var text: String? {
    switch self {
    case .string(let text), .symbol(let text): text
    default: nil
    }
  }

  /// Whether the argument has no value. Some controllers send such arguments for a button.
  public var isEmpty: Bool { self == .nil || self == .infinitum }

  /// A description for error texts.
  var words: String {
    switch self {
    case .string(let text), .symbol(let text): "the text '\(text.prefix(40))'"
    case .blob: "a blob"
    case .timetag: "a timetag"
    case .character: "a character"
    case .midi: "a MIDI message"
    case .nil: "nil"
    case .infinitum: "an impulse"
    default: number.map(Wording.number) ?? ""
    }
  }
}
