public import JamCore
public import JamRealtime

/// A command of the room to its engine: plain data, ordered by the frame at which it applies and
/// then by its sequence number.
///
/// A command that comes after its frame was rendered applies at the next buffer's first frame. The
/// engine reports that frame (`EngineEvent.late`), so that the log stays true.
@frozen
public struct EngineCommand: BitwiseCopyable, Sendable {
  /// Counts up from 1 in each room. A command of a cue has the number of the command before it.
  public var sequence: UInt64
  /// The frame of the tape on which the command takes effect. A start stamped with frame f is heard
  /// exactly on the tape's frame f, although the engine works ahead of the tape by
  /// `Engine.latency`, the limiter's look-ahead.
  public var frame: Frames
  public var action: EngineAction

  @inlinable public init(sequence: UInt64, frame: Frames, action: EngineAction) {
    self.sequence = sequence
    self.frame = frame
    self.action = action
  }
}

/// The action of a command. Gains are linear; a bus belongs to a player.
@frozen
public enum EngineAction: BitwiseCopyable, Sendable {
  case start(VoiceStart)
  /// The pad was released: its gated voices, sounding or waiting, end with their release fade.
  case release(bus: PlayerID, pad: Pad)
  /// Releases every gated voice on the bus, as if all its pads were released, because a player
  /// left.
  case releaseAll(bus: PlayerID)
  /// Withdraws the pad's hits from this frame on that were sent before this command.
  case cancel(bus: PlayerID, pad: Pad)
  /// Ends everything on the bus with a short fade, and withdraws its waiting hits that were sent
  /// before.
  case silence(bus: PlayerID)
  case silenceAll
  /// The pad's level, smoothed, for the hits that sound on it now; later hits carry their own. A
  /// muted pad has 0.
  case padLevel(bus: PlayerID, pad: Pad, level: Float)
  /// The pad's level, as above, and its pan and rate for its loops that run until they are stopped.
  /// The loops arrive exactly at these values: random variations end.
  case padShape(bus: PlayerID, pad: Pad, level: Float, pan: PanGains, rate: Float)
  /// The height of the finger on the key whose note sounds, 0…1, smoothed.
  case keyHeight(bus: PlayerID, pad: Pad, height: Float)
  /// The bend of that one note (`keyBend`), and of all notes of the bus (`bend`), in semitones,
  /// smoothed.
  case keyBend(bus: PlayerID, pad: Pad, semitones: Float)
  case bend(bus: PlayerID, semitones: Float)
  /// A new setting of the instrument for its notes that sound on the bus, smoothed.
  case patch(bus: PlayerID, PatchView, use: SampleUse)
  /// While any bit is set, only the bus's pads whose bits are set are heard, smoothed: bit i is pad
  /// i + 1.
  case padSolo(bus: PlayerID, pads: UInt16)
  /// One setting of a player's effects, smoothed, as a number (`EffectSettings.number`).
  case effect(PlayerID, EffectSetting, Float)
  /// One setting of the room's effects, smoothed, as a number.
  case roomEffect(RoomEffectSetting, Float)
  /// The players whose hits duck a player's channel, where kicks or pads duck it.
  case duck(PlayerID, by: DuckPlayer)
  /// A player's channel, smoothed. A muted channel has gain 0.
  case bus(PlayerID, gain: Float, pan: PanGains)
  /// While any bit is set, only the buses whose bits are set are heard, smoothed: bit i is bus i.
  case solo(buses: UInt64)
  /// Gives a bus to a new player: gain and pan are reset, meters clear. Voices that still sound on
  /// it fade, and its waiting hits are withdrawn. Cues that were opened before this command was sent
  /// hear the new player's own hits; they keep their gains.
  case openBus(PlayerID)
  case master(gain: Float)
  /// Whether the sum of the channels is kept at −14 LUFS, from this frame on, over seconds.
  case leveller(Bool)
  /// The pitch ratio of everything that plays, gliding; 1 is unchanged.
  case pitch(ratio: Float)
  /// The low-pass on the mix: 0 open … 1 closed, gliding.
  case modulation(Float)
  /// The riser on the mix, on its way to 0 untouched … 1 over so many frames.
  case riser(Float, frames: Int32)
  /// Fades the mix out, or back in, over 5 ms, from exactly this frame on.
  case hush(Bool)
  /// The clock from this frame on. The map before it is no longer read once
  /// `EngineStatus.mapRevision` reached `revision`.
  case tempoMap(TempoMapView, revision: UInt64)
  /// The click on the click bus; gain 0 is off.
  case click(gain: Float)
  /// Opens a player's cue, at once: `MixTape.readCue` with that ticket reads it. If that cue is
  /// open already, nothing changes. `withoutOwn` leaves out the voices of the player's bus whose
  /// hits the client sounds itself (`VoiceStart.isOwn`).
  case openCue(UInt8, for: PlayerID, ticket: UInt64, click: Float, withoutOwn: Bool)
  /// Closes the cue, at once, because nobody listens any more; its previews end.
  case closeCue(UInt8)
  /// The levels in the cue, smoothed: of the room's mix, normally 1, and of the click. Previews are
  /// not affected.
  case cueLevels(UInt8, mix: Float, click: Float)
  /// The gain of one bus in the cue, smoothed: 0…4, and 1 as the cue opens. The mix and other cues
  /// are not affected.
  case cueGain(cue: UInt8, bus: PlayerID, gain: Float)
  /// A hit that sounds only on the cue. It names its player's bus, but no bus plays it.
  case preview(VoiceStart, cue: UInt8)
  /// The pad or key of a hit on the cue was let go of.
  case releasePreview(Pad, cue: UInt8)

  /// The sound that the action holds until it is carried out or dropped.
  @inlinable public var use: SampleUse? {
    @_noLocks get {
      switch self {
      case .start(let start), .preview(let start, _): start.use
      case .patch(_, _, let use): use
      default: nil
      }
    }
  }

  /// Whether the action is no part of the music: it has no number of its own, and nothing is
  /// reported of it.
  @inlinable public var isOfCue: Bool {
    @_noLocks get {
      switch self {
      case .openCue, .closeCue, .cueLevels, .cueGain, .preview, .releasePreview: true
      default: false
      }
    }
  }
}

/// One hit, with everything that shapes it already computed by the room.
@frozen
public struct VoiceStart: Equatable, BitwiseCopyable, Sendable {
  public var sample: SampleView
  /// The sender retains the sound for this hit. The engine releases it when the voice ends or the
  /// hit is dropped.
  public var use: SampleUse
  public var bus: PlayerID
  public var pad: Pad
  /// Velocity and pan together.
  public var gain: PanGains
  /// The pad's level when it was hit. `EngineAction.padLevel` changes it afterwards.
  public var level: Float
  /// Sample frames per output frame: 1 plays as recorded.
  public var rate: Float
  /// Frames into the sample.
  public var startFrame: Int32
  /// For a loop that replaces the loop on its pad: it begins so many frames behind `startFrame`,
  /// and the old loop fades into it over `Fade.seam`. 0 replaces nothing.
  public var entryFrame: Int32 = 0
  /// Frames after which the hit fades; 0 plays the whole sample.
  public var decayFrames: Int32
  /// The length of the fade after the release, in frames. If it is less than `Fade.release`, the
  /// fade takes `Fade.release`.
  public var releaseFrames: Int32 = 0
  /// The hit ends when its pad is released.
  public var isGated: Bool
  /// A kick, which ducks the channels that are ducked by kicks.
  public var isKick = false
  /// The player's client sounds this hit itself, so cues without the player's own hits leave it
  /// out.
  public var isOwn = false
  /// Repeats from `startFrame` to the sample's end until it is released. The end fades into the
  /// frames in front of `startFrame`. `decayFrames` has no meaning then. A sample's own loop
  /// (`SampleView.loopStart`) is different: it repeats while a gated hit is held.
  public var isLooped: Bool
  /// Frames after which the hit is released by itself, gated or looped or neither; 0 is never. The
  /// hits of a loop need this, because no hand holds them.
  public var holdFrames: Int32 = 0
  /// 0 is none. A start ends the voices of the same group on the bus's other pads.
  public var choke: UInt8
  /// The number of voices that the pad may hold, 1…8. Beyond it the oldest voice fades.
  public var voices: UInt8
  /// The part of the mix (`Stems`) that the hit belongs to. Without stems it has no meaning.
  public var stem: UInt16 = 0
  /// The patch of a note; nil for a hit that plays a sample. For a note, `rate`, `startFrame`,
  /// `decayFrames`, `isLooped` and `choke` have no meaning.
  public var patch: PatchView?
  /// For a note: above 0, at most 1. The patch decides its effect.
  public var velocity: Float = 1
  /// For a note: the seed of everything random in it, so that a score sounds as it was heard. It
  /// comes from the hit's number.
  public var seed: UInt16 = 0

  /// Whether the hit replaces the loop on its pad.
  @inlinable public var takesOver: Bool { @_noLocks get { isLooped && entryFrame > 0 } }

  /// Whether the sample's own loop repeats as long as the hit is held.
  @inlinable public var goesRoundHeld: Bool {
    @_noLocks get { sample.hasLoop && !isLooped && (isGated || holdFrames > 0) }
  }

  @inlinable public init(
    sample: SampleView, use: SampleUse, bus: PlayerID, pad: Pad, gain: PanGains, level: Float = 1,
    rate: Float = 1, startFrame: Int32 = 0, decayFrames: Int32 = 0, isGated: Bool = false, isLooped: Bool = false,
    choke: UInt8 = 0, voices: UInt8 = 8
  ) {
    self.sample = sample
    self.use = use
    self.bus = bus
    self.pad = pad
    self.gain = gain
    self.level = level
    self.rate = rate
    self.startFrame = startFrame
    self.decayFrames = decayFrames
    self.isGated = isGated
    self.isLooped = isLooped
    self.choke = choke
    self.voices = voices
  }
}

/// An answer of the engine to its room: plain data.
@frozen
public enum EngineEvent: BitwiseCopyable, Sendable {
  /// The command came too late and was applied at `frame`.
  case late(sequence: UInt64, frame: Frames)
  /// A hit found no place: the queue of waiting hits is full, or so many voices fade that none can
  /// be freed without a click. The hit never sounds, so the log must not hold it.
  case refused(sequence: UInt64)
}
