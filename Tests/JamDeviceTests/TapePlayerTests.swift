import JamCore
import JamRealtime
import Testing

@testable import JamDevice

@Suite("Tape player")
struct TapePlayerTests {
  private let owner = MixTapeOwner(seconds: 1)

  /// Writes `count` buffers of a rising line, and a click of 1 on every frame.
  private func record(_ count: Int) {
    for _ in 0..<count {
      let start = Int(owner.tape.end.count)
      let mix = owner.tape.nextMix
      let click = owner.tape.nextClick
      for i in 0..<120 {
        mix[i * 2] = level(start + i)
        mix[i * 2 + 1] = -level(start + i)
        click[i] = 1
      }
      owner.tape.commitBuffer()
    }
  }

  private func level(_ frame: Int) -> Float { Float(frame % 4_800) / 4_800 }

  @Test("a device gets the mix from the moment it opens, faded in, every frame once")
  func plays() {
    let file = TemporaryFile(".raw")
    record(10)
    let status = OutputStatus()
    do {
      var now = HostTime(nanoseconds: 0)
      var player = TapePlayer(device: "file:FILE='\(file.path)',FORMAT=raw", tape: owner.tape, status: status, at: now)
      player.step(at: now, withClick: false)
      for round in 0..<20 {
        record(round % 3 == 0 ? 3 : 0)
        now = now.advanced(byMilliseconds: 2.5)
        player.step(at: now, withClick: false)
      }
    }
    let heard = file.floats
    #expect(status.playedFrames == 21 * 120)
    #expect(heard.count == 21 * 240)
    // The resampler lags two frames behind; the first buffer fades in.
    #expect(heard[0] == 0 && abs(heard[100 * 2]) < abs(level(1_298)))
    let wrong = (122..<21 * 120).filter {
      heard[$0 * 2] != level(1_200 + $0 - 2) || heard[$0 * 2 + 1] != -heard[$0 * 2]
    }
    #expect(wrong.isEmpty)
    #expect(status.jumps == 0)
  }

  @Test("the click is heard only when it is wanted")
  func click() {
    let file = TemporaryFile(".raw")
    let status = OutputStatus()
    do {
      var player = TapePlayer(
        device: "file:FILE='\(file.path)',FORMAT=raw", tape: owner.tape, status: status, at: HostTime(nanoseconds: 0))
      player.step(at: HostTime(nanoseconds: 0), withClick: true)
      for round in 1...3 {
        record(1)
        player.step(at: HostTime(nanoseconds: Int64(round) * 2_500_000), withClick: round > 1)
      }
    }
    let heard = file.floats
    #expect(abs(heard[100 * 2] + heard[100 * 2 + 1]) < 1e-6)
    #expect(abs(heard[300 * 2] + heard[300 * 2 + 1] - 2) < 1e-6)
  }

  @Test("a reader that fell behind jumps to the mix's end and counts it")
  func jumps() {
    let status = OutputStatus()
    var player = TapePlayer(device: "null", tape: owner.tape, status: status, at: HostTime(nanoseconds: 0))
    player.step(at: HostTime(nanoseconds: 0), withClick: false)
    record(100)
    player.step(at: HostTime(nanoseconds: 250_000_000), withClick: false)
    #expect(status.jumps == 1)
    #expect(status.playedFrames == 480)
  }

  @Test("the null device, which swallows frames at any speed, is given the tape's frames and no more")
  func paced() {
    let status = OutputStatus()
    var player = TapePlayer(device: "null", tape: owner.tape, status: status, at: HostTime(nanoseconds: 0))
    for round in 0..<1_000 {
      if round % 10 == 1 { record(1) }
      player.step(at: HostTime(nanoseconds: Int64(round) * 250_000), withClick: false)
    }
    #expect(status.playedFrames == 100 * 120)
  }

  @Test("a device that fails is lost and counted, and tried again two seconds later")
  func retries() {
    let status = OutputStatus()
    // The device gathers some frames before it writes, and finds that it cannot.
    var player = TapePlayer(
      device: "file:FILE='/dev/full',FORMAT=raw", tape: owner.tape, status: status, at: HostTime(nanoseconds: 0))
    var milliseconds = 0.0
    func step(until isReached: () -> Bool) {
      for _ in 0..<2_000 where !isReached() {
        record(1)
        player.step(at: HostTime(nanoseconds: 0).advanced(byMilliseconds: milliseconds), withClick: false)
        milliseconds += 2.5
      }
    }
    step { status.losses == 1 }
    #expect(status.losses == 1 && !status.isOpen)
    let lost = milliseconds
    step { status.isOpen }
    #expect(status.isOpen && milliseconds > lost + 1_990 && milliseconds < lost + 2_010)
  }

  @Test("a device that does not exist is waited for in silence")
  func absent() {
    let status = OutputStatus()
    var player = TapePlayer(device: "kazoo", tape: owner.tape, status: status, at: HostTime(nanoseconds: 0))
    for second in 0..<10 {
      record(1)
      player.step(at: HostTime(nanoseconds: Int64(second) * 1_000_000_000), withClick: false)
    }
    #expect(!status.isOpen && status.losses == 0 && status.playedFrames == 0)
  }
}
