internal import JamCore

/// Writes messages for people who watch what others send, without what is secret in them.
///
/// Texts are shown only where the address table has a row for them, and no argument of that row is
/// secret. A message that no row takes may be a misspelt `/password`, so neither its texts nor its
/// long numbers are shown.
/// Thread: any.
public enum MessageVeil {
  /// Stands for a text that is not shown.
  public static let veil = "•••"
  /// Bytes of an address. Bytes and not characters, one of which may have thousands of marks.
  public static let mostAddressBytes = 128
  /// Unicode scalars of all arguments, of a reading, or of a reason.
  static let mostScalars = 240
  private static let mostTextScalars = 40
  private static let mostArguments = 16
  private static let secretNames: Set<String> = ["host", "password", "hello", "token", "cookie"]

  /// The address: not too long, and without what stands behind a name that is followed by a word or
  /// a token. Somebody may write the word into the address.
  public static func address(_ address: String) -> String {
    let parts = String(decoding: address.utf8.prefix(mostAddressBytes), as: UTF8.self).split(
      separator: "/", omittingEmptySubsequences: false)
    let secret = parts.firstIndex { secretNames.contains($0.lowercased()) }
    guard let secret, secret + 1 < parts.endIndex else { return parts.joined(separator: "/") }
    return parts[...secret].joined(separator: "/") + "/…"
  }

  /// The arguments: `0.8 "dub" T`. A text has quotes.
  public static func arguments(of message: OSCMessage) -> String {
    guard !message.arguments.isEmpty else { return "" }
    let specs = specs(of: message.address)
    // Such as `/room/dub/password`, which no row takes.
    let parts = message.address.split(separator: "/")
    guard specs != nil || !parts.contains(where: { secretNames.contains($0.lowercased()) }) else {
      return veil
    }
    let texts = message.arguments.prefix(mostArguments).enumerated().map { index, argument in
      shown(argument, sight(index, specs))
    }
    let rest = message.arguments.count - texts.count
    return clipped(texts.joined(separator: " ") + (rest > 0 ? " … +\(rest)" : ""))
  }

  /// Why a message was refused, without what is secret in it.
  /// - Parameter near: finds the known address that may have been meant.
  public static func reason(_ error: WireError, near: (String) -> String?) -> String {
    let holdsSecrets = specs(of: error.address)?.contains(where: \.isSecret) ?? false
    return clipped(
      printable((holdsSecrets ? error.withoutContent : error).veiledDescription(near: near)))
  }

  /// The message as it was understood: the address and the values of its command, with their units.
  /// - Parameters:
  ///   - request: what was read.
  ///   - message: what came. It is shown where the request has no address of its own.
  public static func reading(_ request: Request, of message: OSCMessage) -> String {
    switch request {
    case .command(let command):
      reading(of: AddressTable.standard.message(for: command) ?? message)
    case .commands(let commands): "\(reading(of: message)) × \(commands.count)"
    case .session: reading(of: message)
    }
  }

  private static func reading(of message: OSCMessage) -> String {
    let specs = specs(of: message.address) ?? []
    let values = message.arguments.prefix(mostArguments).enumerated().map { index, argument in
      let sight = sight(index, specs)
      guard let spec = spec(index, specs), sight == .all else { return shown(argument, sight) }
      let value = argument.number.map(Wording.number) ?? shown(argument, sight)
      // The last word of an address mostly names the value.
      let name = message.address.hasSuffix("/\(spec.name)") ? "" : "\(spec.name) "
      return name + value + (spec.unit.isEmpty ? "" : " \(spec.unit)")
    }
    let address = printable(address(message.address))
    return clipped(values.isEmpty ? address : "\(address): \(values.joined(separator: ", "))")
  }

  /// The arguments that the table has at the address; nil where no row takes it.
  private static func specs(of address: String) -> [ArgumentSpec]? {
    guard let found = try? AddressTable.standard.resolve(address) else { return nil }
    return AddressTable.standard.entries[found.entry].arguments
  }

  private static func spec(_ index: Int, _ specs: [ArgumentSpec]) -> ArgumentSpec? {
    if specs.indices.contains(index) { return specs[index] }
    guard let last = specs.last, last.repeats else { return nil }
    return last
  }

  /// How much of an argument may be seen.
  private enum Sight {
    case all
    /// Numbers that are no password: positions, velocities, what MIDI has.
    case shortNumbers
    case nothing
  }

  private static func sight(_ index: Int, _ specs: [ArgumentSpec]?) -> Sight {
    guard let specs else { return .shortNumbers }
    // An argument that was left out moves those behind it: a token must not come to stand where a
    // name is shown.
    if specs.contains(where: \.isSecret) { return .nothing }
    // An argument of any kind may be anything.
    guard let spec = spec(index, specs), spec.kind != .any else { return .shortNumbers }
    return .all
  }

  private static func shown(_ argument: OSCArgument, _ sight: Sight) -> String {
    guard sight != .nothing else { return veil }
    switch argument {
    case .string(let text), .symbol(let text):
      guard sight == .all else { return veil }
      let text = text.hasPrefix("/") ? address(text) : text
      return "\"\(printable(beginning(of: text, mostTextScalars)))\""
    case .int32(let value): return shown(Double(value), "\(value)", sight)
    case .int64(let value): return shown(Double(value), "\(value)", sight)
    case .float(let value): return shown(Double(value), "\(value)", sight)
    case .double(let value): return shown(value, "\(Float(value))", sight)
    case .character(let byte):
      return sight == .all ? "'\(printable(String(UnicodeScalar(byte))))'" : veil
    case .midi(let bytes): return "[MIDI " + String(bytes, radix: 16) + "]"
    case .blob(let bytes): return "[\(bytes.count) bytes]"
    case .timetag: return "[time]"
    case .true: return "T"
    case .false: return "F"
    case .nil: return "N"
    case .infinitum: return "I"
    }
  }

  private static func shown(_ number: Double, _ text: String, _ sight: Sight) -> String {
    sight == .all || number.magnitude < 1_000 || !number.isFinite ? text : veil
  }

  /// The text without characters that move a terminal's cursor or turn a line round.
  public static func printable(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(1_000) {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
        .unassigned:
        shown.append("\u{FFFD}")
      default: shown.append(scalar)
      }
    }
    return String(shown)
  }

  private static func clipped(_ text: String) -> String {
    text.unicodeScalars.count <= mostScalars ? text : beginning(of: text, mostScalars) + "…"
  }

  /// So many scalars and not characters, one of which may have thousands of marks.
  private static func beginning(of text: String, _ count: Int) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(count)))
  }
}
