/// The change that an undo reverted, or that a redo made again.
public indirect enum Undone: Hashable, Sendable {
  /// Hits that waited for the grid.
  case waitingHits
  /// The pass that is being recorded.
  case pass
  /// The loop's planned action on the next bar line.
  case waitingLoop
  /// A setting of a pad, the player or the room.
  case setting(Setting)
  /// A pad with its sound.
  case pad(Pad)
  case kit(String)
  /// The key of the kit's sounds.
  case kitKey
  /// A layer, by its number from 1.
  case layer(Int)
  /// All layers of the loop.
  case loop
  /// Hits that were set on the step grid.
  case steps
  /// Notes of a layer, by its number from 1.
  case notes(Int)
  /// Blocks of lanes, by the lanes' numbers from 1.
  case lanes([Int])
  /// A groove, with the tempo that it brought.
  case groove
  /// Old edits that were joined.
  case oldEdits
  /// All that a player recorded, set and saved.
  case everything(of: PlayerName)
  /// That a host took back all of a player.
  case takingBack(of: PlayerName)
  /// The same, but the player is not here any more, and its own music did not come back.
  case takingBackButMusic(of: PlayerName)
  /// Changes that belong together, in their order.
  case several([Undone])
}
