internal import JamCommand
internal import JamCore
internal import JamEngine
internal import JamKit
internal import JamRealtime
internal import JamRoom

/// Measures how long an undo takes, in a room full of loops, after many edits of every kind.
struct UndoBench {
  var players: Int
  var layers: Int
  var edits: Int

  /// - Returns: the CPU time of each `/undo` back to the first edit, in ms.
  func run() throws -> [Double] {
    let kitStore = KitStore(catalogue: KitCatalogue(scanning: KitSearch.defaultFolders()), budget: .max)
    guard let first = kitStore.kits.first else {
      throw ChildProcess.Failure(description: "there is no kit: see `bandshell kits list`")
    }
    for kit in kitStore.kits { _ = try kitStore.load(kit.id) }
    let room = OfflineRoom(
      name: try PlayerName.bench("room"), kits: kitStore, firstKit: try kitStore.load(first.id), isLive: true)
    let ids = try (0..<players).map { try room.player(PlayerName.bench("player\($0)"), at: .zero) }
    func step(_ command: Command, by player: Int, at frame: Frames) {
      room.step(command, by: ids[player], at: frame)
      // Nothing is rendered, so the commands on the ring are thrown away.
      while let command = room.parts.commands.ring.pop() { command.action.use?.release() }
    }
    let script = LoopScript(players: players, layers: layers)
    for line in script.lines {
      step(line.command, by: line.player, at: line.moment.tagged ?? line.moment.arrival)
      room.forgetTold()
    }
    var now = script.end + .seconds(1)
    for edit in 0..<edits {
      // The edits are further apart in time than the moves of one fader, so that each is an edit of
      // its own.
      now += .seconds(1)
      step(command(edit), by: 0, at: now)
      room.forgetTold()
    }
    var refused = false
    let times = (0..<edits).map { _ in
      now += .milliseconds(100)
      let began = ThreadTime.nanoseconds
      step(.undo, by: 0, at: now)
      let time = Double(ThreadTime.nanoseconds - began) / 1e6
      refused = refused || room.hasRefused
      room.forgetTold()
      return time
    }
    // Changes of kit are among the edits. The first kit is back only if all of them were undone.
    guard !refused, room.state[ids[0]]?.kitID == first.id else {
      throw ChildProcess.Failure(description: "not every edit could be taken back")
    }
    return times
  }

  private func command(_ n: Int) -> Command {
    let pad = Pad.all[n * 7 % Pad.count]
    let layer = 1 + n / 8 % layers
    return switch n % 8 {
    case 0: .chooseKit(.next)
    case 1: .set(.pad(.gain, pad), .float(-Float(n % 24)))
    case 2: .set(.pad(.pan, pad), .float(Float(n % 21) / 10 - 1))
    case 3: .browseSample(pad, 1)
    case 4: .set(.layerGain(layer), .float(-Float(n % 12)))
    case 5: .set(.layerMute(layer), .bool(n / 64 % 2 == 0))
    case 6: .set(.pad(.transpose, pad), .float(Float(n % 25) - 12))
    default: .resetPad(pad)
    }
  }
}

extension OfflineRoom {
  /// Whether the room has refused a command.
  fileprivate var hasRefused: Bool {
    told.contains { if case .refused = $0 { true } else { false } }
  }
}
