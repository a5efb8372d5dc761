public import JamCore
internal import JamEngine

/// One player of a room: a plain value.
public struct Player: Equatable, Sendable {
  public let id: PlayerID
  public internal(set) var name: PlayerName
  /// Resumes the player on another connection.
  public internal(set) var token: String
  /// Came in by hitting a pad, without a name of its own.
  public internal(set) var isGuest: Bool
  /// The name under which a guest is known when it comes back: all of one address are one. Nil keeps nothing of it.
  var guestKey: GuestMemory.Key?
  public internal(set) var role: Role
  /// A host made the player a listener, and only a host makes it a player again.
  var isMadeListener = false

  var kit: PlayableKit
  /// A kit that was chosen and is still being read.
  var wantedKit: String?
  /// How its pads will be.
  var wantedPads: [PadEdit] = []
  /// The kit's sounds that have a key stay in the room's.
  var followsKey = false
  var pads: [PadState]
  var keys: PlayerKeys
  /// What presses become.
  var playing = KeyPlaying()
  var progression = ProgressionPlaying()
  var effects = EffectSettings()
  /// Whose hits duck its channel; nil is anybody's. And who that is, as its engine was told.
  var duckPlayer: PlayerName?
  var ducker = DuckPlayer.anybody
  /// What the player was told that its notes are called.
  var toldChord = ""
  /// The player's own channel, in dB.
  var gain: Float = 0
  var isMuted = false
  /// What a host set for the player's channel.
  var hostGain: Float = 0
  var isMutedByHost = false
  var isSoloed = false
  var repeatRate = Grid.sixteenth
  var repeatsAll = false
  var quantize = Grid.off
  var quantizeStrength: Float = 1
  var timing = Timing.live
  /// The player has chosen its timing. Until then the first hit that says what was heard makes the timing `heard`.
  var hasChosenTiming = false
  var velocityScale = VelocityScale()
  /// From tap to ear in ms, as its client measured it; 0 is unknown.
  var latency: Float = 0
  var metronome = false
  var metronomeGain: Float = 0
  /// Bars before a pass, and whether they run: the click is on then.
  var countIn = 0
  var recordingGrid = RecordingGrid()
  var isCountingIn = false
  /// What was sent while a chosen kit is still being read, and is meant for it.
  var waitingCommands: [WaitingCommand] = []
  /// The kit that is being read is brought back, with `wantedPads`: no edit of its own.
  var isRestoring = false
  /// A grab or a save of the player is under way: one of each at a time.
  var isGrabbing = false
  var isSaving = false
  var loop = Loop()
  /// What everybody was told of it last.
  var toldLoop: Event?
  var lanes = [Lane](repeating: Lane(), count: Limits.standard.lanesPerPlayer)
  var focus: Focus?
  /// Was told that blocks are not kept.
  var knowsWhatIsNotKept = false
  var history = History()
  /// Which version of it was told.
  var toldHistory = 0
  /// Its last connection ended; it may come back.
  var isAway = false
  /// Where it came from lately; none is the server itself.
  var whereabouts = Whereabouts()
  var presence = Presence.connected
  /// Gone, but its loop plays on.
  var hasLeft = false
  /// The player's taps of the tempo, and which run of taps that is.
  var taps = TapAverage()
  var tapRun: UInt64 = 0
  /// In bpm; nil is none.
  var vote: Float?
  /// It was kept beyond the process's end, and has not shown up since.
  var isExpected = false
  /// What of its goes round again once somebody is here.
  var resumes: Playing?
  /// The lane and the slot that it focuses on again once its own stream is open.
  var resumedFocus: SlotPlace?
  /// When it came in: it has heard nothing before.
  var joined: Frames
  /// When anything last came from the player.
  var lastHeard: Frames

  init(
    id: PlayerID, name: PlayerName, token: String, isGuest: Bool, isHost: Bool, kit: PlayableKit,
    instrument: Instrument = .standard, at frame: Frames
  ) {
    self.id = id
    self.name = name
    self.token = token
    self.isGuest = isGuest
    role = isHost ? .host : .player
    self.kit = kit
    pads = Pad.all.map { PadState(of: kit, $0) }
    keys = PlayerKeys(instrument)
    joined = frame
    lastHeard = frame
  }

  /// One of its pads, or of its keys.
  subscript(pad: Pad) -> PadState {
    // No `_read`: see `Roster`. No `_modify`: its frame would be allocated, five times a hit.
    get { pad.isKey ? keys[pad] : pads[pad.index] }
    unsafeMutableAddress {
      guard !pad.isKey else { return keys.address(of: pad) }
      precondition(pad.index < pads.count, "a player has all pads")
      // The array's memory stays as long as the player is being changed.
      return pads.withUnsafeMutableBufferPointer { $0.baseAddress! + pad.index }
    }
  }

  /// No key, arpeggio or progression of the player goes on.
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

  /// Its pads, and the keys that were played. Inlined: a call would get a copy of the player.
  var places: [Pad] { @inline(__always) get { keys.isUntouched ? Pad.all : Pad.all + keys.keys } }

  public var isHost: Bool { role == .host }
  /// Who counts as one in what may be saved.
  var saver: String { whereabouts.addresses.first(where: \.isCounted)?.text ?? name.text }
  public var kitID: String { kit.kit.id }
  public var kitName: String { kit.kit.name }

  /// Whether the click is on for the player.
  var hasClick: Bool { metronome || isCountingIn }

  /// The gain of the player's bus: its own channel and what a host made of it.
  var busGain: Float {
    isMuted || isMutedByHost ? 0 : Decibels.gain(gain) * Decibels.gain(hostGain)
  }
}

/// What a player sent while its kit was being read.
struct WaitingCommand: Hashable, Sendable {
  var command: Command
  /// Whether it may be a host's.
  var hasRights = true
}

/// A pad in a player's hands.
struct PadState: Equatable, Sendable {
  /// Nil is an empty pad.
  var sound: PlayablePad?
  /// The sound before it was stretched.
  var plainSound: PlayablePad?
  /// The number of its latest order for a stretched sound, whose answer alone counts; 0 is none.
  var stretchOrder: UInt64 = 0
  /// What is told of the sound.
  var description: KitPad?
  /// Which sound it is.
  var sample: SampleID
  /// A sound that was chosen and is still being read.
  var wantedSample: SampleID?
  /// How that will be stretched.
  var wantedStretch = PadStretch()
  /// How many beats it will be long.
  var wantedBeats: Float = 0
  /// By which of its names that was chosen; nil by its id.
  var wantedName: String?
  var settings: PadSettings
  /// The stretch that is heard and logged, until the one that `settings` ask for is ready.
  var heardStretch = PadStretch()
  /// How many times as long the sound is made to last its beats: as it was asked for, and as it is heard and logged.
  var fit: Float = 1
  var heardFit: Float = 1
  /// Counts the hits: sounds that share a pad take turns.
  var turn = 0
  var isHeld = false
  /// How hard it was pressed last.
  var velocity = Velocity.full
  /// The frame at which the last hit sounds, until it has been told; then nil.
  var litFrom: Frames?
  /// The frame at which the pad goes dark; nil while it is dark.
  var litUntil: Frames?
  /// When its sound was counted as played last.
  var countedAt: Frames?
  /// How many hits wait for their frame or their line.
  var pending = 0
  /// By how much the grid has moved the last hit that sounds or was sent: its release moves as far.
  var shift = Frames.zero
  /// Whether a hit went to the engine that was not let go yet.
  var isOpen = false
  /// Whether the last hit that went to the engine ends with its release, whatever the mode is by now.
  var isGated = false
  /// In mode `loop`: what a press has started and none has stopped.
  var loop: RunningLoop?
  /// Inlined: a call would get a copy of the pad.
  var isLooping: Bool { @inline(__always) get { loop != nil } }
  /// In mode `repeat`: while it is held.
  var roll: Roll?

  /// Of the sound that stands for the pad, as it is stretched.
  var duration: Frames { sound?.layers.last?.sounds.first?.view.duration ?? description?.duration ?? .zero }

  /// As it sounds by now, and as a player would set it.
  var heardSettings: PadSettings {
    var settings = settings
    settings.stretching = heardStretch
    return settings
  }

  /// As it sounds by now, with what makes it last its beats: how a hit of it sounds at any tempo.
  var soundedSettings: PadSettings {
    var settings = heardSettings.fitted(by: heardFit)
    settings.beats = 0
    return settings
  }

  /// A press that hard is held.
  mutating func hold(_ new: Velocity) {
    isHeld = true
    velocity = new
  }

  /// A hit is about to go to the engine.
  /// - Parameter new: by how much the grid has moved it.
  /// - Returns: whether the pad goes round: the hit ends that.
  mutating func open(shift new: Frames) -> Bool {
    shift = new
    isOpen = true
    return isLooping
  }

  /// What a hit of it plays, and what shapes that; the next hit takes the next turn.
  mutating func takeHit(_ velocity: Velocity) -> TakenHit {
    let choice = sound?.choose(velocity, turn: turn)
    if choice != nil { turn += 1 }
    return TakenHit(choice: choice, settings: settings.fitted(by: heardFit), sample: sample)
  }

  /// A gate is let go of.
  /// - Parameter isWaited: a hit that waits for its line takes the release.
  /// - Returns: by how much the grid has moved the hit that ends; nil where none does.
  mutating func close(isWaited: Bool) -> Frames? {
    guard isGated || settings.mode == .gate, !isWaited || isOpen else { return nil }
    isOpen = false
    return shift
  }

  /// It goes dark at `frame`; what has not lit up yet does so before.
  mutating func darken(at frame: Frames) {
    guard let until = litUntil else { return }
    litUntil = min(until, frame)
    if let from = litFrom, from > frame { litFrom = nil }
  }

  /// A hit lights the pad up from its frame on, and as long as it sounds.
  mutating func light(from frame: Frames, until end: Frames) {
    litFrom = frame
    litUntil = max(litUntil ?? end, end)
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
    stretchOrder = 0
    settings.stretch = 1
    heardStretch.factor = 1
    settings.beats = new.beats
    fit = 1
    heardFit = 1
    description = new.description
    turn = 0
  }
}

/// What a hit of a pad plays.
struct TakenHit {
  /// Nil on an empty pad.
  var choice: PlayablePad.Choice?
  var settings: PadSettings
  var sample: SampleID
}
