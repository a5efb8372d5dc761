internal import JamCore

/// The music of a project: its parts, and the clock, key, effects and scenes of the room.
struct ProjectMusic: Sendable {
  var parts: [ProjectPart] = []
  var measures = OpenProject.standardMeasures
  /// Nil where the project says nothing of the clock.
  var tempo: Tempo?
  var signature = TimeSignature.common
  var swing: Float = 0
  var key = MusicalKey()
  var effects = RoomEffectSettings()
  var scenes = SceneBook()
  /// The highest number of a hit in it.
  var sequence: UInt64 = 0

  var players: [String] { parts.map(\.name.text) }
  var bpm: Double { Double(Float((tempo ?? .standard).beatsPerMinute)) }
  var signatureText: String { "\(signature.beatsPerBar)/\(signature.beatUnit)" }
}
