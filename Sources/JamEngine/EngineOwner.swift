public import JamCore
public import JamRealtime

/// Keeps one engine at a fixed address, for the worker that renders it and for everybody who reads
/// its status.
///
/// Thread: any; not real-time safe. The worker must have let go of `engine` before the last
/// reference goes. Sounds that the engine still holds are released then.
public final class EngineOwner: @unchecked Sendable {
  // Unchecked: the pointers never change, and only one worker at a time uses `engine`.

  /// For the worker alone: `owner.engine.pointee.render()`.
  public let engine: UnsafeMutablePointer<Engine>
  /// For everybody, as long as the owner lives.
  public let status: EngineStatus
  // Kept, because the engine reads the rings until it ends.
  private let commands: RingOwner<EngineCommand>
  private let events: RingOwner<EngineEvent>
  private let tape: MixTapeOwner
  private let stems: StemsOwner?

  /// - Parameters:
  ///   - commands: from the room.
  ///   - events: to the room. The engine takes only as many commands as it could report as late. So
  ///     make this ring as large as `commands`, and empty it at least as often as you fill
  ///     `commands`.
  ///   - tape: receives the mix and the click.
  ///   - limits: voices, waiting hits and players.
  ///   - isLevelled: the sum of the channels is kept at −14 LUFS; `EngineAction.leveller` changes
  ///     that.
  ///   - stems: receives the parts of the mix; nil in a live room.
  public init(
    commands: RingOwner<EngineCommand>, events: RingOwner<EngineEvent>, tape: MixTapeOwner, limits: Limits = .standard,
    isLevelled: Bool = false, stems: StemsOwner? = nil
  ) {
    self.commands = commands
    self.events = events
    self.tape = tape
    self.stems = stems
    status = EngineStatus(limits: limits)
    engine = .allocate(capacity: 1)
    engine.initialize(
      to: Engine(
        commands: commands.ring, events: events.ring, tape: tape.tape, status: status, limits: limits,
        isLevelled: isLevelled, stems: stems?.stems))
  }

  deinit {
    engine.deinitialize(count: 1)
    engine.deallocate()
    status.deallocate()
  }
}
