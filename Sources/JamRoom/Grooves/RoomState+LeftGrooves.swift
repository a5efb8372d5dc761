internal import JamCore

/// Grooves of players who have left: they go round, and nobody owns them. Everybody who is here
/// steers them by the addresses of a groove of one's own, as far as that lacks the part.
extension RoomState {
  /// The part of a groove that a player steers: its own, else one of a player who has left, and of
  /// those one that sounds; where none does, the newest.
  /// - Returns: nil where there is none.
  func steeredLane(of part: GroovePart, for id: PlayerID) -> SteeredLane? {
    if let own = SteeredLane(part, of: id, loopers[id]) { return own }
    let left = leftLanes(of: part, for: id)
    return left.first(where: \.sounds) ?? left.max { $0.newest < $1.newest }
  }

  /// The lanes of the part of all players who have left.
  func leftLanes(of part: GroovePart, for id: PlayerID) -> [SteeredLane] {
    roster.occupied.filter { $0 != id && !roster.isHere($0) }
      .compactMap { SteeredLane(part, of: $0, loopers[$0]) }
  }

  /// Whether the part that the player steers sounds, or will; nil where there is none.
  func sounds(_ part: GroovePart, for id: PlayerID) -> Bool? {
    steeredLane(of: part, for: id)?.sounds
  }

  /// The parts that the player steers, whether they sound or rest.
  func steeredParts(for id: PlayerID) -> [GroovePart] {
    GroovePart.allCases.filter { steeredLane(of: $0, for: id) != nil }
  }

  /// The block of the part that the player steers; nil where there is none.
  func steeredBlock(of part: GroovePart, for id: PlayerID) -> Block? {
    steeredLane(of: part, for: id)?.block
  }

  /// - Returns: nil where it is no value of a groove.
  func grooveValue(of setting: Setting, for id: PlayerID) -> SettingValue? {
    switch setting {
    case .groove(let part): .bool(sounds(part, for: id) ?? false)
    case .grooveParts: .text(steeredParts(for: id).map(\.word).joined(separator: " "))
    case .grooveName:
      .text(
        ([.chords, .bass, .drums] as [GroovePart]).lazy
          .compactMap { steeredBlock(of: $0, for: id)?.theme }.first ?? "")
    case .groovePlayer: .text(groovePlayer(for: id).map { roster[$0].name.text } ?? "")
    default: nil
    }
  }

  /// The owner of the groove that the player is told of. That is the player, or somebody who has
  /// left and whose parts the player steers, or somebody here whose groove sounds.
  private func groovePlayer(for id: PlayerID) -> PlayerID? {
    if !loopers[id].grooveParts.isEmpty { return id }
    let left = GroovePart.allCases.lazy.compactMap { steeredLane(of: $0, for: id)?.owner }.first
    return left
      ?? roster.occupied.first { $0 != id && roster.isHere($0) && loopers[$0].hasSoundingGroove }
  }
}
