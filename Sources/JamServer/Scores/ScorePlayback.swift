package import JamCore
import JamRealtime
package import JamRoom
import JamWire

/// Plays a score in an offline room, as fast as the machine can.
///
/// Thread: one at a time.
package struct ScorePlayback {
  /// One buffer that is rendered next, and what the engine is ahead of its tape: steps are carried out before their frame is reached.
  private static let lead = Frames(240)
  /// How long a sound may go on after the last bundle.
  private static let tail = Frames.seconds(60)

  let score: ScoreFile
  let room: OfflineRoom
  /// What a room said to the score's commands, with the moment.
  package private(set) var refusals: [String] = []
  /// The clock's revisions, each with the frame from which it held: for the MIDI file.
  package private(set) var maps: [(frame: Frames, map: TempoMap)]
  /// The pads that each player hit first.
  package private(set) var pads: [PlayerName: [KitPad?]] = [:]
  private var next = 0
  /// Addresses that were told to be left out.
  private var leftOut: Set<String> = []
  /// For each step, the first frame that it or any later one is for: by then it must have been carried out, in its turn.
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

  /// Renders the score from its first frame to the last that sounds.
  /// - Parameter body: takes each buffer: 120 frames, interleaved.
  package mutating func play<Failure: Error>(
    _ body: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
  ) throws(Failure) {
    let count = Int(Frames.perBuffer)
    let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: count * 2)
    buffer.initialize(repeating: 0)
    defer { buffer.deallocate() }
    var silentBuffers = 0
    // One more buffer after the last sound: the tape follows the engine by the limiter's look-ahead.
    while silentBuffers < 2 && room.end < score.end + ScorePlayback.tail {
      step(until: room.end + ScorePlayback.lead)
      let start = room.end
      room.render()
      listen()
      let isThere = room.parts.tape.tape.read(buffer.baseAddress!, from: start, count: count)
      precondition(isThere, "the buffer that was just rendered is on the tape")
      try body(UnsafeBufferPointer(buffer))
      // What was let go of, and what the filter and the limiter still hold, rings out.
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

  /// A score says what came of it beside it, with numbers; by itself it is silent.
  private mutating func note(leftOut step: ScoreFile.Step) {
    guard leftOut.insert(step.message.address).inserted else { return }
    refusals.append(
      "\(Seconds.text(step.frame)): \(step.message.address): left out, for a score holds what came of it; bandshell render --live plays it"
    )
  }

  private mutating func listen() {
    for case .refused(_, let refusal) in room.takeTold() {
      refusals.append("\(Seconds.text(room.end)): \(refusal.words)")
    }
  }
}

extension UnsafeBufferPointer<Float> {
  /// Nothing of it would be left in 24 bits.
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
  /// What it sounds like is decided by a live room: a loop, a lane, a build-up, an undo.
  fileprivate var needsLiveRoom: Bool {
    switch self {
    case .loop, .deleteLayer, .lane, .moveSlot, .swapSlots, .undo, .redo, .roomUndo, .roomRedo, .buildUp, .drop,
      .cancelBuildUp, .launchScene, .keepScene, .groupEdits, .saveBlock, .copyBlock, .setBlockStep, .project, .takePart,
      .take:
      true
    case .set(let setting, _), .toggle(let setting):
      switch setting {
      case .step, .steps, .padSteps, .laneSlot, .layerMute, .layerGain: true
      default: false
      }
    default: false
    }
  }
}
