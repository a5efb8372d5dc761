public import JamCore

/// One row of the address table.
public struct AddressEntry: Sendable {
  public enum Access: String, Sendable {
    /// Acts on no argument, or on a value above 0. The release of the button is ignored, or is the
    /// pad's release.
    case trigger
    /// A value sets it; no value toggles it.
    case `switch`
    /// A value sets it; no value asks for it.
    case setter
    case readOnly = "read only"
    /// Asks for facts.
    case query
    /// Asks for an action, with arguments.
    case call
    /// Only sent by the server.
    case sent
  }

  public typealias Scope = SettingScope

  /// The heading of the row in the document.
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

  /// The variable parts of an address, and the arguments of a message.
  typealias Parts = (numbers: [Int], texts: [String], arguments: [OSCArgument])

  /// The address with `<n>`, `<pad>`, `<step>`, `<slot>` for numbers and `<id>`, `<name>` for text.
  public let template: String
  public let arguments: [ArgumentSpec]
  public let access: Access
  public let scope: Scope
  public internal(set) var section: Section = .players
  /// One line of text.
  public let summary: String

  /// Turns a checked message into a request. Nil means that a button came up, and that its release
  /// has no effect.
  let build: (@Sendable (WireArguments) throws(WireError) -> Request?)?
  /// The setting of a switch, setter or read-only row, made from the numbers in the address, in
  /// their order. For a control that triggers, its light.
  private(set) var setting: (@Sendable ((Int, Int)) -> Setting)?
  /// The message for a command of this row; nil for any other command.
  let write: (@Sendable (Command) -> Parts?)?
  /// The kind of event that this row sends, and its arguments.
  let tells: EventKind?
  let tell: (@Sendable (Event) -> [OSCArgument]?)?
  /// Whether a button may send the call. Then 1 or `T` alone is the press, and not an argument; 0
  /// or `F` alone is the release, which has no effect.
  private(set) var isButton = false

  let segments: [Substring]
  /// The placeholders for numbers, in their order, each with its range.
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

  /// The same row with a light, whose number is told at the row's address.
  func lit(_ light: @escaping @Sendable (Int) -> Light) -> AddressEntry {
    var entry = self
    entry.setting = { .light(light($0.0)) }
    return entry
  }

  /// The range of a placeholder's number; nil where the placeholder is for text.
  private static func range(_ segment: Substring, named name: Substring) -> ClosedRange<Int>? {
    guard segment.first == "<" else { return nil }
    return switch name {
    case "pad": 1...Pad.count
    case "seat": 1...Limits.standard.playersPerRoom
    case "key": 0...(Pad.keyCount - 1)
    case "layer": 1...Limits.standard.layersPerLoop
    case "step": 1...Limits.standard.steps
    case "lane": 1...Limits.standard.lanesPerPlayer
    case "scene": 1...Limits.standard.scenesPerRoom
    case "slot": 1...Limits.standard.slotsPerLane
    default: nil
    }
  }

  /// Whether the segment is a placeholder for a number.
  static func isNumber(_ segment: Substring) -> Bool {
    ["<n>", "<pad>", "<step>", "<slot>"].contains(segment)
  }

  /// `/key/<n>/step/<step>`.
  var isKeyStep: Bool { segments.first == "key" && numbers.count == 2 }

  /// Whether the row is a movement of a finger on a note that sounds. Of such values only the
  /// latest counts.
  var isOfNote: Bool { segments.first == "key" && access == .call && numbers.count == 1 }

  /// Whether patterns may match the row: the sender's own settings. Keys' settings are excluded,
  /// because they have thousands of addresses, and no sender means all of them. So are controls
  /// with a light: `/loop/*` reads and must not record.
  var isOwnSetting: Bool {
    setting != nil && !isLit && (scope == .pad || scope == .player) && segments.first != "key"
  }

  /// The range of the row's fader, where numbers of MIDI, 0…127, can be told from its own values:
  /// 0…1 or −1…1. Nil for every other row.
  var midiRange: ClosedRange<Double>? {
    guard access == .setter || isOfNote, arguments.count == 1,
      case .float(let range?) = arguments[0].kind
    else { return nil }
    return range == 0...1 || range == -1...1 ? range : nil
  }

  /// Whether the row triggers something. Its setting is then a light, or whether the transport
  /// runs, which nobody sets.
  var isLit: Bool { setting != nil && triggers }

  /// Whether the row acts, and sets nothing.
  var triggers: Bool { access == .trigger || access == .call }

  /// Whether the row is a pad or a key that a velocity plays: `/pad/<n>`, `/key/<n>`.
  var isStruck: Bool {
    access == .trigger && scope == .pad && numbers.count == 1 && !arguments.isEmpty
  }

  /// Whether patterns may match the row's buttons: the sender's own pads and keys, other buttons of
  /// a pad, and a finger's movements on a key. The pattern must contain all words of the row's
  /// address unchanged, so that `/pad/1/*` reads a pad's settings but does not reset the pad.
  var isOwnPadAction: Bool { access == .trigger && scope == .pad && !numbers.isEmpty || isOfNote }

  /// The concrete address: the placeholders are replaced in their order.
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
