internal import Glibc
internal import JamCommand
internal import JamCore
internal import JamKit
internal import JamRealtime
internal import JamRoom

/// Measures how soon a server is ready, how much memory it takes while nobody plays, and whether an
/// hour of jamming makes it grow.
struct MemoryBench {
  var starts = 9
  /// Musical time, which is rendered as fast as the machine can.
  var minutes = 60

  func run() throws -> BenchReport {
    var report = BenchReport(name: "memory")
    var ready: [Double] = []
    var resident: [Double] = []
    for i in 0...starts {
      let began = HostTime.now
      let server = try TestedProgram.server()
      // The first start reads everything from disk, so it is a warm-up.
      if i > 0 { ready.append(HostTime.now.milliseconds(since: began)) }
      usleep(i == starts ? 65_000_000 : 500_000)
      if i == starts { resident = [Double(server.process.residentBytes) / 1_048_576] }
    }
    report.rows.append(BenchRow("start until ready", unit: "ms", values: ready, target: .atMost(300)))
    report.rows.append(
      BenchRow("resident, idle, its 60 s of mix kept", unit: "MiB", values: resident, target: .atMost(60)))
    report.rows.append(
      BenchRow(
        "growth over \(minutes) minutes of jamming", unit: "MiB", values: [try growth()], target: .atMost(0.5)))
    report.notes.append(
      "Growth: eight players hit, change kits, tempo and gains; measured from the fifth minute on, with every kit in"
        + " memory. What was freed is given back to the system before each look.")
    return report
  }

  /// Renders an hour on an offline clock, with the same state and engine as a live room. Such a
  /// room keeps no hits for the loops of a score.
  private func growth() throws -> Double {
    // All kits stay in memory, so that loading a kit does not count as growth.
    let kitStore = KitStore(catalogue: KitCatalogue(scanning: KitSearch.defaultFolders()), budget: .max)
    guard let first = kitStore.kits.first, let name = PlayerName("bench") else {
      throw ChildProcess.Failure(description: "there is no kit: see `bandshell kits list`")
    }
    for kit in kitStore.kits { _ = try kitStore.load(kit.id) }
    let room = OfflineRoom(name: name, kits: kitStore, firstKit: try kitStore.load(first.id), isLive: true)
    var players: [PlayerID] = []
    for i in 0..<8 { players.append(try room.player(PlayerName("player-\(i)") ?? name, at: .zero)) }
    var seed: UInt64 = 1
    func random(_ bound: UInt64) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((seed >> 33) % bound)
    }
    func resident() -> Int {
      Heap.trim()
      return ProcessMemory.resident
    }
    var early = 0
    let end = Frames.seconds(Double(minutes) * 60)
    while room.end < end {
      let now = room.end + RoomState.liveDelay
      for player in players where random(40) == 0 {
        if let pad = Pad(random(16) + 1) { room.step(.hit(pad, .full), by: player, at: now) }
      }
      if random(4_000) == 0 { room.step(.set(.tempo, .float(Float(80 + random(80)))), by: players[0], at: now) }
      if random(2_000) == 0 { room.step(.chooseKit(.next), by: players[random(8)], at: now) }
      if random(1_000) == 0 { room.step(.set(.gain, .float(Float(-random(20)))), by: players[random(8)], at: now) }
      room.go(to: room.end)
      room.render()
      room.forgetTold()
      if early == 0 && room.end >= Frames.seconds(300) { early = resident() }
    }
    return Double(max(0, resident() - early)) / 1_048_576
  }
}
