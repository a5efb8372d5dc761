internal import JamCore

// The forms that rows of the table take. A new address is one call of one of these.
extension AddressEntry {
  /// A button: `command` on a press.
  static func trigger(
    _ template: String, _ scope: Scope, _ summary: String, _ command: @escaping @Sendable (WireArguments) -> Command,
    write: @escaping @Sendable (Command) -> Parts?
  ) -> AddressEntry {
    AddressEntry(
      template, [], .trigger, scope, summary, build: { .command(command($0)) }, write: write)
  }

  /// A button without parts in its address.
  static func trigger(_ address: String, _ scope: Scope, _ summary: String, _ command: Command) -> AddressEntry {
    trigger(address, scope, summary) { _ in
      command
    } write: {
      $0 == command ? ([], [], []) : nil
    }
  }

  /// Asks for a list.
  static func list(_ address: String, _ summary: String, _ command: Command) -> AddressEntry {
    AddressEntry(
      address, [], .query, .player, summary, build: { _ throws(WireError) in .command(command) },
      write: { $0 == command ? ([], [], []) : nil })
  }

  /// A request with arguments of its own.
  static func call(
    _ template: String, _ arguments: [ArgumentSpec], _ scope: Scope, _ summary: String, access: Access = .call,
    _ build: @escaping @Sendable (WireArguments) throws(WireError) -> Request?,
    write: (@Sendable (Command) -> Parts?)? = nil
  ) -> AddressEntry {
    AddressEntry(template, arguments, access, scope, summary, build: build, write: write)
  }

  /// A value that can be set and read.
  static func setter(
    _ template: String, _ argument: ArgumentSpec, _ scope: Scope, _ summary: String,
    _ setting: @escaping @Sendable (Int) -> Setting
  ) -> AddressEntry {
    AddressEntry(
      template, [argument.optional], .setter, scope, summary,
      build: { arguments throws(WireError) in
        guard let value = arguments.settingValue else { return .command(.read(setting(arguments.numbers.0))) }
        return .command(.set(setting(arguments.numbers.0), value))
      }, setting: { setting($0.0) })
  }

  /// A value that is on or off.
  static func `switch`(
    _ template: String, _ scope: Scope, _ summary: String, _ setting: @escaping @Sendable (Int) -> Setting
  ) -> AddressEntry {
    AddressEntry(
      template, [ArgumentSpec("on", .bool, optional: true)], .switch, scope, summary,
      build: { arguments throws(WireError) in
        guard let value = arguments.settingValue else { return .command(.toggle(setting(arguments.numbers.0))) }
        return .command(.set(setting(arguments.numbers.0), value))
      }, setting: { setting($0.0) })
  }

  static func readOnly(
    _ template: String, _ value: ArgumentSpec, _ scope: Scope, _ summary: String,
    _ setting: @escaping @Sendable (Int) -> Setting
  ) -> AddressEntry {
    AddressEntry(
      template, [value], .readOnly, scope, summary, build: { .command(.read(setting($0.numbers.0))) },
      setting: { setting($0.0) })
  }

  /// A value of two numbers in the address, which can be set and read.
  static func setter(
    _ template: String, _ argument: ArgumentSpec, _ scope: Scope, _ summary: String,
    pair setting: @escaping @Sendable (Int, Int) -> Setting
  ) -> AddressEntry {
    AddressEntry(
      template, [argument.optional], .setter, scope, summary,
      build: { arguments throws(WireError) in
        let setting = setting(arguments.numbers.0, arguments.numbers.1)
        guard let value = arguments.settingValue else { return .command(.read(setting)) }
        return .command(.set(setting, value))
      }, setting: { setting($0.0, $0.1) })
  }

  /// What the server tells.
  static func sent(
    _ address: String, _ tells: EventKind, _ arguments: [ArgumentSpec], _ summary: String,
    _ tell: @escaping @Sendable (Event) -> [OSCArgument]?
  ) -> AddressEntry {
    AddressEntry(address, arguments, .sent, .session, summary, tells: tells, tell: tell)
  }

  /// What the server answers of itself, without an event.
  static func answer(_ address: String, _ arguments: [ArgumentSpec], _ summary: String) -> AddressEntry {
    AddressEntry(address, arguments, .sent, .session, summary)
  }
}

extension WireArguments {
  /// The first value as a setting holds it.
  var settingValue: SettingValue? {
    switch values.first ?? nil {
    case .float(let value): .float(value)
    case .integer(let value): .integer(Int32(clamping: value))
    case .bool(let value): .bool(value)
    case .text(let text): .text(text)
    case .name(let name): .text(name.text)
    case .port, .raw, nil: nil
    }
  }
}

extension SettingValue {
  /// The value as feedback sends it.
  var arguments: [OSCArgument] {
    switch self {
    case .float(let value): [.float(value)]
    case .integer(let value): [.int32(value)]
    case .bool(let value): [.int32(value ? 1 : 0)]
    case .text(let text): [.string(text)]
    case .signature(let signature): [.int32(signature.beatsPerBar), .int32(signature.beatUnit)]
    }
  }
}
