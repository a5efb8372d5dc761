internal import JamCore

/// One row of the address table.
public struct AddressEntry: Sendable {
  public enum Access: String, Sendable {
    /// Acts on no argument or a value above 0; the button coming up is ignored, or a release.
    case trigger
    /// A value sets it; without one it toggles.
    case `switch`
    /// A value sets it; without one it answers.
    case setter
    case readOnly = "read only"
    /// Answers.
    case query
    /// Asks for something, with arguments.
    case call
    /// Only ever sent by the server.
    case sent
  }

  public enum Scope: String, Sendable {
    /// The connection itself.
    case session
    case pad
    case player
    case room
    /// Hosts only.
    case host
  }

  /// Which heading of the document it stands under.
  public enum Section: String, CaseIterable, Sendable {
    case players = "Players"
    case pads = "Pads and kits"
    case clock = "Clock"
    case loops = "Loops"
    case sent = "Sent out"
  }

  /// Concrete parts of an address and the arguments: what a message consists of.
  typealias Parts = (numbers: [Int], texts: [String], arguments: [OSCArgument])

  /// The address with `<n>` for a pad's number and `<id>`, `<name>` for text.
  public let template: String
  public let arguments: [ArgumentSpec]
  public let access: Access
  public let scope: Scope
  public internal(set) var section: Section = .players
  /// One line.
  public let summary: String

  /// Turns a checked message into a request; nil is a button coming up where that means nothing.
  let build: (@Sendable (WireArguments) throws(WireError) -> Request?)?
  /// The setting behind a switch, setter or read-only row, from the numbers in the address.
  let setting: (@Sendable (Int) -> Setting)?
  /// The message for a command of this row; nil for any other command.
  let write: (@Sendable (Command) -> Parts?)?
  /// The kind of event that this row tells, and its arguments.
  let tells: EventKind?
  let tell: (@Sendable (Event) -> [OSCArgument]?)?

  let segments: [Substring]
  /// What `<n>` stands for.
  let numbers: ClosedRange<Int>

  init(
    _ template: String, _ arguments: [ArgumentSpec], _ access: Access, _ scope: Scope, _ summary: String,
    build: (@Sendable (WireArguments) throws(WireError) -> Request?)? = nil,
    setting: (@Sendable (Int) -> Setting)? = nil,
    write: (@Sendable (Command) -> Parts?)? = nil,
    tells: EventKind? = nil,
    tell: (@Sendable (Event) -> [OSCArgument]?)? = nil
  ) {
    numbers = template.hasPrefix("/layer/") ? 1...Limits.standard.layersPerLoop : 1...Pad.count
    self.template = template
    self.arguments = arguments
    self.access = access
    self.scope = scope
    self.summary = summary
    self.build = build
    self.setting = setting
    self.write = write
    self.tells = tells
    self.tell = tell
    segments = template.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { $0 }
  }

  /// True for what patterns may expand to: the sender's own settings.
  var isOwnSetting: Bool { setting != nil && (scope == .pad || scope == .player) }

  /// The concrete address: placeholders filled in order.
  func address(numbers: [Int], texts: [String]) -> String {
    var numbers = numbers[...]
    var texts = texts[...]
    return segments.reduce(into: "") { address, segment in
      address += "/"
      switch segment {
      case "<n>": address += numbers.popFirst().map(String.init) ?? "?"
      case _ where segment.first == "<": address += texts.popFirst() ?? "?"
      default: address += segment
      }
    }
  }
}
