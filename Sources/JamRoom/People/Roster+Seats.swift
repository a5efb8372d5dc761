internal import JamCore

/// The players in their seats, and the settings that are addressed to seats.
extension Roster {
  /// The player in the seat who is here.
  func sitting(in seat: Int) -> PlayerID? {
    seats.place(in: seat).flatMap { isHere($0) ? $0 : nil }
  }

  /// The setting of the player who sits there now, for one that is addressed to a seat; any other
  /// setting as it is.
  /// - Returns: nil where nobody sits there.
  func seated(_ setting: Setting) -> Setting? {
    guard case .ofSeat(let seat, let plain) = setting else { return setting }
    return sittingPerson(seat).map { plain.naming($0.name) }
  }

  /// Likewise.
  /// - Throws: a refusal where nobody sits there.
  func requireSeated(_ setting: Setting) throws(Refusal) -> Setting {
    guard let seated = seated(setting) else { throw .seatEmpty(setting.seat ?? 0) }
    return seated
  }

  /// The value of a setting of a seat, but for the player's channel. An empty seat answers as a
  /// player does who has just come in.
  /// - Returns: nil where the setting is of no seat.
  func seatValue(of setting: Setting) -> SettingValue? {
    switch setting {
    case .seatOf(let name):
      player(named: name).flatMap { seats.seat(of: $0) }.map { .integer(Int32(clamping: $0)) }
    case .seatName(let seat): .text(sittingPerson(seat)?.name.text ?? "")
    case .seatTaken(let seat): .bool(sitting(in: seat) != nil)
    case .ofSeat(let seat, .seatOf): .integer(Int32(clamping: seat))
    case .ofSeat(let seat, .roleOf): .text((sittingPerson(seat)?.role ?? .player).word)
    case .ofSeat(let seat, .admitted): .bool(sitting(in: seat).map { !door.waits($0) } ?? true)
    default: nil
    }
  }

  private func sittingPerson(_ seat: Int) -> Person? { seats.place(in: seat).flatMap { here($0) } }

  /// The settings of seats, which only mixers are told behind all others. Of empty seats the labels
  /// are told, too, because a mixer may show an old one.
  var readableSeats: [Setting] {
    let seats = 1...max(1, limits.playersPerRoom)
    let channels = seats.filter { sitting(in: $0) != nil }.flatMap { seat in
      Setting.ofChannel(.anybody).compactMap { $0.atSeat(seat) }
    }
    return seats.flatMap { [.seatName($0), .seatTaken($0)] } + channels
  }
}
