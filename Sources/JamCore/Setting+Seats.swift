/// Settings that name a player, and the same settings at a seat: a number that a mixer knows before
/// anybody is there.
extension Setting {
  /// The player whom the setting names; nil for a setting that names none.
  public var namedPlayer: PlayerName? {
    switch self {
    case .roleOf(let name), .admitted(let name), .channelGain(let name), .channelMute(let name),
      .channelSolo(let name), .seatOf(let name):
      name
    default: nil
    }
  }

  /// The same setting of that player; the setting itself where it names nobody.
  public func naming(_ name: PlayerName) -> Setting {
    switch self {
    case .roleOf: .roleOf(name)
    case .admitted: .admitted(name)
    case .channelGain: .channelGain(name)
    case .channelMute: .channelMute(name)
    case .channelSolo: .channelSolo(name)
    case .seatOf: .seatOf(name)
    default: self
    }
  }

  /// The same setting of the player in the seat; nil where it names nobody.
  public func atSeat(_ seat: Int) -> Setting? {
    namedPlayer == nil ? nil : .ofSeat(seat, naming(.anybody))
  }

  /// The seat that the setting is about; nil for all other settings.
  public var seat: Int? {
    switch self {
    case .ofSeat(let seat, _), .seatName(let seat), .seatTaken(let seat): seat
    default: nil
    }
  }
}

extension Command {
  /// The player whom the command names; nil for a command that names none.
  public var namedPlayer: PlayerName? {
    switch self {
    case .set(let setting, _), .toggle(let setting), .read(let setting): setting.namedPlayer
    case .kick(let name, _), .admit(let name), .takeBackAll(let name): name
    default: nil
    }
  }

  /// The same command for that player; the command itself where it names nobody.
  public func naming(_ name: PlayerName) -> Command {
    switch self {
    case .set(let setting, let value): .set(setting.naming(name), value)
    case .toggle(let setting): .toggle(setting.naming(name))
    case .read(let setting): .read(setting.naming(name))
    case .kick(_, let seconds): .kick(name, seconds: seconds)
    case .admit: .admit(name)
    case .takeBackAll: .takeBackAll(name)
    default: self
    }
  }

  /// The same command for the player in the seat, where it is about a setting. Other commands keep
  /// their name.
  public func atSeat(_ seat: Int) -> Command {
    switch self {
    case .set(let setting, let value): setting.atSeat(seat).map { .set($0, value) } ?? self
    case .toggle(let setting): setting.atSeat(seat).map { .toggle($0) } ?? self
    case .read(let setting): setting.atSeat(seat).map { .read($0) } ?? self
    default: self
    }
  }
}

extension PlayerName {
  /// The name in a setting or a command that is for a seat, until it is known who sits there.
  public static let anybody = PlayerName("player")!
}

extension SettingRow {
  /// The row of the same setting at a seat: its address begins with `/seat/<n>/`.
  var atSeat: SettingRow {
    let rest = address.dropFirst(SettingRow.namedPlayer.count)
    return SettingRow(
      "/seat/<n>/\(rest)", argument, kind, scope, "\(summary) Of whoever sits there.",
      access: access)
  }

  /// The beginning of the addresses of settings that name a player.
  public static let namedPlayer = "/player/<name>/"
}
