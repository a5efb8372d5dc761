internal import JamCore

/// The row of any setting that has one, with its owner.
///
/// Pads, layers, steps, lanes and scenes have as many settings as a room has of them just now, and
/// no row here.
enum RoomRow: Sendable {
  case person(Row<Person>)
  case channel(Row<Channel>)
  /// A host's setting of the channel of the player who is named.
  case namedChannel(PlayerName, Row<Channel>)
  case hands(Row<Hands>)
  case looper(Row<Looper>)
  case desk(Row<Desk>)
  case mix(Row<Mix>)
  case clock(Row<Clock>)

  /// All rows, but for those of named channels.
  static let all: [RoomRow] =
    Person.rows.map { .person($0) } + Channel.rows.map { .channel($0) } + Hands.rows.map { .hands($0) }
    + Hands.keyboardRows.map { .hands($0) } + Looper.rows.map { .looper($0) } + Desk.rows.map { .desk($0) }
    + Channel.effectRows.map { .channel($0) } + Mix.rows.map { .mix($0) } + Clock.rows.map { .clock($0) }

  /// The settings of a player's instrument and of what presses become.
  static let keyboard = Hands.keyboardRows.map(\.facts.setting)
  /// The settings of the effects of channels and of the room.
  static let effects = Channel.effectRows.map(\.facts.setting) + Mix.effectRows.map(\.facts.setting)

  private static let bySetting = Dictionary(all.map { ($0.facts.setting, $0) }) { first, _ in first }

  /// - Returns: nil where the setting has no row.
  static func of(_ setting: Setting) -> RoomRow? {
    switch setting {
    case .channelGain(let name): .namedChannel(name, Channel.hostGain)
    case .channelMute(let name): .namedChannel(name, Channel.hostMute)
    case .channelSolo(let name): .namedChannel(name, Channel.hostSolo)
    default: bySetting[setting]
    }
  }

  /// The settings that are kept so.
  static func kept(_ place: Keeping) -> [Setting] {
    all.filter { $0.facts.kept.contains(place) }.map(\.facts.setting)
  }

  /// The settings in the journal's list of a player. Journals hold those that are named here in
  /// this order; a new setting need not be.
  static let inJournal: [Setting] = {
    let first: [Setting] = [
      .gain, .mute, .metronome, .metronomeGain, .repeatRate, .quantize, .quantizeStrength, .timing,
      .timingChosen, .countIn, .loopQuantize, .loopQuantizeStrength, .repeatsAll, .kitFollow, .duckPlayer,
    ]
    return first + kept(.journal).filter { !first.contains($0) && !$0.row.scope.isRoom }
  }()

  var facts: RowFacts {
    switch self {
    case .person(let row): row.facts
    case .channel(let row), .namedChannel(_, let row): row.facts
    case .hands(let row): row.facts
    case .looper(let row): row.facts
    case .desk(let row): row.facts
    case .mix(let row): row.facts
    case .clock(let row): row.facts
    }
  }

  /// Throws where the value is none of the setting's.
  func check(_ value: SettingValue) throws(Refusal) {
    switch self {
    case .person(let row): try row.check?(value)
    case .channel(let row), .namedChannel(_, let row): try row.check?(value)
    case .hands(let row): try row.check?(value)
    case .looper(let row): try row.check?(value)
    case .desk(let row): try row.check?(value)
    case .mix(let row): try row.check?(value)
    case .clock(let row): try row.check?(value)
    }
  }

  /// Whether the value is the player's own.
  var isOwn: Bool {
    switch self {
    case .person, .channel, .hands, .looper, .desk: true
    case .namedChannel, .mix, .clock: false
    }
  }
}

extension Player {
  /// - Returns: nil where it is no setting of a player's, and where there is no such layer.
  func value(of setting: Setting) -> SettingValue? {
    if let pad = setting.ownPad { return hands[pad].value(of: setting) }
    guard let row = RoomRow.of(setting) else { return looper.value(of: setting) }
    return value(in: row)
  }

  /// The value to keep: for an instrument that is still being read, the one asked for.
  /// - Returns: nil where it is no setting of a player's.
  func keptValue(of setting: Setting) -> SettingValue? {
    guard case .hands(let row)? = RoomRow.of(setting), let kept = row.readKept else { return value(of: setting) }
    return kept(hands)
  }

  private func value(in row: RoomRow) -> SettingValue? {
    switch row {
    case .person(let row): row.read(person)
    case .channel(let row): row.read(channel)
    case .hands(let row): row.read(hands)
    case .looper(let row): row.read(looper)
    case .desk(let row): row.read(desk)
    case .namedChannel, .mix, .clock: nil
    }
  }
}
