import JamEngine

/// Describes in words how an older score sounds different with this engine.
package enum EngineChange {
  /// The changes of each version of the engine, starting with version 2.
  private static let changes = [
    """
    the mix is levelled, the limiter keeps the bass, transposed sounds are cleaner, fades are rounder, \
    and stretched sounds keep their attacks
    """,
    "sums of transposed sounds are rounded otherwise, 130 dB below full scale",
    """
    a voice that another cuts off fades within 2 ms instead of 4, the limiter lets go sooner, \
    many players are turned down a little more, and drums of one sound are duller where they are hit softly
    """,
    """
    sounds that are transposed far down, by two to seven semitones up, or by nearly two octaves up \
    have less of images and aliases
    """,
    """
    one sound that several hit on one frame adds up by power where the mix is levelled, \
    and loops of sounds with beats follow another tempo while they go round
    """,
    "heights and bends of notes that loops play are heard with instruments of many notes, too",
    """
    breaks stay quieter than what comes back behind them, \
    a build-up's drop is louder than the music before it, \
    a delay that becomes longer repeats nothing, the reverb is denser at its begin, \
    and compressor, drive, chorus and the filter's macro keep the loudness of what they are given
    """,
  ]

  /// - Parameter version: the version of the engine that played the score; nil where that is not
  ///   known.
  /// - Returns: the changes since then; nil where there are none.
  package static func words(since version: Int?) -> String? {
    guard let version, version != Engine.version else { return nil }
    guard version > 0, version < Engine.version else {
      return "it was recorded by a newer program, and may sound otherwise here"
    }
    let changed = changes.dropFirst(version - 1).joined(separator: "; ")
    return "it was recorded by an older program, and sounds otherwise here: \(changed)"
  }
}
