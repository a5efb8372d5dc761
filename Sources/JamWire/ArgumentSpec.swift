internal import JamCore

/// The description of one argument of an address.
public struct ArgumentSpec: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case float(ClosedRange<Double>?)
    case integer(ClosedRange<Double>?)
    case long
    /// An RTP timestamp.
    case timestamp
    case bool
    case text
    /// A player's or a room's name.
    case name
    /// One of the words, or its index from 0.
    case choice([String])
    /// Any word, or an index from 0.
    case textOrIndex
    case pad
    /// The destination of feedback; see `FeedbackPort`.
    case port
    /// The strength of a hit, as a number on its player's scale. The number stays unchanged; 0 is
    /// the release.
    case velocity
    case timetag
    case any
  }

  public var name: String
  public var kind: Kind
  /// The unit's symbol, empty for bare numbers.
  public var unit: String
  public var isOptional: Bool
  /// Whether this last argument may occur any number of times.
  public var repeats: Bool
  /// Whether its text is for the server or the room alone: a password, a token, what somebody says.
  /// Those who watch what others send do not see it.
  public var isSecret = false

  init(_ name: String, _ kind: Kind, unit: String = "", optional: Bool = false, repeats: Bool = false) {
    self.name = name
    self.kind = kind
    self.unit = unit
    self.isOptional = optional
    self.repeats = repeats
  }

  static func float(_ name: String, _ range: ClosedRange<Double>? = nil, unit: String = "") -> ArgumentSpec {
    ArgumentSpec(name, .float(range), unit: unit)
  }
  static func integer(_ name: String, _ range: ClosedRange<Double>? = nil, unit: String = "") -> ArgumentSpec {
    ArgumentSpec(name, .integer(range), unit: unit)
  }
  static func count(_ name: String, _ range: ClosedRange<Int>) -> ArgumentSpec {
    // The bounds are in order, because those of `range` are.
    integer(name, Double(range.lowerBound)...Double(range.upperBound))
  }
  static func text(_ name: String) -> ArgumentSpec { ArgumentSpec(name, .text) }
  static func name(_ name: String) -> ArgumentSpec { ArgumentSpec(name, .name) }
  static func choice(_ name: String, _ words: [String]) -> ArgumentSpec { ArgumentSpec(name, .choice(words)) }

  var optional: ArgumentSpec {
    var spec = self
    spec.isOptional = true
    return spec
  }
  var secret: ArgumentSpec {
    var spec = self
    spec.isSecret = true
    return spec
  }
  var repeated: ArgumentSpec {
    var spec = self
    spec.repeats = true
    return spec
  }

  /// Whether the argument is any number in a range.
  var isContinuous: Bool {
    switch kind {
    case .float, .velocity: true
    default: false
    }
  }

  /// Whether the argument is one of some words.
  var isWord: Bool { if case .choice = kind { true } else { false } }

  var takesText: Bool {
    switch kind {
    case .text, .name, .choice, .textOrIndex: true
    default: false
    }
  }

  /// Whether `argument` cannot be the number that this optional argument wants. It may then be the
  /// next argument.
  func leavesOut(_ argument: OSCArgument) -> Bool {
    guard isOptional, let text = argument.text else { return false }
    switch kind {
    case .float, .integer: return true
    case .port: return Int(text) == nil
    default: return false
    }
  }

  /// The OSC type that the server uses when it sends the argument.
  public var tag: String {
    switch kind {
    case .float, .velocity: "f"
    case .integer, .bool, .pad, .port: "i"
    case .long, .timestamp: "h"
    case .text, .name, .choice: "s"
    case .textOrIndex: "s or i"
    case .timetag: "t"
    case .any: "…"
    }
  }

  /// The allowed values, for documents.
  public var rangeText: String {
    switch kind {
    case .float(let range?), .integer(let range?): Wording.range(range, unit: unit)
    case .float, .integer, .long: unit
    case .timestamp: Wording.range(OSCPacket.timestamps, unit: "")
    case .bool: "`T F` or a number"
    case .choice(let words): words.map { "`\($0)`" }.joined(separator: " ")
    case .pad: "1…\(Pad.count)"
    case .velocity: "0…1, or 0…127"
    case .port: Wording.range(FeedbackPort.range, unit: "")
    case .name: "1 to \(Limits.standard.nameCharacters) characters; spaces and `/ # * , ? [ ] { }` become `_`"
    case .text, .timetag, .any: ""
    case .textOrIndex: "a word, or its index from 0"
    }
  }
}
