import JamCore
import JamEngine
import JamRealtime

@testable import JamRoom

/// A room in which one player plays, to compare what comes of it: the engine's commands, the log
/// and the lights, or the samples.
final class FuzzStage {
  private let carrier: EffectCarrier
  private let commands = RingOwner<EngineCommand>(capacity: 8_192)
  private let events = RingOwner<EngineEvent>(capacity: 8_192)
  /// Nil where nobody listens.
  private let parts: EngineParts?
  private var player: PlayerID?
  private var now = Frames(1_000)
  /// Of the last tick.
  private var ticked = Frames.zero
  private var lines: [(frame: Frames, pad: Int, order: Int, text: String)] = []
  private(set) var starts = 0
  /// The mix from where somebody plays on.
  private(set) var samples: [Float] = []

  init(_ kits: FuzzKits, _ settings: [Command], isHeard: Bool = false) {
    let state = RoomState(
      name: PlayerName("main")!, kits: kits.listed, firstKit: kits.lasting,
      anchor: ClockAnchor(origin: HostTime(nanoseconds: 0)), hostWord: "word")
    if isHeard {
      let parts = EngineParts()
      self.parts = parts
      carrier = EffectCarrier(state, to: parts)
    } else {
      parts = nil
      carrier = EffectCarrier(state, commands: commands.ring, events: events.ring)
    }
    carrier.state.begin()
    carryOut()
    player = try? carrier.state.join(
      PlayerName("ann")!, token: "ann", isHost: true, at: Moment(arrival: now))
    carryOut()
    for command in settings { step(command, at: Moment(arrival: now)) }
    lines = []
  }

  /// What is sent, in the order of its arrival; then everything rings out.
  func play(_ messages: [(command: Command, moment: Moment)]) {
    for (command, moment) in messages {
      go(to: moment.arrival)
      step(command, at: moment)
    }
    go(to: FuzzSchedule.end)
  }

  private func step(_ command: Command, at moment: Moment) {
    guard let player else { return }
    carrier.state.step(command, by: player, at: moment)
    carryOut()
  }

  private func go(to end: Frames) {
    while true {
      // Once for each frame: what is sent then is carried out before.
      let next = max(now, ticked + Frames(1), carrier.state.nextDeadline)
      guard next < end else { break }
      (now, ticked) = (next, next)
      render()
      carrier.state.tick(at: now)
      carryOut()
    }
    now = max(now, end)
    render()
  }

  /// A buffer is rendered when its first frame is due.
  private func render() {
    guard let parts else { return }
    let count = Int(Frames.perBuffer)
    var buffer = [Float](repeating: 0, count: 2 * count)
    while parts.tape.tape.end < now {
      let start = parts.tape.tape.end
      parts.engine.engine.pointee.render()
      carrier.hearEngine()
      carrier.letGo()
      carryOut()
      guard start >= FuzzSchedule.begin - .seconds(1) else { continue }
      let isThere = buffer.withUnsafeMutableBufferPointer {
        parts.tape.tape.read($0.baseAddress!, from: start, count: count)
      }
      if isThere { samples += buffer }
    }
  }

  private func carryOut() {
    while !carrier.state.outbox.effects.isEmpty {
      carrier.carryOut { take($0) }
      guard parts == nil else { continue }
      while let command = commands.ring.pop() { take(command) }
    }
  }

  private func take(_ command: EngineCommand) {
    var pad = 0
    var text = "\(command.action)"
    switch command.action {
    case .start(let start):
      starts += 1
      pad = Int(start.pad.number)
      text =
        "start \(pad) \(start.gain.left) \(start.velocity) \(start.level) \(start.rate) \(start.isGated) "
        + "\(start.isLooped) \(start.holdFrames) \(start.choke) \(start.voices) of \(start.sample.frameCount)"
    case .release(_, let released), .keyBend(_, let released, _), .keyHeight(_, let released, _):
      pad = Int(released.number)
    case .tempoMap: text = "clock"
    default: break
    }
    note("engine \(text)", at: command.frame, pad: pad)
    command.action.use?.release()
  }

  private func take(_ effect: Effect) {
    guard parts == nil else { return }
    switch effect {
    case .log(let entry): note("log \(entry.action.withoutNumber)", at: entry.frame, pad: entry.action.pad)
    case .tell(.value(.padLit(let pad), let value), _): note("lit \(value)", at: now, pad: Int(pad.number))
    case .tell(.noteOff(_, let note), _): self.note("off", at: now, pad: note)
    case .tell(let event, _):
      switch event {
      case .hit, .note, .receipt, .refused: note("\(event)", at: now, pad: 0)
      default: break
      }
    default: break
    }
  }

  private func note(_ text: String, at frame: Frames, pad: Int) {
    lines.append((frame, pad, pad > 0 ? lines.count : 0, text))
  }

  /// Of one frame, what is on one pad keeps its order: what lies on others may have been sent
  /// earlier.
  private var sorted: [String] {
    lines.sorted { ($0.frame, $0.pad, $0.order, $0.text) < ($1.frame, $1.pad, $1.order, $1.text) }
      .map { "\($0.frame.count) \($0.text)" }
  }

  /// The first lines that differ.
  func difference(from other: FuzzStage) -> [String] {
    let (own, others) = (sorted.filter(FuzzStage.isLasting), other.sorted.filter(FuzzStage.isLasting))
    guard own != others else { return [] }
    let index = zip(own, others).prefix { $0 == $1 }.count
    func line(_ lines: [String]) -> String { index < lines.count ? lines[index] : "nothing" }
    return ["untagged it is \(line(own)), tagged \(line(others))"]
  }

  /// A receipt says when a hit is known to sound, which may be earlier.
  private static func isLasting(_ line: String) -> Bool { !line.contains("receipt") }
}

extension LogAction {
  /// A loop's hit names the number of what it repeats, which hangs on the order of sending.
  fileprivate var withoutNumber: String {
    if case .command(.loopHit(let layer, _, let hold, let gain)) = self { return "loop \(layer) \(hold) \(gain)" }
    return "\(self)"
  }

  fileprivate var pad: Int {
    guard case .command(let command) = self else { return 0 }
    return switch command {
    case .hit(let pad, _, _), .release(let pad): Int(pad.number)
    default: 0
    }
  }
}
