internal import JamCore

/// A player's kit, pads and keys, and how they answer to a hit.
struct Hands: Equatable, Sendable {
  var kit: PlayableKit
  /// The kit's sounds that have a key stay in the room's.
  var followsKey = false
  var pads: [PadState]
  var keys: PlayerKeys
  /// What presses become.
  var playing = KeyPlaying()
  var progression = ProgressionPlaying()
  var velocityScale = VelocityScale()
  var repeatRate = Grid.sixteenth
  var repeatsAll = false
  var quantize = Grid.off
  var quantizeStrength: Float = 1
  var timing = Timing.live
  /// The player has chosen its timing. Until then the first hit that says what was heard makes the timing `heard`.
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

  /// No key is held, and none is to be played by itself.
  mutating func restKeys() {
    keys.sustained = []
    playing.endAll()
    progression.rest()
    progression.forgetPresses()
    progression.isOn = false
  }

  /// On which lines what is held is played again: by the arpeggiator, or where all pads repeat.
  var noteGrid: Grid { playing.arpeggiates ? playing.rate : repeatsAll ? repeatRate : .off }

  /// The pads, and the keys that were played. Inlined: a call would get a copy.
  var places: [Pad] { @inline(__always) get { keys.isUntouched ? Pad.all : Pad.all + keys.keys } }

  var kitID: String { kit.kit.id }
  var kitName: String { kit.kit.name }

  /// The value that is kept: of an instrument that is still being read, what was asked for.
  /// - Returns: as `value(of:)`.
  func keptValue(of setting: Setting) -> SettingValue? {
    switch setting {
    case .instrument: .text(keys.asked.id)
    case .patch(let setting): keys.asked.settings[setting]
    default: value(of: setting)
    }
  }

  /// - Returns: nil where it is no setting of the hands.
  func value(of setting: Setting) -> SettingValue? {
    switch setting {
    case .pad(let setting, let pad): pads[pad.index].settings[setting]
    case .padName(let pad): .text(pads[pad.index].description?.name ?? "")
    case .padSeconds(let pad): .float(Float(pads[pad.index].duration.seconds))
    case .padCategory(let pad): .text(pads[pad.index].description?.category ?? "")
    case .padSample(let pad): .text("\(pads[pad.index].sample)")
    case .padLit(let pad): .bool(pads[pad.index].isLit)
    case .padPending(let pad): .bool(pads[pad.index].light.pending > 0)
    case .instrument: .text(keys.patch.id)
    case .patch(let setting): keys.patch.settings[setting]
    case .kit: .text(kitID)
    case .kitName: .text(kitName)
    case .kitFollow: .bool(followsKey)
    case .bend: .float(keys.bend)
    case .sustain: .bool(keys.isSustained)
    case .progression: .text(progression.written)
    case .progressionOn: .bool(progression.isOn)
    case .progressionChord: .text(progression.chord)
    case .repeatRate: .text(repeatRate.word)
    case .repeatsAll: .bool(repeatsAll)
    case .quantize: .text(quantize.word)
    case .quantizeStrength: .float(quantizeStrength)
    case .timing: .text(timing.word)
    case .timingChosen: .bool(hasChosenTiming)
    case .velocityMax: .float(velocityScale.full)
    default: playing.value(of: setting)
    }
  }
}

extension KeyPlaying {
  /// - Returns: nil where it is no setting of what presses become.
  fileprivate func value(of setting: Setting) -> SettingValue? {
    switch setting {
    case .padLayout: .text(layout.word)
    case .keyOctave: .integer(Int32(octave))
    case .keySnap: .bool(isSnapped)
    case .chordSize: .integer(Int32(chordSize))
    case .chordInversion: .integer(Int32(inversion))
    case .chordSpread: .text(spread.rawValue)
    case .chordLead: .bool(leads)
    case .arpMode: .text(arp.mode.word)
    case .arpRate: .text(rate.word)
    case .arpOctaves: .integer(Int32(arp.octaves))
    case .arpGate: .float(gate)
    case .arpLatch: .bool(arp.isLatched)
    case .arpVelocity: .float(velocity)
    case .arpSwing: .float(swing)
    default: nil
    }
  }
}

extension PlayerTable where Value == Hands {
  /// What `body` reads of a player's pad or key, in place: a method of `Hands` would get a copy.
  @inline(__always) func read<Answer>(_ pad: Pad, of id: PlayerID, _ body: (PadState) -> Answer) -> Answer {
    pad.isKey ? self[id].keys.read(pad, body) : body(self[id].pads[pad.index])
  }
}
