internal import JamCore

/// The start of a note.
struct SynthStart: BitwiseCopyable {
  /// Copied into the voice.
  var settings: PatchSettings
  /// The instrument of the note. `setPatch` finds its notes by it.
  var instrument: UInt32
  var bus: Int
  /// The key whose release ends the note.
  var key: UInt8
  /// A MIDI note number; fractions are allowed.
  var pitch: Float
  /// 0…1.
  var velocity: Float
  var gain = PanGains(pan: 0)
  /// The player's level at the beginning. `setLevel` changes it afterwards.
  var level: Float = 1
  /// The height of the finger on the key, 0…1; at rest 0.5.
  var height: Float = 0.5
  /// Frames after which the note is released by itself; 0 is never.
  var holdFrames: Int32 = 0
  /// The part of the mix (`Stems`) that the note belongs to.
  var stem: UInt16 = 0
  /// Whether the player's client sounds the note itself.
  var isOwn = false
  /// Phases, noise and the random slow oscillator follow from this and the key.
  var seed: UInt16 = 0
}

extension SynthStart {
  /// - Returns: nil where the pad is no key.
  @_noLocks init?(_ start: VoiceStart, _ patch: PatchView.Content) {
    guard let note = start.pad.note else { return nil }
    self.init(
      settings: patch.settings, instrument: patch.instrument, bus: Int(start.bus.index), key: start.pad.number,
      pitch: Float(note), velocity: start.velocity, gain: start.gain, level: Voice.sane(start.level),
      holdFrames: start.holdFrames, stem: start.stem, isOwn: start.isOwn, seed: start.seed)
  }
}
