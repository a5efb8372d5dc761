internal import JamCore

/// A player's keyboard: the instrument of its keys, and the keys that were played.
///
/// A key is a pad in all that happens to it. It has a `PadState` from its first press on. A sampled
/// instrument's key plays its zone's sound, transposed, as if that were on a pad.
struct PlayerKeys: Equatable, Sendable {
  /// The instrument as it is set by now.
  private(set) var patch: Patch
  /// A synthesiser's in memory, which all keys share; nil of a sampled instrument.
  private(set) var sound: PlayablePad?
  /// A sampled instrument in memory.
  private(set) var samples: PlayableKit?
  /// An instrument that was chosen and is still being read.
  var wanted: Patch?
  /// The keys that were played, from the lowest.
  private(set) var keys: [Pad] = []
  /// The state of each played key, in their order. A list changes states in place; a dictionary
  /// copies them ten times.
  private var played: [PadState] = []
  /// −1…1 of the patch's range.
  var bend: Float = 0
  /// The pedal is down.
  var isSustained = false
  /// Heights of fingers: when the last one was sent, and one that came too soon after it.
  var heights: [Pad: Height] = [:]
  /// Keys that were let go of while it was.
  var sustained: Set<Pad> = []

  struct Height: Equatable, Sendable {
    var sent: Frames
    var waiting: Float?
  }

  /// - Parameter instrument: a synthesiser's.
  init(_ instrument: Instrument) {
    patch = Patch(id: instrument.id, settings: instrument.patch)
    sound = PlayablePad(patch)
  }

  /// Of the keys that were played.
  var states: some Collection<PadState> { played }
  /// None was played yet.
  var isUntouched: Bool { @inline(__always) get { keys.isEmpty } }
  /// The notes that sound, from the lowest. Inlined: a call would get a copy of all keys.
  var lit: [Int] {
    @inline(__always) get { keys.indices.filter { played[$0].isLit }.compactMap { keys[$0].note } }
  }
  /// The wheel's bend of all notes, in semitones.
  var wheel: Float { bend * patch.settings.bendRange }
  /// The patch that was asked for last.
  var asked: Patch { wanted ?? patch }

  subscript(key: Pad) -> PadState { read(key) { $0 } }

  /// A key's state, to be changed in place; as long as nothing else of the keys is changed.
  mutating func address(of key: Pad) -> UnsafeMutablePointer<PadState> {
    let (index, isPlayed) = place(of: key)
    if !isPlayed {
      played.insert(PadState(key, of: self), at: index)
      keys.insert(key, at: index)
    }
    return played.withUnsafeMutableBufferPointer { $0.baseAddress! + index }
  }

  /// The key's place among the played keys, or its place if it were played.
  /// - Returns: and whether the key was played.
  @inline(__always) private func place(of key: Pad) -> (index: Int, isPlayed: Bool) {
    let index = keys.indices.firstPlace { keys[$0] < key }
    return (index, index < keys.count && keys[index] == key)
  }

  /// Reads a key in place if it was played.
  @inline(__always) func read<Answer>(_ key: Pad, _ body: (PadState) -> Answer) -> Answer {
    let (index, isPlayed) = place(of: key)
    return isPlayed ? body(played[index]) : body(PadState(key, of: self))
  }

  /// The keys play another patch from their next press on.
  /// - Parameter samples: of a sampled instrument.
  mutating func play(_ patch: Patch, _ samples: PlayableKit? = nil) {
    wanted = nil
    guard patch != self.patch || samples !== self.samples else { return }
    self.patch = patch
    self.samples = samples
    sound = samples == nil ? PlayablePad(patch) : nil
    for (place, key) in keys.enumerated() {
      let plays = PadState(key, of: self)
      played[place].sound = plays.sound
      played[place].plainSound = plays.sound
      played[place].sample = plays.sample
      played[place].settings = plays.settings
    }
  }
}

extension PadState {
  /// A key that was not played yet.
  fileprivate init(_ key: Pad, of keys: PlayerKeys) {
    var settings = PadSettings()
    settings.mode = .gate
    settings.voices = 1
    guard let samples = keys.samples else {
      self.init(sample: .patch(keys.patch), sound: keys.sound, settings: settings)
      return
    }
    guard let plays = samples.plays(key, keys.patch.settings) else {
      // No zone has the key: it is as silent as an empty pad.
      self.init(sample: .pad(Pad.all[0], of: samples.kit.id), sound: nil, settings: settings)
      return
    }
    self.init(sample: .pad(plays.pad, of: samples.kit.id), sound: plays.sound, settings: plays.settings)
  }
}

extension PlayableKit {
  /// The sound of a sampled instrument's key, and its settings; nil where no zone has the key.
  func plays(
    _ key: Pad, _ patch: PatchSettings
  ) -> (pad: Pad, sound: PlayablePad, settings: PadSettings)? {
    guard let note = key.note, let pad = zones.pad(of: note), let sound = self[pad] else { return nil }
    let zone = zones[pad.index]
    var settings = PadSettings()
    settings.mode = .gate
    settings.voices = 1
    settings.transpose = zone.transpose(to: note)
    settings.gain = PadSetting.gain.row.kind.bounded(zone.gain + patch.gain)
    settings.release = PadSetting.release.row.kind.bounded(patch.amp.release)
    return (pad, sound, settings)
  }
}
