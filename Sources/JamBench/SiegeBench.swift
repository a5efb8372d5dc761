internal import Glibc
internal import JamCommand
internal import JamCore
internal import JamRealtime
internal import JamWire

/// Checks whether a player is heard in time while others send far too much from other addresses.
/// One kind of flood follows the other, and one round is without a flood. The server is a process
/// of its own.
///
/// The player's sound comes from the recorded mix, `/last.wav`. Hits with timetags, which sound
/// exactly on their frames, give the recording's place in time.
struct SiegeBench {
  var seconds = 10.0
  /// The seconds between two hits of the player.
  var interval = 0.1

  private static let delayMilliseconds = 5.0
  private static let boundMilliseconds = 5.0

  func run() throws(ChildProcess.Failure) -> BenchReport {
    var report = BenchReport(name: "siege")
    let server = try ServerUnderTest()
    let player = try BenchPlayer.joined(server, as: "player")
    guard let clock = player.serverClock() else { throw ChildProcess.Failure(description: "no answer to /ping") }
    for weapon in [nil] + SiegeWeapon.allCases.map(Optional.some) {
      let before = server.process.cpuSeconds
      let round = try round(weapon, server, player, clock)
      let flood = weapon?.rawValue ?? "nothing"
      let rate = weapon == nil ? "" : ", \(BenchReport.number(round.perSecond)) a second sent"
      report.rows += [
        BenchRow(
          "\(flood)\(rate): hits not heard within 5 ms, of \(round.hits)", key: "\(flood): hits not heard within 5 ms",
          unit: "", values: [Double(round.missed)], target: .atMost(0)),
        BenchRow("  off its time: median", unit: "ms", values: [round.median]),
        BenchRow("  worst", unit: "ms", values: [round.worst]),
        BenchRow("  CPU of the server", unit: "%", values: [(server.process.cpuSeconds - before) / seconds * 100]),
      ]
    }
    report.notes = [
      "Floods from 127.0.0.2–5 for \(Int(seconds)) s each, the player on 127.0.0.1; sender and server share the cores.",
      "Settings are /pad/*/gain and /tempo; joins come from a port each, every second one says /bye.",
    ]
    return report
  }

  private struct Round {
    var hits = 0
    var missed = 0
    var median = 0.0
    var worst = 0.0
    var perSecond = 0.0
  }

  private func round(
    _ weapon: SiegeWeapon?, _ server: ServerUnderTest, _ player: BenchPlayer, _ clock: ServerClock
  ) throws(ChildProcess.Failure) -> Round {
    // First silence, then three hits whose frames are known, then the siege.
    usleep(600_000)
    let reference = HostTime.now.advanced(byMilliseconds: 200)
    for n in 0..<3 {
      let time = reference.advanced(byMilliseconds: Double(n) * 100)
      player.send(OSCPacket.encode([BenchPlayer.hit(BenchKit.burstPad)], at: clock.timetag(at: time)))
    }
    RealtimeThread.sleep(untilNanoseconds: reference.nanoseconds + 500_000_000)
    let sender = weapon.map { SiegeSender($0, port: server.oscPort, seconds: seconds) }
    sender?.start()
    var sent: [HostTime] = []
    let start = HostTime.now
    while HostTime.now.milliseconds(since: start) < (seconds - interval) * 1_000 {
      // The hits are not on a fixed raster, so that they come at every place within a buffer.
      let jitter = Double.random(in: 0..<0.02)
      let next = start.advanced(byMilliseconds: (Double(sent.count) * interval + jitter + 0.05) * 1_000)
      RealtimeThread.sleep(untilNanoseconds: next.nanoseconds)
      sent.append(player.send(BenchPlayer.hit(BenchKit.burstPad).encoded()))
    }
    sender?.join()
    usleep(100_000)
    let length = HostTime.now.milliseconds(since: reference) / 1_000 + 0.4
    guard let wav = LoopbackHTTP.bytes("/last.wav?seconds=\(length)", port: server.httpPort) else {
      throw ChildProcess.Failure(description: "/last.wav did not come")
    }
    let onsets = SiegeBench.onsets(inWAV: wav)
    guard onsets.count >= 3 else { throw ChildProcess.Failure(description: "the player was not heard at all") }
    // The moment of the file's first frame. The known first hit gives it.
    let origin = reference.advanced(byMilliseconds: -onsets[0])
    let heard = onsets.dropFirst(3).map { origin.advanced(byMilliseconds: $0) }
    var round = Round()
    round.hits = sent.count
    var offsets: [Double] = []
    for time in sent {
      let expected = time.advanced(byMilliseconds: SiegeBench.delayMilliseconds)
      let nearest = heard.map { $0.milliseconds(since: expected) }.min { abs($0) < abs($1) }
      guard let nearest, abs(nearest) < interval * 400 else {
        round.missed += 1
        continue
      }
      offsets.append(nearest)
      if abs(nearest) > SiegeBench.boundMilliseconds { round.missed += 1 }
    }
    offsets.sort { abs($0) < abs($1) }
    round.median = offsets.isEmpty ? .nan : offsets[offsets.count / 2]
    round.worst = offsets.last ?? .nan
    if let sender, sender.elapsed > 0 { round.perSecond = Double(sender.sent) / sender.elapsed }
    return round
  }

  /// The places where bursts begin, in milliseconds from the file's start. The file has 24-bit
  /// stereo at 48 kHz behind a head of at least 44 bytes.
  static func onsets(inWAV bytes: [UInt8]) -> [Double] {
    guard
      let head = bytes.indices.dropLast(8).prefix(4_096).first(where: { bytes[$0..<$0 + 4].elementsEqual("data".utf8) })
    else { return [] }
    var onsets: [Double] = []
    var quiet = 4_800
    var frame = 0
    var at = head + 8
    while at + 6 <= bytes.count {
      let sample = Int32(bytes[at]) << 8 | Int32(bytes[at + 1]) << 16 | Int32(Int8(bitPattern: bytes[at + 2])) << 24
      if abs(Double(sample)) > 0.05 * 2_147_483_648 {
        if quiet >= 960 { onsets.append(Double(frame) / 48) }
        quiet = 0
      } else {
        quiet += 1
      }
      frame += 1
      at += 6
    }
    return onsets
  }
}
