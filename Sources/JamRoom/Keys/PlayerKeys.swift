internal import JamCore

/// A player's keyboard: what its keys play, and those of them that were played.
///
/// A key is a pad in all that happens to it. It has a `PadState` from its first press on.
struct PlayerKeys: Equatable, Sendable {
  /// The instrument as it is set by now.
  private(set) var patch: Patch
  /// What that is in memory; all keys share it.
  private(set) var sound: PlayablePad
  /// By key.
  private var played: [Pad: PadState] = [:]
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

  init(_ instrument: Instrument) {
    patch = Patch(id: instrument.id, settings: instrument.patch)
    sound = PlayablePad(patch)
  }

  /// Those that were played, from the lowest.
  var keys: [Pad] { played.keys.sorted() }
  var states: some Collection<PadState> { played.values }
  /// The notes that sound, from the lowest.
  var lit: [Int] { played.filter { $0.value.isLit }.compactMap(\.key.note).sorted() }

  subscript(key: Pad) -> PadState {
    get { played[key] ?? PadState(of: self) }
    _modify {
      let fresh = played[key] == nil ? PadState(of: self) : nil
      if let fresh { played[key] = fresh }
      // In place: a state that is taken out and put back copies what it holds.
      yield &played[key]!
    }
  }

  /// The keys play another patch from their next press on.
  mutating func play(_ patch: Patch) {
    guard patch != self.patch else { return }
    self.patch = patch
    sound = PlayablePad(patch)
    for key in played.keys {
      played[key]?.sound = sound
      played[key]?.plainSound = sound
      played[key]?.sample = .patch(patch)
    }
  }
}

extension PadState {
  /// A key that was not played yet.
  fileprivate init(of keys: PlayerKeys) {
    var settings = PadSettings()
    settings.mode = .gate
    settings.voices = 1
    self.init(sample: .patch(keys.patch), sound: keys.sound, settings: settings)
  }
}
