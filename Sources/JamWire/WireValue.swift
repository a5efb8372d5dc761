internal import JamCore

/// An argument after the check against its row in the table.
enum WireValue: Hashable, Sendable {
  case float(Float)
  case integer(Int64)
  case bool(Bool)
  case text(String)
  case name(PlayerName)
  case port(FeedbackPort)
  case raw(OSCArgument)
}

/// The input of a row's builder: the variable parts of the address, and the checked arguments.
struct WireArguments {
  /// The numbers in the address, in order; a pad's number is 1…16.
  var numbers: (Int, Int) = (0, 0)
  /// The texts in the address: a kit's id, a player's name.
  var texts: [String] = []
  /// Whether the message comes from a score, where all values are as they were played.
  var isOfScore = false
  /// By position; nil where an optional argument is missing.
  var values: [WireValue?] = []
  let address: String

  /// The pad in the address. Only rows with `<n>` use it.
  var pad: Pad { Pad(numbers.0)! }

  func float(_ i: Int) -> Float? { if case .float(let value)? = value(i) { value } else { nil } }
  func integer(_ i: Int) -> Int? { if case .integer(let value)? = value(i) { Int(value) } else { nil } }
  func bool(_ i: Int) -> Bool? { if case .bool(let value)? = value(i) { value } else { nil } }
  func text(_ i: Int) -> String? { if case .text(let value)? = value(i) { value } else { nil } }
  func port(_ i: Int) -> FeedbackPort? { if case .port(let port)? = value(i) { port } else { nil } }
  func raw(_ i: Int) -> OSCArgument? { if case .raw(let value)? = value(i) { value } else { nil } }
  func name(_ i: Int) -> PlayerName? { if case .name(let value)? = value(i) { value } else { nil } }

  private func value(_ i: Int) -> WireValue? { i < values.count ? values[i] : nil }
}

extension ArgumentSpec {
  /// Checks one argument and converts it to its type.
  func check(_ given: OSCArgument, address: String) throws(WireError) -> WireValue {
    let argument = meant(given)
    switch kind {
    case .float(let range):
      let value = try number(argument, "a number", address)
      if let range, !range.contains(value), !ArgumentSpec.isEnd(value, of: range) {
        throw outOfRange(value, range, address)
      }
      return .float(Float(value))
    case .velocity:
      let value = try number(argument, "a number", address)
      guard value >= 0 else { throw outOfRange(value, 0...1, address) }
      return .raw(argument)
    case .integer(let range):
      let value = try whole(argument, address)
      if let range, !range.contains(Double(value)) { throw outOfRange(Double(value), range, address) }
      return .integer(value)
    case .pad:
      let value = try whole(argument, address)
      guard value >= 1, value <= Int64(Pad.count) else { throw .padOutOfRange(String(value), address: address) }
      return .integer(value)
    case .port:
      return .port(try FeedbackPort(argument, self, address: address))
    case .long:
      return .integer(try whole(argument, address))
    case .timestamp:
      let value = try whole(argument, address)
      guard OSCPacket.timestamps.contains(Double(value)) else {
        throw outOfRange(Double(value), OSCPacket.timestamps, address)
      }
      return .integer(value)
    case .bool:
      return .bool(try number(argument, "T, F or a number", address) > 0)
    case .text:
      guard let text = argument.text else { throw wrong(argument, "a text", address) }
      return .text(try bounded(text, address))
    case .name:
      guard let text = argument.text else { throw wrong(argument, "a name", address) }
      guard let name = PlayerName(text) else { throw .badName(argument: self.name, name: text, address: address) }
      return .name(name)
    case .choice(let words):
      if let text = argument.text {
        guard
          let word = ArgumentSpec.word(text, among: words)
            ?? ArgumentSpec.word(numbered: text, among: words)
        else {
          throw .unknownWord(argument: name, word: text, choices: words, address: address)
        }
        return .text(word)
      }
      let index = try whole(argument, address)
      guard index >= 0, index < words.count else {
        throw outOfRange(Double(index), 0...Double(words.count - 1), address)
      }
      return .text(words[Int(index)])
    case .textOrIndex:
      if let text = argument.text { return .text(try bounded(text, address)) }
      let index = try whole(argument, address)
      guard index >= 0 else { throw outOfRange(Double(index), 0...Double(Int32.max), address) }
      return .integer(index)
    case .timetag, .any:
      return .raw(argument)
    }
  }

  /// Whether a value that came in 32 bits means an end of the range. 0.02, for example, arrives as
  /// a slightly smaller number.
  private static func isEnd(_ value: Double, of range: ClosedRange<Double>) -> Bool {
    Float(value) == Float(range.lowerBound) || Float(value) == Float(range.upperBound)
  }

  /// The choice's own spelling of the word; upper and lower case do not matter. Keys and scales
  /// keep their spelling, because the room knows all of them.
  private static func word(_ text: String, among words: [String]) -> String? {
    if words.contains(text) { return text }
    let plain = text.lowercased()
    if let word = words.first(where: { $0.lowercased() == plain }) { return word }
    guard text.utf8.count <= Limits.standard.textBytes else { return nil }
    let known = [Scale(written: text)?.word, KeyRoot(written: text)?.word].compactMap(\.self)
    return known.contains(where: words.contains) ? text : nil
  }

  /// The word whose index the text writes. Words with digits of their own, as `1/8`, have no such
  /// indices: `8` may mean one of those words.
  private static func word(numbered text: String, among words: [String]) -> String? {
    guard let number = OSCArgument.number(written: text), let index = Int(exactly: number),
      words.indices.contains(index), !words.contains(where: { $0.contains(where: \.isNumber) })
    else { return nil }
    return words[index]
  }

  /// A command that waits for its time is stored with its texts, so their length is limited.
  private func bounded(_ text: String, _ address: String) throws(WireError) -> String {
    let most = Limits.standard.textBytes
    guard text.utf8.count <= most else { throw .textTooLong(argument: name, most: most, address: address) }
    return text
  }

  func number(_ argument: OSCArgument, _ expected: String, _ address: String) throws(WireError) -> Double {
    guard let value = argument.number else { throw wrong(argument, expected, address) }
    guard value.isFinite else { throw .notFinite(argument: name, address: address) }
    return value
  }

  /// The nearest whole number, because many controllers send floats for everything.
  private func whole(_ argument: OSCArgument, _ address: String) throws(WireError) -> Int64 {
    if case .int64(let value) = argument { return value }
    let value = try number(argument, "a whole number", address).rounded()
    guard let whole = Int64(exactly: value) else {
      throw outOfRange(value, Double(Int32.min)...Double(Int32.max), address)
    }
    return whole
  }

  func outOfRange(_ value: Double, _ range: ClosedRange<Double>, _ address: String) -> WireError {
    .outOfRange(argument: name, value: value, range: range, unit: unit, address: address)
  }

  private func wrong(_ argument: OSCArgument, _ expected: String, _ address: String) -> WireError {
    .wrongType(argument: name, expected: expected, got: argument.words, address: address)
  }
}
