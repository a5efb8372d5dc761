public import JamCore
public import JamRealtime

/// What the room tells its engine: plain data, ordered by the frame at which it applies and then by its sequence number.
///
/// A command that comes after its frame was rendered applies at the next buffer's first frame, and the engine reports that
/// frame (`EngineEvent.late`), so that the log stays true.
@frozen
public struct EngineCommand: BitwiseCopyable, Sendable {
  /// Counts up from 1 in each room; what is of a cue has the number of the command before it.
  public var sequence: UInt64
  /// The frame of the tape on which it takes effect: the engine itself leads the tape by `Engine.latency`, the limiter's look-ahead,
  /// so that a start stamped with frame f is heard on the tape's frame f exactly.
  public var frame: Frames
  public var action: EngineAction

  @inlinable public init(sequence: UInt64, frame: Frames, action: EngineAction) {
    self.sequence = sequence
    self.frame = frame
    self.action = action
  }
}

/// What is to be done. Gains are linear; a bus is a player's.
@frozen
public enum EngineAction: BitwiseCopyable, Sendable {
  case start(VoiceStart)
  /// The pad was let go: its gated voices, sounding or to come, end with their release fade.
  case release(bus: PlayerID, pad: Pad)
  /// Every gated voice on the bus is let go, as if all its pads were released: a player left.
  case releaseAll(bus: PlayerID)
  /// The pad's hits from this frame on that were sent before this command are withdrawn.
  case cancel(bus: PlayerID, pad: Pad)
  /// Everything on the bus ends with a short fade, and its hits that still wait and were sent before are withdrawn.
  case silence(bus: PlayerID)
  case silenceAll
  /// The pad's level, smoothed, for what sounds on it now; later hits bring theirs along. Muted comes as 0.
  case padLevel(bus: PlayerID, pad: Pad, level: Float)
  /// The pad's level, as above, and its pan and rate for its loops that run until they are stopped. They arrive at just these: what
  /// strayed about them by chance strays no more.
  case padShape(bus: PlayerID, pad: Pad, level: Float, pan: PanGains, rate: Float)
  /// How high the finger lies on the key whose note sounds, 0…1, smoothed.
  case keyHeight(bus: PlayerID, pad: Pad, height: Float)
  /// How far that one note is bent, and all of the bus's notes, in semitones, smoothed.
  case keyBend(bus: PlayerID, pad: Pad, semitones: Float)
  case bend(bus: PlayerID, semitones: Float)
  /// The notes of that instrument that sound on the bus go on with another setting of it, smoothed.
  case patch(bus: PlayerID, PatchView, use: SampleUse)
  /// While any bit is set, only the bus's pads whose bits are set are heard, smoothed: bit i is pad i + 1.
  case padSolo(bus: PlayerID, pads: UInt16)
  /// One setting of a player's effects, smoothed, as a number (`EffectSettings.number`).
  case effect(PlayerID, EffectSetting, Float)
  /// The same of the room's.
  case roomEffect(RoomEffectSetting, Float)
  /// Whose kicks and pads duck a player's channel, where those do.
  case duck(PlayerID, by: DuckPlayer)
  /// A player's channel, smoothed. Muted comes as gain 0.
  case bus(PlayerID, gain: Float, pan: PanGains)
  /// While any bit is set, only the buses whose bits are set are heard, smoothed: bit i is bus i.
  case solo(buses: UInt64)
  /// A bus that was given to a new player: gain and pan go to rest, meters clear. Voices that still sound on it fade, and
  /// hits that still wait are withdrawn.
  case openBus(PlayerID)
  case master(gain: Float)
  /// Whether the sum of the channels is kept at −14 LUFS, from this frame on, over seconds.
  case leveller(Bool)
  /// How much faster than on its own everything plays, gliding; 1 is as it is.
  case pitch(ratio: Float)
  /// The low-pass on the mix: 0 open … 1 closed, gliding.
  case modulation(Float)
  /// The riser on the mix, on its way to 0 untouched … 1 over so many frames.
  case riser(Float, frames: Int32)
  /// From this very frame on the mix goes silent, or comes back, over 5 ms.
  case hush(Bool)
  /// The clock from this frame on. The map before it is no longer read once `EngineStatus.mapRevision` reached `revision`.
  case tempoMap(TempoMapView, revision: UInt64)
  /// The click on the click bus; gain 0 is off.
  case click(gain: Float)
  /// A player's cue is made from now on, at once: `MixTape.readCue` with that ticket reads it. Opened again, nothing changes.
  case openCue(UInt8, for: PlayerID, ticket: UInt64, click: Float)
  /// Nobody hears the cue any more, at once; its previews end.
  case closeCue(UInt8)
  /// What a cue carries beside the previews, smoothed: the room's mix, 1 as a rule, and the click.
  case cueLevels(UInt8, mix: Float, click: Float)
  /// A hit that sounds on the cue alone. It belongs to its player's bus, but lies on none.
  case preview(VoiceStart, cue: UInt8)

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

  /// No part of what was played: it has no number of its own, and nothing is reported of it.
  @inlinable public var isOfCue: Bool {
    @_noLocks get {
      switch self {
      case .openCue, .closeCue, .cueLevels, .preview: true
      default: false
      }
    }
  }
}

/// One hit, with everything that shapes it already worked out by the room.
@frozen
public struct VoiceStart: Equatable, BitwiseCopyable, Sendable {
  public var sample: SampleView
  /// Retained for this hit by whoever sends it; the engine releases it when the voice ends or the hit is dropped.
  public var use: SampleUse
  public var bus: PlayerID
  public var pad: Pad
  /// Velocity and pan together.
  public var gain: PanGains
  /// The pad's level when it was hit: what `EngineAction.padLevel` changes afterwards.
  public var level: Float
  /// Sample frames per output frame: 1 plays as recorded.
  public var rate: Float
  /// Frames into the sample.
  public var startFrame: Int32
  /// Of one that goes round: it begins so many frames behind `startFrame`, in the place of what goes
  /// round on its pad. That fades into it over `Fade.seam`. 0 takes nobody's place.
  public var entryFrame: Int32 = 0
  /// Frames after which it fades; 0 is the whole sample.
  public var decayFrames: Int32
  /// Frames that it fades over once it is let go of; where that is less, `Fade.release`.
  public var releaseFrames: Int32 = 0
  /// Ends at the pad's release.
  public var isGated: Bool
  /// A kick, which ducks the channels that are ducked by kicks.
  public var isKick = false
  /// Goes round from `startFrame` to the sample's end until it is released, the end fading into what lies in front of `startFrame`;
  /// `decayFrames` means nothing then. A sample's own loop (`SampleView.loopStart`) is another matter: it goes round while a gated hit is held.
  public var isLooped: Bool
  /// Frames after which it is let go of by itself, gated or looped or neither; 0 is never: a loop's hits have no hand that holds them.
  public var holdFrames: Int32 = 0
  /// 0 is none; a start ends the bus's other pads' voices of the same group.
  public var choke: UInt8
  /// Voices that the pad may hold, 1…8: beyond it the oldest fades.
  public var voices: UInt8
  /// Which of the `Stems` it is a part of; of no meaning without them.
  public var stem: UInt16 = 0
  /// What a synthesiser makes of it; nil is a sample's. `rate`, `startFrame`, `decayFrames`, `isLooped` and `choke` mean nothing then.
  public var patch: PatchView?
  /// Of a note: above 0, at most 1. The patch says what it does.
  public var velocity: Float = 1
  /// Of a note: what is left to chance in it follows from this, so a score sounds as what was heard. Of the hit's number.
  public var seed: UInt16 = 0

  /// It goes on with what went round on its pad before.
  @inlinable public var takesOver: Bool { @_noLocks get { isLooped && entryFrame > 0 } }

  /// Whether the sample's own loop goes round as long as it is held.
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

/// What the engine tells its room: plain data.
@frozen
public enum EngineEvent: BitwiseCopyable, Sendable {
  /// The command came too late and was applied at `frame`.
  case late(sequence: UInt64, frame: Frames)
  /// A hit found no place: the queue of waiting hits is full, or so many voices fade that no more can be freed without a
  /// click. It never sounds, so the log must not hold it.
  case refused(sequence: UInt64)
}
