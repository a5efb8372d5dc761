import JamCore
import Testing

@testable import JamRoom

/// A room whose sounds come late, as from a slow disk: its score plays what was heard.
@Suite struct SlowSoundTests {
  private let one = Pad(1)!

  /// Sounds come a tenth of a second after they are ordered.
  private func slowRoom() throws -> (room: RandomRoom, ann: PlayerID) {
    let room = RandomRoom(RandomKits())
    room.delay = Frames(4_800)
    let ann = try #require(room.join("ann", isHost: true))
    room.go(to: Frames(2_000))
    return (room, ann)
  }

  private func step(_ commands: Command..., in room: RandomRoom, by id: PlayerID) {
    for command in commands { #expect(room.step(command, by: id, at: Moment(arrival: room.now)) == nil) }
  }

  /// Whole sounds that begin on the pad, by the frames that they have.
  private func lengths(_ pad: Pad, in room: RandomRoom, from command: Int) -> [String] {
    room.engine[command...].filter { $0.contains(" start 0 \(pad.number) ") }.compactMap {
      $0.split(separator: " ").last.map(String.init)
    }
  }

  private func expectScore(of room: RandomRoom) {
    let score = RandomRoom(RandomKits())
    for entry in room.log { score.fold(entry) }
    #expect(room.problems == [] && score.problems == [])
    #expect(zip(room.engine, score.engine).first { $0 != $1 } == nil)
    #expect(room.engine.count == score.engine.count)
  }

  @Test("a caught hit is heard at once, whatever its pad's sound is by now")
  func caught() throws {
    let (room, ann) = try slowRoom()
    step(.set(.pad(.stretch, one), .float(0.7)), in: room, by: ann)
    room.go(to: Frames(12_000))
    step(.hit(one, .full), in: room, by: ann)
    let heard = lengths(one, in: room, from: 0)
    room.go(to: Frames(24_000))
    step(.set(.pad(.stretch, one), .float(1.3)), in: room, by: ann)
    room.go(to: Frames(48_000))
    step(.chooseKit(.id("two")), in: room, by: ann)
    room.go(to: Frames(72_000))
    let before = room.engine.count
    step(.catchPlayed, in: room, by: ann)
    room.go(to: Frames(72_000 + 3 * 96_000))
    let again = lengths(one, in: room, from: before)
    #expect(heard.count == 1 && again.count >= 2 && again.allSatisfy { $0 == heard[0] }, "\(again)")
    expectScore(of: room)
  }

  @Test("a hit that waited on a muted pad is in the loop as loud as it was, once the pad is heard")
  func muted() throws {
    let (room, ann) = try slowRoom()
    step(
      .set(.quantize, .text("1/4")), .set(.pad(.mute, one), .bool(true)), .loop(.record), in: room, by: ann)
    room.go(to: Frames(room.state.clock.view.frame(at: .zero).count + 96_000 + 20_000))
    step(.hit(one, .full), .set(.pad(.pan, one), .float(0.5)), in: room, by: ann)
    room.go(to: room.now + Frames(48_000))
    step(.loop(.play), in: room, by: ann)
    room.go(to: room.now + Frames(100_000))
    step(.set(.pad(.mute, one), .bool(false)), in: room, by: ann)
    let before = room.engine.count
    room.go(to: room.now + Frames(200_000))
    let starts = room.engine[before...].filter { $0.contains(" start 0 1 ") }
    let levels = starts.map { $0.split(separator: " ")[7] }
    #expect(!levels.isEmpty && levels.allSatisfy { $0 == "1.0" }, "\(levels)")
    expectScore(of: room)
  }

  @Test("a hit on a muted pad is silent, and in the loop as loud as any other, once the pad is heard")
  func mutedAtOnce() throws {
    let (room, ann) = try slowRoom()
    step(.set(.loopBars, .integer(1)), .set(.pad(.mute, one), .bool(true)), .loop(.record), in: room, by: ann)
    func levels(from index: Int) -> [Substring] {
      room.engine[index...].filter { $0.contains(" start 0 1 ") }.map { $0.split(separator: " ")[7] }
    }
    room.go(to: Frames(room.state.clock.view.frame(at: .zero).count + 96_000 + 20_000))
    step(.hit(one, .full), in: room, by: ann)
    room.go(to: room.now + Frames(96_000))
    #expect(levels(from: 0) == ["0.0"])
    step(.set(.pad(.mute, one), .bool(false)), in: room, by: ann)
    let before = room.engine.count
    room.go(to: room.now + Frames(200_000))
    #expect(levels(from: before) == ["1.0", "1.0"])
    expectScore(of: room)
  }

  @Test("a roll ends what goes round on its pad, as a press does")
  func roll() throws {
    let (room, ann) = try slowRoom()
    step(
      .set(.pad(.mode, one), .text("loop")), .set(.quantize, .text("1/4")), .set(.repeatRate, .text("1/8")),
      in: room, by: ann)
    room.go(to: Frames(room.state.clock.view.frame(at: .zero).count + 96_000 + 20_000))
    step(.hit(one, .full), .set(.pad(.mode, one), .text("repeat")), in: room, by: ann)
    step(.set(.quantize, .text("off")), .hit(one, .full), in: room, by: ann)
    var wentRound = false
    for _ in 0..<40 {
      room.go(to: room.now + Frames(4_800))
      wentRound = wentRound || room.state.hands[ann].pads[0].isLooping
    }
    #expect(wentRound && !room.state.hands[ann].pads[0].isLooping)
    step(.release(one), in: room, by: ann)
    room.go(to: room.now + Frames(48_000))
    expectScore(of: room)
  }

  @Test("a stretch that is still being made shortens no decay")
  func decay() throws {
    let (room, ann) = try slowRoom()
    step(.set(.pad(.decay, one), .float(10)), .set(.pad(.beats, one), .float(1)), in: room, by: ann)
    room.go(to: Frames(48_000))
    let fit = room.state.hands[ann].pads[0].heardFit
    #expect(fit > 1)
    step(.set(.pad(.stretch, one), .float(4)), in: room, by: ann)
    let before = room.engine.count
    step(.hit(one, .full), in: room, by: ann)
    room.go(to: Frames(48_200))
    let decays = room.engine[before...].filter { $0.contains(" start 0 1 ") }.map { $0.split(separator: " ")[10] }
    #expect(decays.map { Int($0) } == [Int(480 * fit)])
    room.go(to: Frames(96_000))
    expectScore(of: room)
  }
}
