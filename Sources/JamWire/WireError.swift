internal import JamCore

/// The faults of a message that is valid OSC.
///
/// An error makes its text only on request, so that a flood of bad messages costs no searches for
/// near addresses.
public enum WireError: Error, Hashable {
  case unknownAddress(String)
  case padOutOfRange(String, address: String)
  case outOfRange(argument: String, value: Double, range: ClosedRange<Double>, unit: String, address: String)
  case notFinite(argument: String, address: String)
  case wrongType(argument: String, expected: String, got: String, address: String)
  case missing(argument: String, address: String)
  case tooManyArguments(got: Int, most: Int, address: String)
  /// The two numbers of an XY pad, for an address that takes one.
  case pairForOne(address: String)
  case unknownWord(argument: String, word: String, choices: [String], address: String)
  case badName(argument: String, name: String, address: String)
  case textTooLong(argument: String, most: Int, address: String)
  case badSignature(beatsPerBar: Int, beatUnit: Int, address: String)
  case readOnly(address: String)
  /// The table lists the address as one that only the server sends.
  case notForSending(address: String)
  /// A request about the sender's own connection cannot be addressed to another room or player.
  case notForOthers(address: String)
  case sequenceOutOfPlace
  case heardOutOfPlace
  case patternNotAllowed(address: String)
  case patternBroken(address: String)
  case patternTooLong(address: String)
  case patternMatchesNothing(address: String)
  /// `/sync` asks for an address that holds no value.
  case noValue(address: String)
  /// `/n/…` names an address whose value has no range.
  case noRange(address: String)

  /// The address that the message was sent to.
  public var address: String {
    switch self {
    case .unknownAddress(let address), .padOutOfRange(_, let address), .outOfRange(_, _, _, _, let address),
      .notFinite(_, let address), .wrongType(_, _, _, let address), .missing(_, let address),
      .tooManyArguments(_, _, let address), .pairForOne(let address),
      .unknownWord(_, _, _, let address), .badName(_, _, let address),
      .textTooLong(_, _, let address), .badSignature(_, _, let address), .readOnly(let address),
      .notForSending(let address),
      .notForOthers(let address), .patternNotAllowed(let address), .patternBroken(let address),
      .patternTooLong(let address),
      .patternMatchesNothing(let address), .noValue(let address), .noRange(let address):
      address
    case .sequenceOutOfPlace: "/seq"
    case .heardOutOfPlace: "/heard"
    }
  }
}

extension WireError: CustomStringConvertible {
  /// The fault, and how to correct it.
  public var description: String { description { AddressTable.standard.nearest(to: $0) } }

  /// - Parameter near: finds the known address that may have been meant. This is the only expensive
  ///   part of the text.
  public func description(near: (String) -> String?) -> String { "\(reason(near: near)) (\(address.prefix(80)))" }

  /// The same with the address as others may see it.
  func veiledDescription(near: (String) -> String?) -> String {
    "\(reason(near: near)) (\(MessageVeil.address(address)))"
  }

  /// The error without the words that were sent.
  var withoutContent: WireError {
    switch self {
    case .wrongType(let argument, let expected, _, let address):
      .wrongType(argument: argument, expected: expected, got: "what was sent", address: address)
    case .unknownWord(let argument, _, let choices, let address):
      .unknownWord(argument: argument, word: "…", choices: choices, address: address)
    case .badName(let argument, _, let address):
      .badName(argument: argument, name: "…", address: address)
    case .outOfRange(let argument, _, let range, let unit, let address):
      .outOfRange(argument: argument, value: .nan, range: range, unit: unit, address: address)
    default: self
    }
  }

  /// A reader sees the right one of a few words at once, so short lists need no suggestion.
  private static func guess(_ word: String, among choices: [String]) -> String {
    guard choices.count > 8, let near = nearest(to: word.lowercased(), among: choices) else { return "" }
    return "did you mean \(near)? There are "
  }

  private static let pairs =
    "an XY pad's two numbers go to a pattern of two addresses, as /macro/{1,2}"

  /// Whether the address is one that controllers give an XY pad, as `/xy` and `/1/xy2`.
  private static func isOfPad(_ address: String) -> Bool {
    guard let start = address.lastIndex(of: "/") else { return false }
    let name = address[start...].dropFirst()
    return name.utf8.count <= 8 && name.lowercased().hasPrefix("xy")
  }

  private func reason(near: (String) -> String?) -> String {
    switch self {
    case .unknownAddress(let address) where WireError.isOfPad(address):
      "there is no such address: \(WireError.pairs)"
    case .unknownAddress(let address):
      switch near(address) {
      case nil: "there is no such address: /sync tells all that can be read"
      case let near?: "there is no such address: did you mean \(near)?"
      }
    case .padOutOfRange(let number, _): "pad \(number) is out of range: this kit has pads 1–16"
    case .outOfRange(let argument, let value, let range, let unit, _):
      "\(argument) \(Wording.number(value)) is out of range: \(Wording.range(range, unit: unit))"
    case .notFinite(let argument, _): "\(argument) is not a finite number"
    case .wrongType(let argument, let expected, let got, _): "\(argument) must be \(expected), not \(got)"
    case .missing(let argument, _): "\(argument) is missing"
    case .tooManyArguments(let got, let most, _):
      "\(got) argument\(got == 1 ? " is" : "s are") too many: it takes \(most == 0 ? "none" : "\(most)")"
    case .pairForOne: "2 arguments are too many: it takes 1; \(WireError.pairs)"
    case .unknownWord(let argument, let word, let choices, _):
      "\(argument) '\(word.prefix(40))' is unknown: \(WireError.guess(word, among: choices))\(Wording.list(choices))"
    case .badName(let argument, let name, _):
      "\(argument) '\(name.prefix(40))' is no name: use 1 to \(Limits.standard.nameCharacters) characters"
    case .textTooLong(let argument, let most, _): "\(argument) is too long: \(most) bytes are the most"
    case .badSignature(let beats, let unit, _):
      "\(beats)/\(unit) is no time signature: beats per bar \(TimeSignature.beatsRange.words), "
        + "beat unit \(Wording.list(TimeSignature.beatUnits.map(String.init)))"
    case .readOnly: "it can only be read: send it without a value"
    case .notForSending: "it is only ever sent out by the server"
    case .notForOthers: "it concerns the sender alone: leave /room/… and /player/… out"
    case .sequenceOutOfPlace: "it must be the first message of a bundle, with one whole number"
    case .heardOutOfPlace:
      "it must stand first in a bundle (behind /seq), before the hits that it is about; a score has none"
    case .patternNotAllowed: "patterns work on one's own pads and settings only, as in /pad/{1,3} and /pad/*/gain"
    case .patternBroken: "the pattern is broken: brackets and braces must close"
    case .patternTooLong:
      """
      the pattern is too long: \(AddressPattern.mostBytes) bytes and \(AddressPattern.mostStars) stars \
      between two slashes are the most
      """
    case .patternMatchesNothing:
      "the pattern matches none of your pads and settings, and of buttons those of pads alone"
    case .noValue: "it has no value that could be told now: it is an order, or tells what happens"
    case .noRange:
      "its value has no range from 0 to 1: /n/… is for numbers, switches, choices and lit buttons"
    }
  }
}
