internal import JamCore

/// A player's kit, pads and keys, and how they answer to a hit.
struct Hands: Equatable, Sendable {
  var kit: PlayableKit
  /// The kit's sounds that have a key stay in the room's.
  var followsKey = false
  var pads: [PadState]
  var keys: PlayerKeys
  /// The notes that presses become.
  var playing = KeyPlaying()
  var progression = ProgressionPlaying()
  var velocityScale = VelocityScale()
  var repeatRate = Grid.sixteenth
  var repeatsAll = false
  var quantize = Grid.off
  var quantizeStrength: Float = 1
  var timing = Timing.live
  /// The player chose its timing. Before, the first hit with a heard beat makes the timing `heard`.
  var hasChosenTiming = false

  init(kit: PlayableKit, instrument: Instrument) {
    self.kit = kit
    pads = Pad.all.map { PadState(of: kit, $0) }
    keys = PlayerKeys(instrument)
  }

  /// One of the pads, or of the keys.
  subscript(pad: Pad) -> PadState {
    // No `_read`: see `PlayerTable`. No `_modify`: its frame would be allocated, five times a hit.
    get { pad.isKey ? keys[pad] : pads[pad.index] }
    unsafeMutableAddress {
      guard !pad.isKey else { return keys.address(of: pad) }
      precondition(pad.index < pads.count, "a player has all pads")
      // The array's memory stays as long as the hands are being changed.
      return pads.withUnsafeMutableBufferPointer { $0.baseAddress! + pad.index }
    }
  }

  /// No key, arpeggio or progression goes on.
  var keysRest: Bool { playing.isEmpty && keys.sustained.isEmpty && !progression.isOn }

  /// No key is held any more, nor played by itself.
  mutating func restKeys() {
    keys.sustained = []
    playing.endAll()
    progression.rest()
    progression.forgetPresses()
    progression.isOn = false
  }

  /// Nothing was played with the kit or with keys.
  var isUntouched: Bool { keys.isUntouched && pads.allSatisfy { $0.turn == 0 } }

  /// The grid on which held notes are played again: the arpeggiator's, or that of all pads.
  var noteGrid: Grid { playing.arpeggiates ? playing.rate : repeatsAll ? repeatRate : .off }

  /// The pads, and the keys that were played. Inlined: a call would get a copy.
  var places: [Pad] { @inline(__always) get { keys.isUntouched ? Pad.all : Pad.all + keys.keys } }

  var kitID: String { kit.kit.id }
  var kitName: String { kit.kit.name }
}

extension Hands {
  static let rows: [Row<Hands>] = [
    Row(.kit) { .text($0.kitID) },
    Row(.kitName) { .text($0.kitName) },
    Row(.repeatRate, .word(\.repeatRate, .rate), replans: [.rolls], kept: [.guest, .journal]),
    Row(.repeatsAll, .bool(\.repeatsAll), replans: [.repeats], kept: .journal),
    Row(.quantize, .word(\.quantize, .grid), kept: [.guest, .journal]),
    Row(.quantizeStrength, .float(\.quantizeStrength), kept: [.guest, .journal]),
    Row(.timing, .word(\.timing, .timing), replans: [.timing], kept: .journal),
    Row(.timingChosen, kept: .journal) { .bool($0.hasChosenTiming) },
    // A log holds how hard each hit was, and the journal whether it was set by hand.
    Row(.velocityMax, .velocityMax, log: .none, kept: .ownRow),
    Row(.kitFollow, kept: .everywhere) { .bool($0.followsKey) },
    Row(.progressionOn) { .bool($0.progression.isOn) },
    Row(.progressionChord) { .text($0.progression.chord) },
    Row(.bend) { .float($0.keys.bend) },
    Row(.sustain) { .bool($0.keys.isSustained) },
  ]

  /// The instrument and its patch, and what presses become.
  static let keyboardRows: [Row<Hands>] =
    [
      // The instrument first: it sets its patch.
      Row(.instrument, kept: .everywhere, keptAs: { .text($0.keys.asked.id) }) { .text($0.keys.patch.id) }
    ] + patchRows + [
      Row(.padLayout, .word(\.playing.layout, .layout), namesPads: true, kept: .everywhere),
      Row(.keyOctave, .integer(\.playing.octave), namesPads: true, kept: .everywhere),
      Row(.keySnap, .bool(\.playing.isSnapped), kept: .everywhere),
      Row(.chordSize, .integer(\.playing.chordSize), kept: .everywhere),
      Row(.chordInversion, .integer(\.playing.inversion), kept: .everywhere),
      Row(.chordSpread, .word(\.playing.spread, .spread), kept: .everywhere),
      Row(.chordLead, .bool(\.playing.leads), kept: .everywhere),
      Row(.arpMode, .word(\.playing.arp.mode, .mode), replans: [.heldKeys], kept: .everywhere),
      Row(
        .arpRate, .word(\.playing.rate, .rate, parse: Grid.init(lines:)), replans: [.arpeggio],
        kept: .everywhere),
      Row(.arpOctaves, .integer(\.playing.arp.octaves), kept: .everywhere),
      Row(.arpGate, .float(\.playing.gate), kept: .everywhere),
      Row(.arpLatch, .bool(\.playing.arp.isLatched), replans: [.latch], kept: .everywhere),
      Row(.arpVelocity, .float(\.playing.velocity), kept: .everywhere),
      Row(.arpSwing, .float(\.playing.swing), replans: [.arpeggio], kept: .everywhere),
      Row(.progression, kept: .everywhere) { .text($0.progression.written) },
    ]

  private static let patchRows = PatchSetting.allCases.map { what in
    Row<Hands>(.patch(what), kept: .everywhere, keptAs: { $0.keys.asked.settings[what] }) {
      $0.keys.patch.settings[what]
    }
  }
}

extension RowPlace where Owner == Hands {
  /// The number that a player set by hand; the scale says which numbers follow it.
  fileprivate static let velocityMax = RowPlace.float({ $0.velocityScale.full }) { hands, number, _ in
    hands.velocityScale.set(number)
  }
}

extension Grid {
  /// The lines of an arpeggiator, which has no `off`.
  fileprivate init?(lines word: String) {
    self.init(word: word)
    if self == .off { return nil }
  }
}

extension PlayerTable where Value == Hands {
  /// Reads a pad or key of the player in place: a method of `Hands` would get a copy.
  @inline(__always) func read<Answer>(_ pad: Pad, of id: PlayerID, _ body: (PadState) -> Answer) -> Answer {
    pad.isKey ? self[id].keys.read(pad, body) : body(self[id].pads[pad.index])
  }
}
