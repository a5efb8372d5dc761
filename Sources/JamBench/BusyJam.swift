internal import JamCommand
internal import JamCore
internal import JamRoom

/// A room that is as busy as most rooms are. Every player has a loop of two layers, hits by hand,
/// and changes a setting now and then.
///
/// Thread: the room's.
struct BusyJam {
  let room: SteppedRoom
  private var seed: UInt64
  private let script: LoopScript

  private static let handHitsPerSecond = 2.75
  private static let secondsPerEdit = 2.0

  init(_ thread: RoomThread, kit: PlayableKit, players: Int, seed: UInt64) throws {
    room = try SteppedRoom(thread, kit: kit, players: players)
    script = LoopScript(players: players, layers: 2)
    self.seed = seed &* 2_654_435_761 &+ 1
  }

  /// Records the loops.
  func begin() {
    room.play(script.lines)
    room.run(until: script.end, isSilent: true)
  }

  /// Continues the jam.
  mutating func run(until end: Frames, isSilent: Bool = false) {
    while room.now < end {
      for player in room.players.indices {
        if chance(perSecond: BusyJam.handHitsPerSecond) {
          send(.hit(Pad.all[8 + random(8)], Velocity(0.2 + Float(random(8)) / 10) ?? .full), by: player)
        }
        if chance(perSecond: 1 / BusyJam.secondsPerEdit) { send(edit(), by: player) }
      }
      room.run(until: room.now + .buffer, isSilent: isSilent)
    }
  }

  private func send(_ command: Command, by player: Int) {
    room.receive(LoopScript.Line(moment: Moment(arrival: room.now), player: player, command: command))
  }

  private mutating func edit() -> Command {
    let pad = Pad.all[random(Pad.count)]
    return switch random(8) {
    case 0: .set(.pad(.pan, pad), .float(Float(random(21)) / 10 - 1))
    case 1: .set(.pad(.decay, pad), .float(Float(random(400))))
    case 2: .set(.layerGain(1 + random(2)), .float(-Float(random(12))))
    case 3: .undo
    case 4: .redo
    case 5: .resetPad(pad)
    default: .set(.pad(.gain, pad), .float(-Float(random(24))))
    }
  }

  private mutating func chance(perSecond rate: Double) -> Bool {
    Double(random(1 << 30)) < Double(1 << 30) * rate * Frames.buffer.seconds
  }

  private mutating func random(_ bound: Int) -> Int {
    seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((seed >> 33) % UInt64(bound))
  }
}

/// Measures how much memory an hour of a busy room leaves behind.
struct LoopHour {
  var players: Int
  var minutes: Int

  /// - Returns: by how many MiB the process's resident memory has grown at the end.
  func run() throws -> Double {
    try RoomThread.running { thread in
      var jam = try BusyJam(thread, kit: LoopKit.make(), players: players, seed: 1)
      let before = ProcessMemory.resident
      jam.begin()
      jam.run(until: jam.room.now + .seconds(Double(minutes) * 60), isSilent: true)
      return Double(max(0, ProcessMemory.resident - before)) / 1_048_576
    }
  }
}
