internal import JamCore
internal import JamEngine

/// A pad in a player's hands.
struct PadState: Equatable, Sendable {
  /// Nil is an empty pad.
  var sound: PlayablePad?
  /// The sound before it was stretched.
  var plainSound: PlayablePad?
  /// The sound as players are told of it.
  var description: KitPad?
  /// The sound's id.
  var sample: SampleID
  /// Orders of the pad that are still being read or made.
  var wish = PadWish()
  var settings: PadSettings
  /// The stretch that is heard and logged, until the one that `settings` ask for is ready.
  var heardStretch = PadStretch()
  /// How many times as long the sound lasts, to fill its beats: as asked for, as heard and logged.
  var fit: Float = 1
  var heardFit: Float = 1
  /// Counts the hits: sounds that share a pad take turns.
  var turn = 0
  /// The hand's doings on it.
  var press = PadPress()
  /// Its light, and the hits that wait for it.
  var light = PadLight()
  /// Inlined: a call would get a copy of the pad.
  var isLooping: Bool { @inline(__always) get { press.loop != nil } }

  /// Of the sound that stands for the pad, as it is stretched.
  var duration: Frames { sound?.layers.last?.sounds.first?.view.duration ?? description?.duration ?? .zero }

  /// The settings that sound by now, in the form of a player's settings.
  var heardSettings: PadSettings {
    var settings = settings
    settings.stretching = heardStretch
    return settings
  }

  /// The settings that sound by now, fitted to the sound's beats: for a hit at any tempo.
  var soundedSettings: PadSettings {
    var settings = heardSettings.fitted(by: heardFit)
    settings.beats = 0
    return settings
  }

  /// The settings that shape a hit. Without a fit no stretch shapes one.
  var hitSettings: PadSettings { heardFit == 1 ? settings : heardSettings.fitted(by: heardFit) }

  /// A press that hard is held.
  mutating func hold(_ new: Velocity) {
    press.isHeld = true
    press.velocity = new
  }

  /// A hit is about to go to the engine.
  /// - Parameter new: by how much the grid has moved it.
  /// - Returns: whether the pad goes round: the hit ends that.
  mutating func open(shift new: Frames) -> Bool {
    press.shift = new
    press.isOpen = true
    return isLooping
  }

  /// The sound and settings of the pad's next hit; the hit after that takes the next turn. A hit
  /// that its client sounds itself has the turn of its own number.
  mutating func takeHit(_ velocity: Velocity, _ own: OwnHit = .none) -> TakenHit {
    let taken = own.turn(else: turn)
    let choice = sound?.choose(velocity, turn: taken)
    if choice != nil { turn += 1 }
    return TakenHit(
      choice: choice, settings: hitSettings, sample: sample, turn: taken)
  }

  /// A gate is let go of.
  /// - Parameter isWaited: a hit that waits for its line takes the release.
  /// - Returns: by how much the grid has moved the hit that ends; nil where none does.
  mutating func close(isWaited: Bool) -> Frames? {
    guard press.isGated || settings.mode == .gate, !isWaited || press.isOpen else { return nil }
    press.isOpen = false
    return press.shift
  }

  /// It goes dark at `frame`; what has not lit up yet does so before.
  mutating func darken(at frame: Frames) {
    guard let until = light.until else { return }
    light.until = min(until, frame)
    if let from = light.from, from > frame { light.from = nil }
  }

  init(sample: SampleID, sound: PlayablePad?, settings: PadSettings) {
    self.sample = sample
    self.sound = sound
    self.settings = settings
    plainSound = sound
  }

  init(of kit: PlayableKit, _ pad: Pad) {
    sample = .pad(pad, of: kit.kit.id)
    settings = PadSettings()
    play(kit, pad)
  }

  /// The kit's own sound, with the kit's own settings.
  mutating func play(_ kit: PlayableKit, _ pad: Pad) {
    play(PadSound(pad, of: kit))
    settings = kit.kit[pad]?.settings ?? PadSettings()
    heardStretch = settings.stretching
    sound = kit[pad]
  }

  /// Another sound; the settings stay, but for the stretch and the beats.
  mutating func play(_ new: PadSound) {
    sample = new.id
    sound = new.playable
    plainSound = sound
    wish.stretchOrder = 0
    settings.stretch = 1
    heardStretch.factor = 1
    settings.beats = new.beats
    fit = 1
    heardFit = 1
    description = new.description
    turn = 0
  }
}

/// The sound of one hit.
struct TakenHit {
  /// Nil on an empty pad.
  var choice: PlayablePad.Choice?
  var settings: PadSettings
  var sample: SampleID
  /// Among sounds that share the pad.
  var turn: Int
}

extension PadState {
  var isLit: Bool { light.from == nil && light.until != nil }
}

/// Orders of a pad that are still being read or made.
struct PadWish: Equatable, Sendable {
  /// The number of the latest stretch order; only its answer counts. 0 is none.
  var stretchOrder: UInt64 = 0
  /// A sound that was chosen and is still being read.
  var sample: SampleID?
  /// The stretch for that sound.
  var stretch = PadStretch()
  /// Its length in beats.
  var beats: Float = 0
  /// The name by which it was chosen; nil by its id.
  var name: String?
}

/// The hand's doings on a pad.
struct PadPress: Equatable, Sendable {
  var isHeld = false
  /// The velocity of the last press.
  var velocity = Velocity.full
  /// The grid's shift of the last hit that sounds or was sent: its release moves as far.
  var shift = Frames.zero
  /// Whether a hit went to the engine that was not let go yet.
  var isOpen = false
  /// Whether the engine's last hit ends with its release, whatever the mode is by now.
  var isGated = false
  /// In mode `loop`: what a press has started and none has stopped.
  var loop: RunningLoop?
  /// In mode `repeat`: while it is held.
  var roll: Roll?
}

/// A pad's light, and the hits that wait for it.
struct PadLight: Equatable, Sendable {
  /// The frame at which the last hit sounds, until it has been told; then nil.
  var from: Frames?
  /// The frame at which the pad goes dark; nil while it is dark.
  var until: Frames?
  /// The time at which its sound was last counted as played.
  var countedAt: Frames?
  /// The number of hits that wait for their frame or their line.
  var pending = 0

  /// A hit lights the pad up from its frame on, and as long as it sounds.
  mutating func turnOn(from frame: Frames, until end: Frames) {
    from = frame
    until = max(until ?? end, end)
  }
}

extension PadState {
  /// - Returns: nil where it is no setting of a pad's.
  func value(of setting: Setting) -> SettingValue? {
    switch setting {
    case .pad(let setting, _): settings[setting]
    case .padName: .text(description?.name ?? "")
    case .padSeconds: .float(Float(duration.seconds))
    case .padCategory: .text(description?.category ?? "")
    case .padSample: .text("\(sample)")
    case .padLit: .bool(isLit)
    case .padPending: .bool(light.pending > 0)
    default: nil
    }
  }
}

extension Setting {
  /// The pad whose state alone says the value; nil where more says it.
  var ownPad: Pad? {
    switch self {
    case .pad(_, let pad), .padName(let pad), .padSeconds(let pad), .padCategory(let pad), .padSample(let pad),
      .padLit(let pad), .padPending(let pad):
      pad
    default: nil
    }
  }
}
