internal import JamCore

extension AddressTable {
  /// Players by their seats. Each address of `playerRows` that names a player has one for a seat,
  /// made from the same row.
  static let seatRows: [AddressEntry] =
    [.setting { .seatName($0) }, .setting { .seatTaken($0) }] + playerRows.compactMap(\.atSeat)
}

extension AddressEntry {
  /// The row of the same request for the player in a seat; nil where the row names no player.
  fileprivate var atSeat: AddressEntry? {
    guard template.hasPrefix(SettingRow.namedPlayer), let build else { return nil }
    let entry = AddressEntry(
      "/seat/<n>/\(template.dropFirst(SettingRow.namedPlayer.count))", arguments, access, scope,
      "\(summary) Of whoever sits there.",
      build: { arguments throws(WireError) in
        var named = arguments
        named.texts = [PlayerName.anybody.text]
        guard case .command(let command)? = try build(named) else { return nil }
        return .command(command.atSeat(arguments.numbers.0))
      })
    return isButton ? entry.button : entry
  }

  /// Whether the address is one of a seat.
  var isOfSeat: Bool { segments.first == "seat" }
}
