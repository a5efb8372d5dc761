internal import JamCore

/// Seats, and the settings that are addressed to them.
extension RoomState {
  /// The setting of the player who sits there now, for one that is addressed to a seat; any other
  /// setting as it is.
  func settled(_ setting: Setting) throws(Refusal) -> Setting {
    guard case .ofSeat(let seat, _) = setting else { return setting }
    guard let seated = seated(setting) else { throw .seatEmpty(seat) }
    return seated
  }

  /// - Returns: nil where nobody sits there.
  func seated(_ setting: Setting) -> Setting? {
    guard case .ofSeat(let seat, let plain) = setting else { return setting }
    return roster.sitting(in: seat).map { plain.naming(roster[$0].name) }
  }

  /// The value of a setting of a seat. An empty seat answers as a player does who has just come in.
  /// - Returns: nil where the setting is of no seat.
  func seatValue(of setting: Setting) -> SettingValue? {
    switch setting {
    case .seatOf(let name):
      roster.player(named: name).flatMap { roster.seats.seat(of: $0) }.map { .integer(Int32(clamping: $0)) }
    case .seatName(let seat): .text(roster.sitting(in: seat).map { roster[$0].name.text } ?? "")
    case .seatTaken(let seat): .bool(roster.sitting(in: seat) != nil)
    case .ofSeat(let seat, .seatOf): .integer(Int32(clamping: seat))
    case .ofSeat(let seat, .roleOf): .text((roster.sitting(in: seat).map { roster[$0].role } ?? .player).word)
    case .ofSeat(let seat, let plain): channelValue(of: plain, in: seat)
    default: nil
    }
  }

  private func channelValue(of setting: Setting, in seat: Int) -> SettingValue? {
    guard case .namedChannel(_, let row)? = RoomRow.of(setting) else { return nil }
    guard let sitting = roster.sitting(in: seat) else { return row.read(Channel()) }
    return row.read(channels[sitting])
  }

  /// The settings of seats that `readAll` leaves out: who asked for seats is told them behind all
  /// others. Of empty seats the labels are told, too, because a mixer may show an old one.
  func readableSeats() -> [Setting] {
    let seats = 1...max(1, limits.playersPerRoom)
    let channels = seats.filter { roster.sitting(in: $0) != nil }.flatMap { seat in
      Setting.ofChannel(.anybody).compactMap { $0.atSeat(seat) }
    }
    return seats.flatMap { [.seatName($0), .seatTaken($0)] } + channels
  }
}
