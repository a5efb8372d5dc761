import Foundation
import JamCore
import JamKit
import JamRealtime
@testable import JamServer
import Testing

@testable import JamRoom
@testable import bandshell

@Suite("Takes: where recordings begin and end")
struct TakeMachineTests {
  private static let image: RoomImage = {
    let kits = URL(filePath: #filePath).appending(path: "../../../Kits").standardized.path
    let kitStore = KitStore(catalogue: KitCatalogue(scanning: [kits]))
    let state = RoomState(
      name: PlayerName("main")!, kits: kitStore.kits, firstKit: try! kitStore.load("starter"),
      anchor: ClockAnchor(origin: HostTime(nanoseconds: 0)), hostWord: "")
    return RoomImage(of: state, at: .zero)
  }()

  private static func hit(at frame: Frames) -> TakeMachine.Item {
    .entry(LogEntry(sequence: 1, frame: frame, player: PlayerName("ann")!, action: .command(.hit(Pad(1)!, .full))))
  }

  private static func loopHit(at frame: Frames) -> TakeMachine.Item {
    .entry(
      LogEntry(
        sequence: 2, frame: frame, player: PlayerName("ann")!,
        action: .command(.loopHit(layer: 1, hit: 1, hold: 0, gain: 0))))
  }

  /// A loop that goes round, a hit a second, from one second to the other: what comes of it.
  private static func goRound(
    _ machine: inout TakeMachine, _ seconds: ClosedRange<Int>, isDeserted: Bool
  ) -> [TakeMachine.Act] {
    var acts: [TakeMachine.Act] = []
    for second in seconds {
      let (frame, moment) = (Frames.seconds(Double(second)), time(Double(second)))
      machine.note(isDeserted: isDeserted, at: frame, bar: .seconds(2))
      acts += machine.take(loopHit(at: frame), at: moment)
      acts += machine.look(isSounding: true, frame: frame, at: moment)
    }
    return acts
  }

  private static func isAsking(_ act: TakeMachine.Act) -> Bool { if case .askForImage = act { true } else { false } }

  private static func time(_ seconds: Double) -> HostTime { HostTime(nanoseconds: Int64(seconds * 1e9)) }

  /// One that fell silent at 2 s, and asked for the room at 40 s.
  private static func quiet() -> TakeMachine {
    var machine = TakeMachine(tempo: .standard)
    #expect(machine.take(hit(at: .seconds(1)), at: time(1)).count == 1)
    #expect(machine.look(isSounding: true, frame: .seconds(2), at: time(2)).isEmpty)
    guard case .askForImage? = machine.look(isSounding: false, frame: .seconds(40), at: time(40)).first else {
      Issue.record("the room was not asked for")
      return machine
    }
    return machine
  }

  @Test("a hit just after the room was asked for is the next recording's, and so is how long it sounds")
  func late() {
    var machine = TakeMachineTests.quiet()
    #expect(machine.look(isSounding: true, frame: .seconds(41), at: TakeMachineTests.time(41)).isEmpty)
    guard case .end(let frame)? = machine.take(.image(TakeMachineTests.image), at: TakeMachineTests.time(42)).first
    else {
      Issue.record("it did not end")
      return
    }
    #expect(frame == .seconds(2))
    guard
      case .begin(.image, let entries, let first)? = machine.take(
        TakeMachineTests.hit(at: .seconds(40.5)), at: TakeMachineTests.time(42)
      ).first
    else {
      Issue.record("none began")
      return
    }
    #expect(entries.count == 1 && first == .seconds(40.5))
  }

  @Test("a hit that the room had when it was asked goes on with the recording")
  func early() {
    var machine = TakeMachineTests.quiet()
    guard
      case .write? = machine.take(
        TakeMachineTests.hit(at: .seconds(39.9)), at: TakeMachineTests.time(41)
      ).first
    else {
      Issue.record("it was not written")
      return
    }
    #expect(machine.take(.image(TakeMachineTests.image), at: TakeMachineTests.time(41)).isEmpty)
    #expect(machine.isRecording)
  }

  @Test("loops that play on alone are part of it for a bar, and no reason for another", arguments: [false, true])
  func alone(isHeld: Bool) {
    var machine = TakeMachine(tempo: .standard)
    #expect(machine.take(TakeMachineTests.hit(at: .seconds(1)), at: TakeMachineTests.time(1)).count == 1)
    // Somebody who started it by hand has left as well.
    machine.isHeld = isHeld
    // Somebody is there: it goes on.
    let heard = TakeMachineTests.goRound(&machine, 2...60, isDeserted: false)
    // Loops count until 63 s, and half a minute of quiet follows.
    let alone = TakeMachineTests.goRound(&machine, 61...92, isDeserted: true)
    #expect(!(heard + alone).contains { TakeMachineTests.isAsking($0) })
    let quiet = TakeMachineTests.goRound(&machine, 93...95, isDeserted: true)
    #expect(quiet.count { TakeMachineTests.isAsking($0) } == 1)
    guard case .end(let frame)? = machine.take(.image(TakeMachineTests.image), at: TakeMachineTests.time(96)).first
    else {
      Issue.record("it did not end")
      return
    }
    #expect(frame == .seconds(63) && !machine.isHeld)
    let nothing = TakeMachineTests.goRound(&machine, 97...400, isDeserted: true)
    #expect(nothing.isEmpty && !machine.isRecording)
    // Somebody comes: the room is asked for once more, as the loops have left it.
    let acts = TakeMachineTests.goRound(&machine, 401...402, isDeserted: false)
    #expect(acts.count == 2 && acts.allSatisfy { TakeMachineTests.isAsking($0) })
    #expect(machine.take(.image(TakeMachineTests.image), at: TakeMachineTests.time(402)).isEmpty)
    let begun = TakeMachineTests.goRound(&machine, 403...403, isDeserted: false)
    guard case .begin(.image, let entries, let first)? = begun.first else {
      Issue.record("none began")
      return
    }
    #expect(entries.count == 1 && first == .seconds(403))
  }

  @Test("who comes back within half a minute finds the take going on, and a hit by hand begins one at any time")
  func back() {
    var machine = TakeMachine(tempo: .standard)
    #expect(machine.take(TakeMachineTests.hit(at: .seconds(1)), at: TakeMachineTests.time(1)).count == 1)
    let acts =
      TakeMachineTests.goRound(&machine, 2...30, isDeserted: true)
      + TakeMachineTests.goRound(&machine, 31...50, isDeserted: false)
    #expect(!acts.contains { TakeMachineTests.isAsking($0) } && acts.count == 49 && machine.isRecording)
    var other = TakeMachine(tempo: .standard)
    other.note(isDeserted: true, at: .zero, bar: .seconds(2))
    #expect(other.take(TakeMachineTests.loopHit(at: .seconds(10)), at: TakeMachineTests.time(10)).isEmpty)
    #expect(other.take(TakeMachineTests.hit(at: .seconds(11)), at: TakeMachineTests.time(11)).count == 1)
  }

  @Test("who holds a recording that is about to end keeps it")
  func held() {
    var machine = TakeMachineTests.quiet()
    machine.isHeld = true
    #expect(machine.begin(at: .seconds(41)).isEmpty)
    #expect(machine.take(.image(TakeMachineTests.image), at: TakeMachineTests.time(41)).isEmpty)
    #expect(machine.isRecording)
  }
}
