/// What an undo took back, or a redo did again.
public indirect enum Undone: Hashable, Sendable {
  /// Hits that waited for the grid.
  case waitingHits
  /// The pass under way.
  case pass
  /// What the loop was to do from the next bar line on.
  case waitingLoop
  /// A pad's or the room's.
  case setting(Setting)
  /// A pad with its sound.
  case pad(Pad)
  case kit(String)
  /// The key in which the kit's sounds are heard.
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
  /// Old edits that were joined.
  case oldEdits
  /// What was changed together, in the order in which it was.
  case several([Undone])
}
