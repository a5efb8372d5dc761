internal import JamCore
internal import JamEngine
internal import JamRealtime

/// One player's part of what a room played, ready to be rendered again.
///
/// It holds its hits' sounds, and counts each as it goes to the engine.
/// Thread: one at a time; made on the room's.
final class EnginePart: @unchecked Sendable {
  // Unchecked: handed from the room's thread to the one that renders it.
  private let range: Range<Frames>
  private let base: [EngineAction]
  private let clock: TempoMap
  /// By number; those before `sent` are the engine's.
  private var commands: [EngineCommand] = []
  private var sounds: [PlayableSound] = []
  private var sent = 0

  /// - Parameters:
  ///   - base: how the controls stand before the first command.
  ///   - clock: of the room, for what goes by the beat.
  init(range: Range<Frames>, base: [EngineAction], clock: TempoMap) {
    self.range = range
    self.base = base
    self.clock = clock
  }

  var hitCount: Int { commands.count { if case .start = $0.action { true } else { false } } }

  func append(_ command: EngineCommand, reads sound: PlayableSound?) {
    commands.append(command)
    if let sound, !sounds.contains(where: { $0 === sound }) { sounds.append(sound) }
  }

  /// The player's sound in the range, through the room's whole signal path: interleaved stereo.
  /// - Thread: any that may wait: about a hundredth of the time since the first hit still sounding.
  func render() -> [Float] {
    RealtimeThread.flushDenormals()
    var limits = Limits.standard
    limits.tapeSeconds = 2
    // As its channel had it: the number of others who played then is no part of it.
    let parts = EngineParts(limits: limits, isLevelled: false, stems: nil)
    // On the room's own raster, so that what glides falls on the same frames.
    let first = min(range.lowerBound, commands.lazy.map(\.frame).min() ?? range.lowerBound)
    let origin = Frames(max(0, first.count - Engine.latency.count) / Frames.perBuffer * Frames.perBuffer)
    let clock = clock.moved(by: .zero - origin)
    defer { withExtendedLifetime(clock) {} }
    let map = EngineAction.tempoMap(clock.view, revision: 1)
    for (index, action) in ([map] + base).enumerated() {
      parts.commands.ring.push(EngineCommand(sequence: UInt64(index), frame: .zero, action: action))
    }
    let due = EnginePart.due(commands)
    var sound: [Float] = []
    sound.reserveCapacity(Int((range.upperBound - range.lowerBound).count) * 2)
    let buffer = UnsafeMutablePointer<Float>.allocate(capacity: Int(Frames.perBuffer) * 2)
    defer { buffer.deallocate() }
    let tape = parts.tape.tape
    while tape.end + origin < range.upperBound {
      let start = tape.end
      send(until: start + origin + EnginePart.lead, due, origin: origin, to: parts.commands.ring)
      parts.engine.engine.pointee.render()
      while parts.events.ring.pop() != nil {}
      guard tape.read(buffer, from: start, count: Int(Frames.perBuffer)) else { continue }
      for frame in 0..<Int(Frames.perBuffer) where range.contains(start + origin + Frames(Int64(frame))) {
        sound.append(buffer[frame * 2])
        sound.append(buffer[frame * 2 + 1])
      }
    }
    return sound
  }

  /// The buffer that is rendered next, and what the engine is ahead of its tape.
  private static let lead = Frames(240)

  /// Each command's latest time: the first frame of it or any later one. Commands keep their order.
  private static func due(_ commands: [EngineCommand]) -> [Frames] {
    var earliest = Frames(.max)
    return commands.reversed().map { command in
      earliest = min(earliest, command.frame)
      return earliest
    }.reversed()
  }

  private func send(until end: Frames, _ due: [Frames], origin: Frames, to ring: Ring<EngineCommand>) {
    while sent < commands.count, due[sent] < end {
      var command = commands[sent]
      command.frame = max(.zero, command.frame - origin)
      command.action.use?.retain()
      guard ring.push(command) else {
        command.action.use?.release()
        return
      }
      sent += 1
    }
  }
}
