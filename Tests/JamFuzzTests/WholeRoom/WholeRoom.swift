import JamCore

@testable import JamRoom
@testable import JamStore

/// A whole jam by its number: players, network, room, journal and disk, in one thread.
///
/// The number decides everything: the same number gives the same jam. A server that is killed comes
/// back from its disk, and its players come back to it. `WholeRoom+End.swift` and
/// `WholeRoom+Restart.swift` say what must hold then.
final class WholeRoom {
  let number: Int
  let kits: RandomKits
  var dice: Dice
  /// In frames since the jam began.
  private(set) var now = Frames(1)
  private let end: Frames
  var server: JamServer
  let disk: JamDisk
  private var network: SimulatedNetwork
  private var clients: [JamClient]
  private var nextKill: Frames
  private var nextKit: Frames
  private var steps = 0
  /// The music with which each player began.
  var begins: [PlayerName: Begin] = [:]
  /// What does not hold. The jam ends with the first.
  private(set) var problems: [String] = []
  private(set) var starts = 1
  private(set) var report = Report()

  /// What a player can take back, as it was when it came.
  struct Begin {
    private let whole, unmuted: RoomDigest

    init(_ player: Player) {
      whole = RoomDigest(editsOf: player)
      unmuted = RoomDigest(editsOf: player, withMutes: false)
    }

    /// - Parameter mutes: false where scenes were launched, which mute pads and are no edits.
    /// - Returns: what is other in `player`.
    func differences(in player: Player, mutes: Bool) -> [String] {
      RoomDigest(editsOf: player, withMutes: mutes).differences(from: mutes ? whole : unmuted)
    }
  }

  /// What a jam was, to be compared with the same jam played again.
  struct Report: Equatable, CustomStringConvertible {
    var fingerprint = Fingerprint()
    var commands = 0
    var refused = 0
    var entries = 0
    var voices = 0
    var kills = 0
    var syncs = 0
    var failures = 0
    var undone = 0
    var packets = 0
    var lost = 0
    /// Images that a disk lost although it had said that it has them.
    var lied = 0

    var description: String {
      "\(commands) commands, \(refused) refused, \(entries) log entries, \(voices) voices, \(kills) kills, "
        + "\(syncs) syncs, \(failures) failures of the disk, \(lied) images lied about, \(undone) edits undone, "
        + "\(lost) of \(packets) packets lost, \(fingerprint)"
    }
  }

  init(_ number: Int, seconds: Double, kits: RandomKits) throws {
    self.number = number
    self.kits = kits
    dice = Dice(seed: number)
    end = .seconds(seconds)
    network = SimulatedNetwork(dice.one(of: SimulatedNetwork.Weather.allCases))
    clients = RandomRoom.names.enumerated().map { JamClient($1, from: Frames(Int64(1 + $0 * 4_000))) }
    disk = try JamDisk(
      dice.one(of: JamDisk.Speed.allCases), seed: dice.below(1 << 30),
      faults: dice.below(3) == 0 ? 1 + dice.below(8) : 0)
    server = JamServer(
      kits, without: [], nil, tempo: Tempo(clamping: Double(100 + dice.below(141))), at: .zero,
      delay: Frames(Int64(dice.below(3) * 2_500)))
    nextKill = .seconds(2 + Double(dice.below(Int(min(seconds, 90)))))
    nextKit = .seconds(Double(1 + dice.below(20)))
  }

  /// Plays the jam to its end.
  /// - Returns: what did not hold, each with the jam's number.
  func play() -> [String] {
    while problems.isEmpty, now < end { step() }
    if problems.isEmpty { finish() }
    note(server)
    report.fingerprint.add(disk.bytes)
    (report.packets, report.lost) = (network.sent, network.lost)
    return problems
  }

  /// Notes what does not hold.
  func fail(_ found: [String], _ what: String) {
    for problem in found.prefix(3) { problems.append("jam \(number), step \(steps), \(what): \(problem)") }
  }

  /// The life of a server is over.
  func note(_ server: JamServer) {
    // The engine's commands say what the lines did.
    for entry in server.room.log { report.fingerprint.add("\(entry.sequence) \(entry.frame.count) \(entry.player)") }
    for command in server.room.engine { report.fingerprint.add(command) }
    report.commands += server.commands
    report.refused += server.refused
    report.entries += server.room.log.count
    report.voices += server.voices.starts
    report.syncs += Int(disk.syncCount)
    report.failures += Int(disk.failures)
  }

  // MARK: Time

  private func step() {
    steps += 1
    let next = min(
      network.next ?? Frames(.max), clients.map(\.next).min() ?? end, min(server.keepDue, disk.next),
      min(nextKill, nextKit, end))
    now = max(now, next)
    server.go(to: now)
    keep()
    while problems.isEmpty, let packet = network.receive(at: now) { receive(packet) }
    for client in clients.indices where clients[client].next <= now {
      let bytes = clients[client].send(at: now, server: server.frame(at: now), clock: JamServer.clock, &dice)
      if let bytes { network.send(bytes, from: client, at: now, &dice) }
    }
    if nextKit <= now { changeKits() }
    if nextKill <= now { restart() }
  }

  /// The journal's threads take what they are handed on, and do what is due.
  func keep() {
    if let image = server.takeImage() { disk.put(image, at: now, &dice) }
    if disk.next <= now { disk.goOn(at: now, &dice) }
  }

  /// Goes on without the clients.
  /// - Parameter keeps: false lets the journal rest, which is dear, and which nobody reads any more.
  func go(on frames: Frames, keeps: Bool = true) {
    let until = now + frames
    guard keeps else {
      now = until
      return server.go(to: now)
    }
    while now < until {
      now = min(until, max(now + Frames(1), min(server.keepDue, disk.next)))
      server.go(to: now)
      keep()
    }
  }

  private func receive(_ packet: SimulatedNetwork.Packet) {
    let name = clients[packet.client].name
    let state = server.room.state
    let goesOn = state.roster.gone(name) != nil
    // Who has left a loop goes on with its edits, too.
    let found = server.receive(packet.bytes, from: name, at: packet.due) { id in
      if !goesOn, let player = server.room.state[id] { begins[name] = Begin(player) }
    }
    fail(found, "a packet of \(name)")
    check("a packet of \(name)")
  }

  /// What holds at any time.
  func check(_ what: String) {
    let room = server.room
    let broken = room.state.broken(readsAll: steps % 24 == 0) + room.problems.prefix(1)
    // Hits that another swing has moved come once, as planned before it.
    let isSwung = room.now - server.swung < Frames(24_000)
    fail(broken.filter { !(isSwung && $0.contains("hits of loops")) }, "\(what), after \(server.last)")
  }

  // MARK: What happens

  private func changeKits() {
    nextKit = now + .seconds(Double(5 + dice.below(40)))
    let kit = dice.one(of: ["two", "three"])
    if dice.below(2) == 0 { server.kitComes(kit) } else { server.kitGoes(kit) }
    if dice.below(6) == 0, let id = server.player(dice.one(of: RandomRoom.names)) { server.room.disconnect(id) }
    check("kits")
  }

  /// A disk that lies begins to do so some seconds before the power goes.
  private func restart() {
    if !isDoomed, dice.below(4) == 0 {
      isDoomed = true
      disk.beginLying()
      nextKill = now + .seconds(Double(1 + dice.below(10)))
      return
    }
    isDoomed = false
    nextKill = now + .seconds(Double(4 + dice.below(120)))
    note(server)
    report.kills += 1
    comeBack(isKill: dice.below(2) == 0)
  }

  private var isDoomed = false

  func noteLied(_ images: Int) { report.lied += images }
  func noteUndone(_ edits: Int) { report.undone += edits }
}
