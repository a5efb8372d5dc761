package import JamCore
import JamRealtime
package import JamRoom
import JamWire

/// Plays a score in an offline room, as fast as the machine can.
///
/// Thread: any, but one at a time.
package struct ScorePlayback {
  /// Steps are carried out this long before their frame is rendered. It covers the next buffer, and
  /// the frames by which the engine is ahead of its tape.
  private static let lead = Frames(240)
  /// The longest time that sounds may ring out after the last bundle.
  private static let tail = Frames.seconds(60)

  let score: ScoreFile
  let room: OfflineRoom
  /// The room's refusals of the score's commands, each with its moment.
  package private(set) var refusals: [String] = []
  /// The clock's revisions, each with the frame from which it holds. The MIDI file needs them.
  package private(set) var maps: [(frame: Frames, map: TempoMap)]
  /// The pads of each player at the player's first hit.
  package private(set) var pads: [PlayerName: [KitPad?]] = [:]
  private var next = 0
  /// Addresses of messages that were left out and already reported.
  private var leftOut: Set<String> = []
  /// For each step, the earliest frame of this step and all later ones. A step is carried out by
  /// then, so that the order of steps stays.
  private let due: [Frames]

  package init(_ score: ScoreFile, in room: OfflineRoom) {
    self.score = score
    self.room = room
    maps = [(.zero, room.state.map)]
    var earliest = Frames(.max)
    due = score.steps.reversed().map { step in
      earliest = min(earliest, step.frame)
      return earliest
    }.reversed()
  }

  /// Renders the score from its first frame to the last one that sounds.
  /// - Parameter body: takes each buffer: 120 frames, interleaved.
  package mutating func play<Failure: Error>(
    _ body: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
  ) throws(Failure) {
    let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: Int(Frames.perBuffer) * 2)
    buffer.initialize(repeating: 0)
    defer { buffer.deallocate() }
    var silentBuffers = 0
    // The tape is behind the engine by the limiter's look-ahead, so one more buffer is rendered
    // after the last sound.
    while silentBuffers < 2 && room.end < score.end + ScorePlayback.tail {
      step(until: room.end + ScorePlayback.lead)
      room.render(into: buffer)
      listen()
      try body(UnsafeBufferPointer(buffer))
      // Released notes ring out, and so do the filter and the limiter.
      let isOver = next == score.steps.count && !room.isSounding && UnsafeBufferPointer(buffer).isSilent
      silentBuffers = isOver ? silentBuffers + 1 : 0
    }
  }

  private mutating func step(until end: Frames) {
    while next < score.steps.count, due[next] < end {
      let step = score.steps[next]
      next += 1
      if step.number == nil, case .command(let command) = step.action, command.needsLiveRoom {
        note(leftOut: step)
      }
      do throws(Refusal) {
        try room.play(step.action, by: step.player, at: step.frame, number: step.number)
      } catch {
        refusals.append("\(Seconds.text(step.frame)): \(step.message.address): \(error.words)")
      }
      if step.isHit, pads[step.player] == nil { pads[step.player] = room.pads(of: step.player) }
      let map = room.state.map
      if map.memory !== maps[maps.count - 1].map.memory { maps.append((step.frame, map)) }
    }
  }

  /// Reports a command that is left out. The score also contains the hits that the command caused,
  /// with their numbers, so the command itself is not carried out.
  private mutating func note(leftOut step: ScoreFile.Step) {
    guard leftOut.insert(step.message.address).inserted else { return }
    refusals.append(
      """
      \(Seconds.text(step.frame)): \(step.message.address): left out, \
      for a score holds what came of it; bandshell render --live plays it
      """
    )
  }

  private mutating func listen() {
    for case .refused(_, let refusal) in room.takeTold() {
      refusals.append("\(Seconds.text(room.end)): \(refusal.words)")
    }
  }
}

extension UnsafeBufferPointer<Float> {
  /// Whether all frames would be zero in 24 bits.
  package var isSilent: Bool { allSatisfy { abs($0) < 0x1p-24 } }
}

extension ScoreFile.Step {
  fileprivate var isHit: Bool {
    switch action {
    case .command(.hit), .command(.loopHit): true
    default: false
    }
  }
}

extension Command {
  /// Whether only a live room decides how the command sounds: a loop, a lane, a build-up, an undo.
  fileprivate var needsLiveRoom: Bool {
    switch self {
    case .loop, .recordNow, .catchPlayed, .deleteLayer, .borrow, .returnLayer, .lane, .moveSlot,
      .swapSlots, .undo, .redo, .roomUndo, .roomRedo, .takeBackAll, .buildUp, .drop, .cancelBuildUp, .launchScene,
      .keepScene, .groupEdits, .saveBlock, .copyBlock, .setBlockStep, .project, .takePart, .take,
      .groove, .replaceGroove:
      true
    case .set(let setting, _), .toggle(let setting):
      switch setting {
      case .step, .steps, .padSteps, .laneSlot, .layerMute, .layerGain, .groove: true
      default: false
      }
    default: false
    }
  }
}
