public import JamCore

/// How a mix is taken apart.
public struct StemPlan: Hashable, Sendable {
  public enum Division: String, Hashable, Sendable, CaseIterable {
    case player
    /// Of each player.
    case pad
    /// Of each player's loop; what was played by hand and what blocks play are parts of their own.
    case layer
    /// What each player hit by hand, and what loops and blocks made of it.
    case hand
  }

  public var division: Division
  /// With inserts, the room's filter and build-up, so that the sum with what comes back is the mix in front of what the whole mix goes
  /// through; else dry.
  public var isShaped: Bool

  public init(by division: Division = .player, isShaped: Bool = false) {
    self.division = division
    self.isShaped = isShaped
  }

  /// More are put together in the last one.
  static let most = 2_048

  /// What comes back from the room's effects, and what players' inserts change, in the order of `Stems.Return`.
  static let returns = [StemPart.Kind.delay, .reverb, .inserts].map { StemPart(player: nil, kind: $0) }

  /// - Returns: which stem a hit belongs to; nil for what is no hit.
  func part(of entry: LogEntry) -> StemPart? {
    guard case .command(let command) = entry.action else { return nil }
    let layer: Int?
    switch command {
    case .loopHit(_, _, RoomState.untilReleased, _): layer = nil
    case .loopHit(let number, _, _, _): layer = number
    default: layer = nil
    }
    return StemPart(player: entry.player, kind: kind(layer))
  }

  /// - Parameter layer: nil for a hand's hit, 0 for a block's.
  private func kind(_ layer: Int?) -> StemPart.Kind {
    switch (division, layer) {
    case (.layer, 0?): .blocks
    case (.layer, let layer?): .layer(layer)
    case (.hand, .some): .repeated
    case (.layer, nil), (.hand, nil): .live
    // The pad is the voice's.
    case (.player, _), (.pad, _): .all
    }
  }
}

/// What one stem holds.
public struct StemPart: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case all
    case pad(Pad)
    /// All keys together: what they play is one instrument.
    case keys
    /// Hit by hand.
    case live
    /// By loops and blocks.
    case repeated
    case blocks
    case layer(Int)
    /// What comes back from the room's delay and reverb, of all players.
    case delay, reverb
    /// What inserts change of all players' channels, where a channel has several stems.
    case inserts
  }

  /// Nil is the room itself.
  public var player: PlayerName?
  public var kind: Kind

  public init(player: PlayerName?, kind: Kind = .all) {
    self.player = player
    self.kind = kind
  }
}
