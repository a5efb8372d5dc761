public import JamCore
public import JamEngine
public import JamRealtime

/// An engine with the rings and the tape that tie it to the rest: made together, kept together.
///
/// Thread: any; immutable. Keep it until no worker pulls the engine any more.
public final class EngineParts: Sendable {
  public let engine: EngineOwner
  /// Sounds that the engine may read. Members go in order: the engine first, returning its sounds.
  let sounds = SoundKeeper()
  public let commands: RingOwner<EngineCommand>
  public let events: RingOwner<EngineEvent>
  public let tape: MixTapeOwner
  /// The parts of the mix; nil in a live room.
  let stems: StemsOwner?

  /// A room's, levelled as each room begins.
  public convenience init(limits: Limits = .standard) { self.init(limits: limits, isLevelled: true, stems: nil) }

  init(limits: Limits, isLevelled: Bool, stems: StemsOwner?) {
    // 160 ms of the busiest ingress, beyond any wake-up. As many events: any command may be late.
    commands = RingOwner(capacity: 8_192)
    events = RingOwner(capacity: 8_192)
    tape = MixTapeOwner(seconds: limits.tapeSeconds, cues: limits.cuesPerRoom)
    engine = EngineOwner(
      commands: commands, events: events, tape: tape, limits: limits, isLevelled: isLevelled,
      stems: stems)
    self.stems = stems
  }
}
