internal import JamCore

// The forms of the table's rows. A new address is one call of one of these functions.
extension AddressEntry {
  /// A button: `command` on a press.
  static func trigger(
    _ template: String, _ scope: Scope, _ summary: String, _ command: @escaping @Sendable (WireArguments) -> Command,
    write: @escaping @Sendable (Command) -> Parts?
  ) -> AddressEntry {
    AddressEntry(
      template, [], .trigger, scope, summary, build: { .command(command($0)) }, write: write)
  }

  /// A button whose address has no variable parts.
  static func trigger(_ address: String, _ scope: Scope, _ summary: String, _ command: Command) -> AddressEntry {
    trigger(address, scope, summary) { _ in
      command
    } write: {
      $0 == command ? ([], [], []) : nil
    }
  }

  /// A request for a list.
  static func list(_ address: String, _ summary: String, _ command: Command) -> AddressEntry {
    AddressEntry(
      address, [], .query, .player, summary, build: { _ throws(WireError) in .command(command) },
      write: { $0 == command ? ([], [], []) : nil })
  }

  /// A request with its own arguments.
  static func call(
    _ template: String, _ arguments: [ArgumentSpec], _ scope: Scope, _ summary: String, access: Access = .call,
    _ build: @escaping @Sendable (WireArguments) throws(WireError) -> Request?,
    write: (@Sendable (Command) -> Parts?)? = nil
  ) -> AddressEntry {
    AddressEntry(template, arguments, access, scope, summary, build: build, write: write)
  }

  /// A setting that exists once.
  static func setting(_ setting: Setting) -> AddressEntry { .setting(pair: { _, _ in setting }) }

  /// A setting with a number in its address.
  static func setting(_ setting: @escaping @Sendable (Int) -> Setting) -> AddressEntry {
    .setting(pair: { number, _ in setting(number) })
  }

  /// A setting with two numbers in its address.
  /// - Parameter numbers: the smallest numbers that the address may hold.
  static func setting(
    pair setting: @escaping @Sendable (Int, Int) -> Setting, at numbers: (Int, Int) = (1, 1)
  ) -> AddressEntry {
    let row = setting(numbers.0, numbers.1).row
    return AddressEntry(
      row.address, [row.access == .read ? ArgumentSpec(row) : ArgumentSpec(row).optional], Access(row.access),
      row.scope,
      row.summary,
      build: { arguments throws(WireError) in
        .command(arguments.command(of: setting(arguments.numbers.0, arguments.numbers.1), row.access))
      }, setting: { setting($0.0, $0.1) })
  }

  /// A step of the grid.
  /// - Parameters:
  ///   - numbers: the smallest numbers that the address may hold.
  ///   - pad: makes the pad from the first number.
  static func step(at numbers: (Int, Int), _ pad: @escaping @Sendable (Int) -> Pad) -> AddressEntry {
    let row = Setting.step(pad(numbers.0), numbers.1).row
    return AddressEntry(
      row.address, [ArgumentSpec(row.argument, .velocity, optional: true)], Access(row.access), row.scope, row.summary,
      build: { arguments throws(WireError) in
        let (pad, step) = (pad(arguments.numbers.0), arguments.numbers.1)
        return .command(arguments.command(.step(pad, step), 0) ?? .read(.step(pad, step)))
      }, setting: { .step(pad($0.0), $0.1) })
  }

  /// A setting that is set in its own way.
  init(
    _ setting: Setting, _ arguments: [ArgumentSpec], _ access: Access,
    build: @escaping @Sendable (WireArguments) throws(WireError) -> Request?,
    write: (@Sendable (Command) -> Parts?)? = nil
  ) {
    let row = setting.row
    self.init(
      row.address, arguments, access, row.scope, row.summary, build: build, setting: { _ in setting }, write: write)
  }

  /// A message that the server sends for an event.
  static func sent(
    _ address: String, _ tells: EventKind, _ arguments: [ArgumentSpec], _ summary: String,
    _ tell: @escaping @Sendable (Event) -> [OSCArgument]?
  ) -> AddressEntry {
    AddressEntry(address, arguments, .sent, .session, summary, tells: tells, tell: tell)
  }

  /// An answer of the server about itself, without an event.
  static func answer(_ address: String, _ arguments: [ArgumentSpec], _ summary: String) -> AddressEntry {
    AddressEntry(address, arguments, .sent, .session, summary)
  }
}

extension WireArguments {
  /// The first value, in the form of a setting's value.
  var settingValue: SettingValue? { settingValue(0) }

  /// The command of a message to a setting. With a value it sets the setting; without one it
  /// toggles or reads it.
  func command(of setting: Setting, _ access: SettingRow.Access) -> Command {
    if access != .read, let value = settingValue { return .set(setting, value) }
    return access == .toggle ? .toggle(setting) : .read(setting)
  }

  /// The edit with the velocity at `i`. A velocity up to 1 keeps its value; a velocity above 1 is
  /// on its player's scale.
  /// - Returns: nil where the velocity is missing.
  func command(_ edit: StruckEdit, _ i: Int) -> Command? {
    guard let argument = raw(i), let number = argument.number.map({ Float($0) }) else { return nil }
    guard !isOfScore, number > 1, let strike = Strike(number, isInteger: argument.isInteger) else {
      return edit.command(number)
    }
    return .struck(edit, strike)
  }

  func settingValue(_ place: Int) -> SettingValue? {
    switch values.indices.contains(place) ? values[place] : nil {
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

extension AddressEntry.Access {
  init(_ access: SettingRow.Access) {
    switch access {
    case .set: self = .setter
    case .toggle: self = .switch
    case .read: self = .readOnly
    }
  }
}

extension ArgumentSpec {
  /// The value of a setting.
  init(_ row: SettingRow) {
    switch row.kind {
    case .float(let range, let unit): self = .float(row.argument, range, unit: unit)
    case .integer(let range): self = .integer(row.argument, range)
    case .bool: self.init(row.argument, .bool)
    case .text: self = .text(row.argument)
    case .choice(let words): self = .choice(row.argument, words)
    // A signature's two numbers are separate arguments.
    case .signature: self = .integer(row.argument)
    }
  }
}
