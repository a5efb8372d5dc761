import JamCore
import JamRealtime
import JamRoom
import JamWire

/// Plays a script in an offline room that decides as a live one does: loops go round, build-ups
/// rise, quantised hits wait for their lines.
///
/// Thread: any, but one at a time.
struct LivePlayback {
  /// The longest time that sounds may ring out after the last line.
  private static let tail = Frames.seconds(60)
  /// The bars that are rendered after the last line of a script that has no end of its own, and
  /// whose loops go round.
  static let barsBehind = 4

  let script: LiveScript
  let room: OfflineRoom
  /// The room's refusals of the script's commands, each with its moment.
  private(set) var refusals: [String] = []
  /// The clock's revisions, each with the frame from which it holds. The MIDI file needs them.
  private(set) var maps: [(frame: Frames, map: TempoMap)]
  /// The players, in the order in which they came.
  private(set) var players: [PlayerName] = []
  /// A loop went round, and the script named no end, so the rendering was cut off.
  private(set) var isCut = false
  private(set) var end = Frames.zero
  /// The pads of each player at the end.
  var pads: [PlayerName: [KitPad?]] {
    Dictionary(uniqueKeysWithValues: players.compactMap { name in room.pads(of: name).map { (name, $0) } })
  }
  private var next = 0

  init(_ script: LiveScript, in room: OfflineRoom) {
    self.script = script
    self.room = room
    maps = [(.zero, room.state.map)]
  }

  /// Renders the script from its first frame to its end.
  /// - Parameter body: takes each buffer: 120 frames, interleaved.
  mutating func play<Failure: Error>(
    _ body: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
  ) throws(Failure) {
    let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: Int(Frames.perBuffer) * 2)
    buffer.initialize(repeating: 0)
    defer { buffer.deallocate() }
    var silentBuffers = 0
    var last: Frames?
    while silentBuffers < 2, room.end < .seconds(86_400) {
      step(until: room.end)
      room.go(to: room.end)
      noteMap()
      if next == script.lines.count {
        let over = last ?? over(at: room.end)
        last = over
        if let over, room.end >= over { break }
      }
      room.render(into: buffer)
      listen()
      try body(UnsafeBufferPointer(buffer))
      // Where the script names an end, the rendering goes on until then, even through silence.
      let isOver =
        script.end == nil && next == script.lines.count && !room.isSounding && !room.state.goesRound
        && UnsafeBufferPointer(buffer).isSilent
      silentBuffers = isOver ? silentBuffers + 1 : 0
    }
    end = room.end
  }

  /// The frame at which the rendering ends at the latest. Nil where loops go round, but no bar
  /// comes, because the transport stands.
  private mutating func over(at now: Frames) -> Frames? {
    if let end = script.end { return frame(of: end) ?? now }
    guard room.state.goesRound else { return now + LivePlayback.tail }
    isCut = true
    return room.state.frame(ofBars: LivePlayback.barsBehind, after: now)
  }

  /// - Returns: nil where the transport stands, so that no bar comes.
  private func frame(of time: LiveScript.Time) -> Frames? {
    switch time {
    case .seconds(let frame): frame
    case .bar(let bar, let beat): room.state.frame(ofBar: bar, beat: beat)
    }
  }

  private mutating func step(until now: Frames) {
    while next < script.lines.count {
      let line = script.lines[next]
      guard let frame = frame(of: line.time) else {
        refusals.append("\(Seconds.text(now)): \(line.address): its bar never comes, for the transport stands")
        next += 1
        continue
      }
      // A live command takes effect one constant delay after its arrival. So the line arrives that
      // much earlier.
      let arrival = frame - RoomState.liveDelay
      guard arrival <= now else { return }
      next += 1
      room.go(to: arrival)
      noteMap()
      carryOut(line, at: max(frame, now))
    }
  }

  private mutating func carryOut(_ line: LiveScript.Line, at frame: Frames) {
    do throws(Refusal) {
      let id = try room.player(line.player, at: frame)
      // A player who left and came back is the same player.
      if !players.contains(line.player) { players.append(line.player) }
      switch line.action {
      case .command(let command): room.step(command, by: id, at: frame)
      case .rename(let name): room.rename(id, to: name, at: frame)
      case .join, .leave: break
      }
      listen(line.address)
      noteMap()
    } catch {
      refusals.append("\(Seconds.text(frame)): \(line.address): \(error.words)")
    }
  }

  private mutating func noteMap() {
    let map = room.state.map
    if map.memory !== maps[maps.count - 1].map.memory { maps.append((room.end, map)) }
  }

  private mutating func listen(_ address: String = "") {
    for case .refused(_, let refusal) in room.takeTold() {
      refusals.append("\(Seconds.text(room.end)): \(address.isEmpty ? "" : "\(address): ")\(refusal.words)")
    }
  }
}
