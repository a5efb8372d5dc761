internal import Glibc
internal import JamCommand
internal import JamCore
internal import JamKit
internal import JamRealtime
internal import JamRoom
internal import JamWire

/// Measures how soon kits are in memory, how much memory they take, and what changing kits costs
/// while a room plays.
struct KitsBench {
  var rounds = 7
  var voices = 256
  var changesPerMinute = 200
  /// How often to measure without changes of kits, and then with them.
  var pairs = 3
  var secondsEach = 20

  private let folders = KitSearch.defaultFolders()

  func run() throws -> BenchReport {
    var report = BenchReport(name: "kits")
    let catalogue = KitCatalogue(scanning: folders)
    guard !catalogue.kits.isEmpty else {
      throw ChildProcess.Failure(description: "there is no kit: see `bandshell kits list`")
    }
    let (seconds, bytes, resident) = try reading(catalogue)
    report.rows.append(
      BenchRow(
        "\(catalogue.kits.count) kits read, decoded and resampled", key: "kits read, decoded and resampled", unit: "s",
        values: seconds, target: .atMost(1.5)))
    report.rows.append(BenchRow("  their sounds in memory", unit: "MiB", values: [bytes]))
    report.rows.append(
      BenchRow("  resident with all of them", unit: "MiB", values: [resident], target: .atMost(160)))
    report.rows.append(
      BenchRow("a kit in memory switched", unit: "ms", values: try switching(catalogue), target: .atMost(5)))
    report.rows += try OwnSoundBench().run()
    let late = try live()
    report.rows.append(
      BenchRow("late buffers in \(secondsEach) s under \(voices) voices, without changes", unit: "", values: late.quiet)
    )
    report.rows.append(
      BenchRow("  with \(changesPerMinute) changes of kit a minute", unit: "", values: late.changing))
    report.notes.append("Reading is timed with the files in the system's cache, on one thread.")
    return report
  }

  /// Loads every kit from its files. Returns the seconds of each round, the MiB of sound, and the
  /// process's resident MiB while all kits are held.
  private func reading(_ catalogue: KitCatalogue) throws -> (seconds: [Double], bytes: Double, resident: Double) {
    var seconds: [Double] = []
    var bytes = 0.0
    var resident = 0.0
    for round in 0...rounds {
      let loader = KitLoader(catalogue: catalogue)
      let began = HostTime.now
      let kits = try catalogue.kits.map { try loader.load($0.id) }
      // The first round reads from the disk, so it is a warm-up.
      if round > 0 { seconds.append(HostTime.now.milliseconds(since: began) / 1_000) }
      bytes = Double(kits.reduce(0) { $0 + $1.byteCount }) / 1_048_576
      // The kits have to be in memory while this is measured.
      withExtendedLifetime(kits) { resident = Double(ProcessMemory.resident) / 1_048_576 }
    }
    return (seconds, bytes, resident)
  }

  /// The time from the command to the player's pads, in ms for each change.
  private func switching(_ catalogue: KitCatalogue) throws -> [Double] {
    let kitStore = KitStore(catalogue: catalogue, budget: .max)
    for kit in catalogue.kits { _ = try kitStore.load(kit.id) }
    guard let name = PlayerName("bench") else { return [0] }
    let room = OfflineRoom(name: name, kits: kitStore, firstKit: try kitStore.load(catalogue.kits[0].id))
    let player = try room.player(name, at: .zero)
    return (0..<200).map { _ in
      let began = HostTime.now
      room.step(.chooseKit(.next), by: player, at: room.end + RoomState.liveDelay)
      let time = HostTime.now.milliseconds(since: began)
      room.forgetTold()
      return time
    }
  }

  /// Late buffers of a server of its own, in pairs: without changes of kits, and with them.
  private func live() throws -> (quiet: [Double], changing: [Double]) {
    let server = try ServerUnderTest(besides: folders)
    let keeper = try VoiceKeeper(server, voices: voices)
    let changer = try BenchPlayer.joined(server, as: "changer")
    keeper.start()
    defer { keeper.stop() }
    usleep(UInt32(BenchKit.quietSeconds + 1) * 1_000_000)
    var quiet: [Double] = []
    var changing: [Double] = []
    for _ in 0..<pairs {
      quiet.append(late(server) { usleep(UInt32(secondsEach) * 1_000_000) })
      changing.append(
        late(server) {
          for n in 0..<changesPerMinute * secondsEach / 60 {
            changer.send(OSCMessage("/kit/next"))
            // The sound of the old kit continues while the next kit is loaded.
            changer.send(BenchPlayer.hit(n % 16 + 1, velocity: 0.3))
            usleep(UInt32(60_000_000 / changesPerMinute))
          }
        })
    }
    return (quiet, changing)
  }

  private func late(_ server: ServerUnderTest, during body: () -> Void) -> Double {
    let before = server.metric("late_buffers_total") ?? 0
    body()
    return (server.metric("late_buffers_total") ?? 0) - before
  }
}
