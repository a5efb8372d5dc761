public import JamCore

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

  public typealias Scope = SettingScope

  /// Which heading of the document it stands under.
  public enum Section: String, CaseIterable, Sendable {
    case players = "Players"
    case pads = "Pads and kits"
    case keys = "Keys and instruments"
    case effects = "Effects"
    case clock = "Clock"
    case loops = "Loops"
    case projects = "Projects"
    case takes = "Takes"
    case library = "Library"
    case sent = "Sent out"
  }

  /// Concrete parts of an address and the arguments: what a message consists of.
  typealias Parts = (numbers: [Int], texts: [String], arguments: [OSCArgument])

  /// The address with `<n>`, `<pad>`, `<step>`, `<slot>` for numbers and `<id>`, `<name>` for text.
  public let template: String
  public let arguments: [ArgumentSpec]
  public let access: Access
  public let scope: Scope
  public internal(set) var section: Section = .players
  /// One line.
  public let summary: String

  /// Turns a checked message into a request; nil is a button coming up where that means nothing.
  let build: (@Sendable (WireArguments) throws(WireError) -> Request?)?
  /// The setting behind a switch, setter or read-only row, from the numbers in the address, in order.
  let setting: (@Sendable ((Int, Int)) -> Setting)?
  /// The message for a command of this row; nil for any other command.
  let write: (@Sendable (Command) -> Parts?)?
  /// The kind of event that this row tells, and its arguments.
  let tells: EventKind?
  let tell: (@Sendable (Event) -> [OSCArgument]?)?
  /// A call that a button may make: 1 or `T` alone is none of its arguments but the press, 0 or `F` alone the release, which does nothing.
  private(set) var isButton = false

  let segments: [Substring]
  /// What the placeholders for numbers stand for, in order.
  let numbers: [(name: Substring, range: ClosedRange<Int>)]

  init(
    _ template: String, _ arguments: [ArgumentSpec], _ access: Access, _ scope: Scope, _ summary: String,
    build: (@Sendable (WireArguments) throws(WireError) -> Request?)? = nil,
    setting: (@Sendable ((Int, Int)) -> Setting)? = nil,
    write: (@Sendable (Command) -> Parts?)? = nil,
    tells: EventKind? = nil,
    tell: (@Sendable (Event) -> [OSCArgument]?)? = nil
  ) {
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
    let segments = template.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { $0 }
    self.segments = segments
    numbers = segments.enumerated().compactMap { place, segment in
      let name = segment == "<n>" ? segments[place - 1] : segment.dropFirst().dropLast()
      return AddressEntry.range(segment, named: name).map { (name, $0) }
    }
  }

  var button: AddressEntry {
    var entry = self
    entry.isButton = true
    return entry
  }

  /// What a placeholder stands for; nil is text.
  private static func range(_ segment: Substring, named name: Substring) -> ClosedRange<Int>? {
    guard segment.first == "<" else { return nil }
    return switch name {
    case "pad": 1...Pad.count
    case "key": 0...(Pad.keyCount - 1)
    case "layer": 1...Limits.standard.layersPerLoop
    case "step": 1...Limits.standard.steps
    case "lane": 1...Limits.standard.lanesPerPlayer
    case "scene": 1...Limits.standard.scenesPerRoom
    case "slot": 1...Limits.standard.slotsPerLane
    default: nil
    }
  }

  /// Whether the segment stands for a number.
  static func isNumber(_ segment: Substring) -> Bool {
    ["<n>", "<pad>", "<step>", "<slot>"].contains(segment)
  }

  /// `/key/<n>/step/<step>`.
  var isKeyStep: Bool { segments.first == "key" && numbers.count == 2 }

  /// What a finger does to a note that sounds: of such values the latest counts.
  var isOfNote: Bool { segments.first == "key" && access == .call && numbers.count == 1 }

  /// True for what patterns may expand to: the sender's own settings.
  /// Not the keys': there are thousands of addresses, and nobody means all of them.
  var isOwnSetting: Bool { setting != nil && (scope == .pad || scope == .player) && segments.first != "key" }

  /// The same of what is pressed: one's own pads and keys, what else a pad's buttons do, and what a finger does to a key. All words of
  /// its address must stand in the pattern as they are: `/pad/1/*` reads a pad's settings, and resets nothing.
  var isOwnPadAction: Bool { access == .trigger && scope == .pad && !numbers.isEmpty || isOfNote }

  /// The concrete address: placeholders filled in order.
  func address(numbers: [Int], texts: [String]) -> String {
    var numbers = numbers[...]
    var texts = texts[...]
    return segments.reduce(into: "") { address, segment in
      address += "/"
      switch segment {
      case _ where AddressEntry.isNumber(segment): address += numbers.popFirst().map(String.init) ?? "?"
      case _ where segment.first == "<": address += texts.popFirst() ?? "?"
      default: address += segment
      }
    }
  }
}
