internal import JamCore

/// A note to begin.
struct SynthStart: BitwiseCopyable {
  /// Copied into the voice.
  var settings: PatchSettings
  /// Which instrument it is: `setPatch` finds its notes by it.
  var instrument: UInt32
  var bus: Int
  /// Which key lets go of it.
  var key: UInt8
  /// A MIDI note number; fractions are allowed.
  var pitch: Float
  /// 0…1.
  var velocity: Float
  var gain = PanGains(pan: 0)
  /// The player's level as it begins: `setLevel` changes it afterwards.
  var level: Float = 1
  /// How high the finger lies on the key, 0…1; at rest 0.5.
  var height: Float = 0.5
  /// Frames after which it is let go of by itself; 0 is never.
  var holdFrames: Int32 = 0
  /// Which of the `Stems` it is a part of.
  var stem: UInt16 = 0
  /// Phases, noise and the random slow oscillator follow from it and the key.
  var seed: UInt16 = 0
}

extension SynthStart {
  /// - Returns: nil where it is no key.
  @_noLocks init?(_ start: VoiceStart, _ patch: PatchView.Content) {
    guard let note = start.pad.note else { return nil }
    self.init(
      settings: patch.settings, instrument: patch.instrument, bus: Int(start.bus.index), key: start.pad.number,
      pitch: Float(note), velocity: start.velocity, gain: start.gain, level: Voice.sane(start.level),
      holdFrames: start.holdFrames, stem: start.stem, seed: start.seed)
  }
}
