public import JamCore

/// A way to take a mix apart.
public struct StemPlan: Hashable, Sendable {
  public enum Division: String, Hashable, Sendable, CaseIterable {
    case player
    /// Of each player.
    case pad
    /// Of each player's loop; hits by hand and hits of blocks are parts of their own.
    case layer
    /// For each player: hits by hand, and repeats by loops and blocks.
    case hand
  }

  public var division: Division
  /// With inserts, the room's filter and build-up: the sum with the returns is the mix in front of
  /// the stages of the whole mix; else dry.
  public var isShaped: Bool

  public init(by division: Division = .player, isShaped: Bool = false) {
    self.division = division
    self.isShaped = isShaped
  }

  /// More are put together in the last one.
  static let most = 2_048

  /// The returns of the room's effects, and the change by inserts, in the order of `Stems.Return`.
  static let returns = [StemPart.Kind.delay, .reverb, .inserts].map { StemPart(player: nil, kind: $0) }

  /// - Returns: the stem of a hit; nil for an entry that is no hit.
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

/// The content of one stem.
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
    /// The returns of the room's delay and reverb, of all players.
    case delay, reverb
    /// The change by inserts of all channels, where a channel has several stems.
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
